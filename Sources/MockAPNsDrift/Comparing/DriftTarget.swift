internal import MockAPNs
package import MockAPNsRules
internal import MockAPNsTransport
package import MockAPNsUpstream
internal import NIOCore

/// A service that is compared, and what its clients need.
package struct DriftTarget: Sendable {
    /// Where pushes are sent.
    package let address: UpstreamAddress
    /// Where channels are managed.
    package var channels: UpstreamAddress
    /// What reports call it: `sandbox`, `production` or `other`.
    package var name = "other"
    /// The environment that the service simulates, or is.
    package var environment = Environment.sandbox
    /// The authorities in PEM; `nil` for those of the system.
    package var authoritiesPEM: String?
    package var options = UpstreamOptions()

    /// Creates the target of an address, with channel management at the same one.
    package init(_ address: UpstreamAddress) { (self.address, channels) = (address, address) }

    /// Reads `sandbox`, `production` or a URL; Apple's channels have hosts of their own.
    package init(parsing text: String) throws(UpstreamError) {
        self.init(try UpstreamAddress(parsing: text))
        guard let environment = Environment(rawValue: text) else { return }
        (self.environment, name) = (environment, text)
        let manager = AppleHost.all.first { $0.offer == .channels && $0.environment == environment }
        guard let manager, let port = manager.ports.first else { return }
        channels = UpstreamAddress(host: manager.name, port: Int(port))
    }

    /// Whether the service runs on this machine, so that no pace is needed.
    package var isLocal: Bool {
        address.host == "localhost" || address.host == "::1"
            || (address.host.hasPrefix("127.") && address.host.allSatisfy { $0.isNumber || $0 == "." })
    }

    /// Returns the TLS context of a place; `nil` in clear text.
    ///
    /// - Throws: `UpstreamError` if the authorities or the certificate cannot be used.
    func tls(
        for place: DriftCase.Place, _ certificate: String?, stranger: String?
    ) throws(UpstreamError) -> ClientTLSContext? {
        guard address.isSecure else { return nil }
        let chain: String? =
            switch place {
            case .certificate: certificate
            case .stranger: stranger
            default: nil
            }
        do throws(TLSContext.Problem) {
            return try ClientTLSContext(
                authoritiesPEM: authoritiesPEM, certificateChainPEM: chain,
                applicationProtocol: place == .oldHTTP ? "http/1.1" : "h2")
        } catch { throw UpstreamError(.invalid, error.description, isUnprocessed: true) }
    }

    /// Checks the authorities, and a client certificate with its key.
    ///
    /// - Throws: `UpstreamError` if they cannot be used.
    package func check(_ certificatePEM: String?) throws(UpstreamError) {
        _ = try tls(for: .certificate, certificatePEM, stranger: nil)
    }

    /// Limits the time of each stage of a connection, and of each response.
    package mutating func limitEachStage(milliseconds: Int64) {
        let time = TimeAmount.milliseconds(milliseconds)
        options.times.connect = time
        options.times.proxy = time
        options.times.handshake = time
        options.times.settings = time
        options.times.answer = time
        options.times.ping = time
    }
}
