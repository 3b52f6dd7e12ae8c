/// What a listener offers to providers; the names are part of the debug API.
public enum ProviderInterface: String, CaseIterable, Sendable {
    /// HTTP/2, as described by Apple today.
    case http2
    /// The binary interface for notifications (documented; off since 2021-03-31).
    case gateway
    /// The feedback service of the binary interface.
    case feedback

    /// The name of the protocol in the record of a push.
    public var pushProtocol: String { self == .http2 ? "http2" : "binary" }

    /// The protocols of pushes.
    public static let pushProtocols = [ProviderInterface.http2, .gateway].map(\.pushProtocol)
}
