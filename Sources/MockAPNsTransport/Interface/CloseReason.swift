/// Why a connection ended.
public struct CloseReason: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of end, with a stable name for programs.
    public enum Code: String, CaseIterable, Sendable {
        case closedByPeer = "closed-by-peer"
        /// The feedback service has sent everything.
        case complete = "complete"
        case ioError = "io-error"
        case tlsFailure = "tls-failure"
        case badCertificate = "bad-certificate"
        case handshakeTimeout = "handshake-timeout"
        case notHTTP2 = "not-http2"
        case protocolError = "protocol-error"
        case flood = "flood"
        case streamLimit = "stream-limit"
        case settingsTimeout = "settings-timeout"
        case stalled = "stalled"
        case idle = "idle-timeout"
        /// An error packet of the binary interface.
        case rejected = "rejected"
        case tooManyErrors = "too-many-errors"
        case tooManyConnections = "too-many-connections"
        case shutdown = "shutdown"
        case fault = "fault"
        /// The store that keeps the world failed.
        case unsaved = "unsaved"
        case internalError = "internal-error"
    }

    /// The exact cause, for kinds that have several.
    public enum Cause: Equatable, Sendable {
        /// The client sent this fatal TLS alert (RFC 8446, section 6).
        case alert(UInt8)
        /// The client closed the connection during the TLS handshake, without an alert.
        case hungUp
        /// The client sent a plain HTTP request to a TLS listener.
        case plainHTTP
        /// The client's first bytes are not TLS.
        case notTLS
        /// The client does not offer a supported TLS version.
        case oldTLS
        /// The client does not offer `h2` by ALPN although it is required.
        case noApplicationProtocol
        /// The client sent an HTTP/1 request.
        case http1
        /// The client sent no certificate although it is required.
        case noClientCertificate
        /// The client's certificate is valid, but only in the other environment.
        case otherEnvironment
    }

    /// The kind of end.
    public let code: Code
    /// A description.
    public let detail: String
    /// The exact cause; `nil` if the kind is specific enough, or if the cause is not known.
    public let cause: Cause?

    /// Creates a reason.
    public init(_ code: Code, _ detail: String, cause: Cause? = nil) {
        self.code = code
        self.detail = detail
        self.cause = cause
    }

    /// The kind and the description.
    public var description: String { "\(code.rawValue): \(detail)" }
}
