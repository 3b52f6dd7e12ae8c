internal import MockAPNsTransport

/// A connection that ended for a reason that its client's owner should know of.
public struct ConnectionProblem: Sendable, CustomStringConvertible {
    /// The address and port of the client.
    public let remoteAddress: String
    /// The kind of ending: stable, for programs.
    public let code: String
    /// What was seen.
    public let detail: String
    /// What usually helps; `nil` where nothing is known.
    public let hint: String?

    /// One line for people.
    public var description: String {
        "connection from \(remoteAddress) ended: \(code), \(detail)" + (hint.map { "; \($0)" } ?? "")
    }

    /// `nil` for an ending without a mistake.
    init?(remoteAddress: String, reason: CloseReason) {
        switch reason.code {
        case .closedByPeer, .ioError, .idle, .shutdown, .fault: return nil
        // Told of once, and not for each connection: `Configuration.onShortage`.
        case .tooManyConnections: return nil
        case .tooManyErrors, .tlsFailure, .handshakeTimeout, .notHTTP2, .protocolError, .flood, .streamLimit,
            .settingsTimeout,
            .stalled, .internalError:
            break
        }
        self.remoteAddress = remoteAddress
        code = reason.code.rawValue
        detail = reason.detail
        hint = Self.hint(for: reason)
    }

    /// What usually helps against an ending; `nil` where nothing is known.
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
        case .http1: "APNs speaks only HTTP/2: turn on the client's HTTP/2 support"
        case nil: nil
        }
    }

    /// What clients mean by their alerts (RFC 8446, section 6.2), and what to do about it.
    private static let alertHints: [UInt8: String] = [
        42: refusedChain("bad_certificate"),
        43: refusedChain("unsupported_certificate"),
        45: "the client considers the certificate expired: check the client's clock, or restart the server",
        46: refusedChain("certificate_unknown"),
        48: "the client does not trust the certificate authority: give it ca.pem",
        70: "the client does not offer TLS 1.2 or 1.3",
    ]

    /// Go and Java send one alert for every fault that they find, so the alert does not tell which it was.
    private static func refusedChain(_ alert: String) -> String {
        "the client refuses the certificate chain (\(alert)): give it ca.pem if it does not have it; otherwise its own"
            + " error says what it objects to, such as the host name"
    }
}
