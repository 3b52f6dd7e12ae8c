import Testing

@testable import MockAPNsTransport

extension Client {
    /// A client whose requests on these streams are struck by faults.
    convenience init(
        striking faults: [Int32: WireFault],
        options: TransportOptions = .lifted,
        tls: TLSPeer.Setup? = nil
    ) throws {
        try self.init(options: options, tls: tls)
        recorder.faults = faults
    }
}

extension WireFault.GoAway {
    /// The debug data of `shutdown`.
    static let text = "{\"reason\":\"Shutdown\"}"

    /// A frame as APNs says that it shuts down.
    static func shutdown(_ lastStream: LastStream, _ close: Close, code: Frame.ErrorCode = .noError) -> Self {
        Self(code: code.rawValue, lastStream: lastStream, debugData: Array(text.utf8), close: close)
    }
}
