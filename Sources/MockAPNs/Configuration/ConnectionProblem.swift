internal import MockAPNsTransport

/// A connection that ended because of a problem that the client's developer should know about.
public struct ConnectionProblem: Sendable, CustomStringConvertible {
    /// The client's address and port.
    public let remoteAddress: String
    /// The kind of end, with a stable name for programs.
    public let code: String
    /// A description.
    public let detail: String
    /// The usual solution; `nil` if none is known.
    public let hint: String?

    /// The problem in one line.
    public var description: String {
        "connection from \(remoteAddress) ended: \(code), \(detail)" + (hint.map { "; \($0)" } ?? "")
    }

    /// Creates a problem; `nil` if the connection ended as expected.
    init?(remoteAddress: String, reason: CloseReason) {
        switch reason.code {
        // `Configuration.onShortage` reports too many connections, but not each of them.
        case .closedByPeer, .complete, .ioError, .idle, .shutdown, .rejected, .fault, .tooManyConnections: return nil
        case .tooManyErrors, .unsaved, .tlsFailure, .badCertificate, .handshakeTimeout, .notHTTP2, .protocolError,
            .flood, .streamLimit, .settingsTimeout, .stalled, .internalError:
            break
        }
        self.remoteAddress = remoteAddress
        code = reason.code.rawValue
        detail = reason.detail
        hint = Self.hint(for: reason)
    }

    /// Returns the usual solution for a kind of end; `nil` if none is known.
    static func hint(for reason: CloseReason) -> String? {
        switch reason.cause {
        case .alert(let number): alertHints[number]
        case .hungUp:
            "the client gave no reason: its own error says why. Some clients do this when they do not trust the"
                + " certificate; they need ca.pem"
        case .plainHTTP: "the client speaks plain HTTP on a TLS port: use https, or an h2c:// listener"
        case .notTLS: "the client does not speak TLS on a TLS port: use https, or an h2c:// listener"
        case .oldTLS: "the client does not offer TLS 1.2 or 1.3"
        case .noApplicationProtocol: "the client does not offer h2 by ALPN: turn on its HTTP/2 support"
        case .noClientCertificate: "the binary interface requires a client certificate: mock-apns certs issue makes one"
        case .otherEnvironment:
            "push to an address of the certificate's environment (serve --apns-listen"
                + " 127.0.0.1:2198?environment=production is one), or issue a certificate for this one:"
                + " mock-apns certs issue --environment; certificates for device management are for production only"
        case .http1: "APNs speaks only HTTP/2: turn on the client's HTTP/2 support"
        case nil where reason.code == .badCertificate:
            "mock-apns certs issue makes certificates that this server accepts; serve --client-ca trusts others"
        case nil: nil
        }
    }

    /// The meaning of clients' alerts (RFC 8446, section 6.2), and the usual solution.
    private static let alertHints: [UInt8: String] = [
        42: refusedChain("bad_certificate"), 43: refusedChain("unsupported_certificate"),
        45: "the client considers the certificate expired: check the client's clock, or restart the server",
        46: refusedChain("certificate_unknown"),
        48: "the client does not trust the certificate authority: give it ca.pem",
        70: "the client does not offer TLS 1.2 or 1.3",
    ]

    /// Go and Java send the same alert for every problem of a chain, so the alert does not identify the
    /// problem.
    private static func refusedChain(_ alert: String) -> String {
        "the client refuses the certificate chain (\(alert)): give it ca.pem if it does not have it; otherwise its own"
            + " error says what it objects to, such as the host name"
    }
}
