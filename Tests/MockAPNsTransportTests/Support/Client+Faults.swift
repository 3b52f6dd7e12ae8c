import MockAPNsRules
import Testing

@testable import MockAPNsTransport

extension Client {
    /// A client whose requests on these streams are struck by faults.
    convenience init(
        striking faults: [Int32: WireFault], options: TransportOptions = .lifted, tls: TLSPeer.Setup? = nil
    ) throws {
        try self.init(options: options, tls: tls)
        recorder.faults = faults
    }
}

extension FaultAction.GoAway {
    /// The debug data of `shutdown`.
    static let text = "{\"reason\":\"Shutdown\"}"

    /// A frame as APNs says that it shuts down.
    static func shutdown(_ lastStream: LastStream, _ close: Close, code: HTTP2Code = .noError) -> Self {
        Self(code: code, lastStream: lastStream, debug: text, close: close)
    }
}
