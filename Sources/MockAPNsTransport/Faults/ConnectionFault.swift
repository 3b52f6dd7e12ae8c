public import NIOCore

/// What goes wrong with a connection from its beginning, on purpose.
public struct ConnectionFault: Sendable {
    /// What goes wrong with the TLS handshake.
    public enum Handshake: Equatable, Sendable {
        /// The TCP connection is closed when it is accepted.
        case refuse
        /// The handshake begins so much later.
        case delay(TimeAmount)
        /// The certificate is no longer valid.
        case expiredCertificate
        /// The certificate is for another host.
        case wrongHost
        /// No application protocol is agreed on.
        case noApplicationProtocol
        /// A fatal alert of this number (RFC 8446, section 6) answers the client's hello.
        case alert(UInt8)
    }

    /// What goes wrong with the TLS handshake.
    public var handshake: Handshake?
    /// SETTINGS_MAX_CONCURRENT_STREAMS, from the first SETTINGS frame on.
    public var maxConcurrentStreams: UInt32?
    /// SETTINGS_INITIAL_WINDOW_SIZE.
    public var initialWindowSize: UInt32?
    /// The first SETTINGS frame leaves so much later.
    public var settingsDelay: TimeAmount?
    /// A GOAWAY leaves instead of the first SETTINGS frame, and the connection is closed.
    public var goAwayBeforeSettings: WireFault.GoAway?

    /// Nothing goes wrong.
    public init() {}
}
