/// The status in an error packet of the binary interface.
///
/// Documented: Apple, "Binary Provider API", table of error codes. When the real service sent each of them is
/// inferred.
public enum GatewayStatus: UInt8, CaseIterable, Sendable {
    /// Never sent: an accepted notification has no response.
    case noErrors = 0
    case processingError = 1
    case missingDeviceToken = 2
    case missingTopic = 3
    case missingPayload = 4
    case invalidTokenSize = 5
    case invalidTopicSize = 6
    case invalidPayloadSize = 7
    case invalidToken = 8
    /// The service is closing the connection; the identifier is that of the last accepted notification.
    case shutdown = 10
    case protocolError = 128
    case unknown = 255

    /// The length of a packet in bytes.
    public static let packetLength = 6
    /// The first byte of a packet.
    static let command: UInt8 = 8

    /// The meaning in Apple's words, in lower case.
    public var text: String {
        switch self {
        case .noErrors: "no errors encountered"
        case .processingError: "processing error"
        case .missingDeviceToken: "missing device token"
        case .missingTopic: "missing topic"
        case .missingPayload: "missing payload"
        case .invalidTokenSize: "invalid token size"
        case .invalidTopicSize: "invalid topic size"
        case .invalidPayloadSize: "invalid payload size"
        case .invalidToken: "invalid token"
        case .shutdown: "shutdown"
        case .protocolError: "protocol error"
        case .unknown: "unknown"
        }
    }

    /// Returns the error packet: command 8, the status, and the identifier of a notification.
    public func packet(identifier: UInt32) -> [UInt8] {
        [Self.command, rawValue] + withUnsafeBytes(of: identifier.bigEndian) { Array($0) }
    }

    /// Selects the status for a notification that is rejected for a reason of HTTP/2; `nil` if nothing is sent.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - problem: The notification's own problem, if it has one.
    ///   - reportsUnregistered: Whether a token whose app was uninstalled is an invalid token. The documented
    ///     way to learn about it is the feedback service.
    public init?(rejecting reason: Reason, problem: GatewayStatus?, reportsUnregistered: Bool = false) {
        switch reason {
        case .missingDeviceToken: self = .missingDeviceToken
        case .missingTopic: self = .missingTopic
        case .payloadEmpty: self = .missingPayload
        case .payloadTooLarge: self = .invalidPayloadSize
        case .badDeviceToken: self = problem == .invalidTokenSize ? .invalidTokenSize : .invalidToken
        case .deviceTokenNotForTopic: self = .invalidToken
        case .unregistered, .expiredToken:
            guard reportsUnregistered else { return nil }
            self = .invalidToken
        case .badTopic: self = .invalidTopicSize
        case .badPriority, .tooManyRequests, .internalServerError, .serviceUnavailable: self = .processingError
        case .shutdown, .idleTimeout: self = .shutdown
        case .badRequestPayload: self = .protocolError
        default: self = .unknown
        }
    }
}
