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

    /// `nil` for an ending that is nobody's fault.
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
        hint = Self.hint(for: reason.detail)
    }

    /// What usually helps against an ending with this detail; `nil` where nothing is known.
    public static func hint(for detail: String) -> String? {
        hints.first { detail.contains($0.part) }?.hint
    }

    /// What OpenSSL and HTTP/2 say of the commonest mistakes, and what to do about them.
    private static let hints: [(part: String, hint: String)] = [
        ("unknown ca", "the client does not trust the CA certificate: give it ca.pem"),
        ("bad certificate", "the client refused the certificate: give it ca.pem"),
        ("certificate unknown", "the client refused the certificate: give it ca.pem"),
        (
            "certificate expired",
            "the client's clock is off, or the certificate is old: delete it and start again"
        ),
        ("http request", "the client speaks plain HTTP on a TLS port: use https, or an h2c:// listener"),
        (
            "wrong version number",
            "the client does not speak TLS on a TLS port: use https, or an h2c:// listener"
        ),
        ("unsupported protocol", "the client offers no TLS version from 1.2 on"),
        ("no application protocol", "the client does not offer h2 by ALPN: switch its HTTP/2 support on"),
        ("Unexpected HTTP/1.x", "APNs speaks HTTP/2 alone: switch the client's HTTP/2 support on"),
    ]
}
