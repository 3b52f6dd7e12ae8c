/// Why a connection ended.
public struct CloseReason: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of ending: stable, for programs.
    public enum Code: String, CaseIterable, Sendable {
        case closedByPeer = "closed-by-peer"
        case ioError = "io-error"
        case tlsFailure = "tls-failure"
        case handshakeTimeout = "handshake-timeout"
        case notHTTP2 = "not-http2"
        case protocolError = "protocol-error"
        case flood = "flood"
        case streamLimit = "stream-limit"
        case settingsTimeout = "settings-timeout"
        case stalled = "stalled"
        case idle = "idle-timeout"
        case tooManyErrors = "too-many-errors"
        case tooManyConnections = "too-many-connections"
        case shutdown = "shutdown"
        case fault = "fault"
        case internalError = "internal-error"
    }

    /// The kind of ending.
    public let code: Code
    /// What was seen, for people.
    public let detail: String

    /// An ending of this kind.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The kind and what was seen.
    public var description: String { "\(code.rawValue): \(detail)" }
}
