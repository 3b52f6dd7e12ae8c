/// Why a request has no answer, or why a connection could not be opened.
package struct UpstreamError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, with a stable name for programs.
    package enum Code: String, CaseIterable, Sendable {
        /// An address, an option or a request is invalid; nothing was sent.
        case invalid
        /// The host was not found, or no connection was made.
        case connect
        /// The proxy refused the tunnel, or its response is not HTTP.
        case proxy
        /// The TLS handshake failed.
        case tls
        /// The server's certificate is not trusted, not valid now, or for another host.
        case verify
        /// The server does not speak HTTP/2.
        case alpn
        /// The server broke a rule of HTTP/2.
        case protocolError = "protocol"
        /// Something took longer than its limit.
        case timeout
        /// The server reset the stream without processing the request (REFUSED_STREAM).
        case refused
        /// The server reset the stream for another reason.
        case reset
        /// The connection was closed.
        case closed
        /// The connection ends by a GOAWAY, and the server did not process the request.
        case goAway = "goaway"
        /// A response is larger than the limits.
        case tooLarge = "too-large"
        /// Too many requests wait.
        case queueFull = "queue-full"
        /// The caller cancelled the request.
        case cancelled
    }

    /// The kind of failure.
    package let code: Code
    /// What was seen.
    package let seen: String
    /// What was expected instead; empty if `seen` says it.
    package let expected: String
    /// How to fix it; empty if there is nothing to do.
    package let fix: String
    /// Whether the server certainly did not process the request, so that it may be sent again (RFC 9113, section 8.7).
    package let isUnprocessed: Bool

    package init(_ code: Code, _ seen: String, expected: String = "", fix: String = "", isUnprocessed: Bool = false) {
        self.code = code
        self.seen = seen
        self.expected = expected
        self.fix = fix
        self.isUnprocessed = isUnprocessed
    }

    /// What was seen, what was expected, and how to fix it, in one line.
    package var description: String {
        let facts = expected.isEmpty ? seen : "\(seen): expected \(expected)"
        return fix.isEmpty ? facts : "\(facts); \(fix)"
    }

    /// Returns the same failure of a request that the server certainly did not process.
    func unprocessed() -> UpstreamError { UpstreamError(code, seen, expected: expected, fix: fix, isUnprocessed: true) }
}
