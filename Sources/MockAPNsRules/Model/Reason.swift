/// Every reason with which this server can reject a push, with Apple's spelling.
///
/// To add one, add a case; the compiler then requires its row and its texts. Source: Apple,
/// "Handling notification responses from APNs", and for broadcasts and channels "Handling error responses from
/// Apple Push Notification service" (documented), unless a row says otherwise.
public enum Reason: UInt8, CaseIterable, Sendable {
    case badCollapseID
    case badDeviceToken
    case badExpirationDate
    case badMessageID
    case badPriority
    case badTopic
    case deviceTokenNotForTopic
    case duplicateHeaders
    case idleTimeout
    case invalidPushType
    case missingDeviceToken
    case missingTopic
    case payloadEmpty
    case topicDisallowed
    case badRequestPayload
    case badChannelID
    case badRequestParams
    case cannotCreateChannelConfig
    case channelNotRegistered
    case featureNotEnabled
    case missingChannelID
    case missingPushType

    case badCertificate
    case badCertificateEnvironment
    case badEnvironmentKeyInToken
    case badEnvironmentKeyIDInToken
    case expiredProviderToken
    case forbidden
    case invalidProviderToken
    case missingProviderToken
    case topicMismatch
    case unrelatedKeyIDInToken

    case badPath
    case methodNotAllowed
    case expiredToken
    case unregistered
    case payloadTooLarge
    case tooManyProviderTokenUpdates
    case tooManyRequests
    case internalServerError
    case serviceUnavailable
    case shutdown

    private var row: (name: StaticString, status: UInt16, variant: UInt8) {
        switch self {
        case .badCollapseID: ("BadCollapseId", 400, 1)
        case .badDeviceToken: ("BadDeviceToken", 400, 0)
        case .badExpirationDate: ("BadExpirationDate", 400, 2)
        case .badMessageID: ("BadMessageId", 400, 3)
        case .badPriority: ("BadPriority", 400, 4)
        case .badTopic: ("BadTopic", 400, 5)
        case .deviceTokenNotForTopic: ("DeviceTokenNotForTopic", 400, 6)
        case .duplicateHeaders: ("DuplicateHeaders", 400, 7)
        case .idleTimeout: ("IdleTimeout", 400, 8)
        case .invalidPushType: ("InvalidPushType", 400, 9)
        case .missingDeviceToken: ("MissingDeviceToken", 400, 10)
        case .missingTopic: ("MissingTopic", 400, 11)
        case .payloadEmpty: ("PayloadEmpty", 400, 12)
        case .topicDisallowed: ("TopicDisallowed", 400, 13)
        case .badRequestPayload: ("BadRequestPayload", 400, 14)
        case .badChannelID: ("BadChannelId", 400, 15)
        case .badRequestParams: ("BadRequestParams", 400, 16)
        case .cannotCreateChannelConfig: ("CannotCreateChannelConfig", 400, 17)
        case .channelNotRegistered: ("ChannelNotRegistered", 400, 18)
        case .featureNotEnabled: ("FeatureNotEnabled", 400, 19)
        case .missingChannelID: ("MissingChannelId", 400, 20)
        case .missingPushType: ("MissingPushType", 400, 21)
        case .badCertificate: ("BadCertificate", 403, 1)
        case .badCertificateEnvironment: ("BadCertificateEnvironment", 403, 2)
        case .badEnvironmentKeyInToken: ("BadEnvironmentKeyInToken", 403, 3)
        case .badEnvironmentKeyIDInToken: ("BadEnvironmentKeyIdInToken", 403, 4)
        case .expiredProviderToken: ("ExpiredProviderToken", 403, 5)
        case .forbidden: ("Forbidden", 403, 6)
        case .invalidProviderToken: ("InvalidProviderToken", 403, 0)
        case .missingProviderToken: ("MissingProviderToken", 403, 7)
        case .topicMismatch: ("TopicMismatch", 403, 9)
        case .unrelatedKeyIDInToken: ("UnrelatedKeyIdInToken", 403, 8)
        case .badPath: ("BadPath", 404, 0)
        case .methodNotAllowed: ("MethodNotAllowed", 405, 0)
        case .expiredToken: ("ExpiredToken", 410, 1)
        case .unregistered: ("Unregistered", 410, 0)
        case .payloadTooLarge: ("PayloadTooLarge", 413, 0)
        case .tooManyProviderTokenUpdates: ("TooManyProviderTokenUpdates", 429, 1)
        case .tooManyRequests: ("TooManyRequests", 429, 0)
        case .internalServerError: ("InternalServerError", 500, 0)
        case .serviceUnavailable: ("ServiceUnavailable", 503, 0)
        case .shutdown: ("Shutdown", 503, 1)
        }
    }

    /// The `reason` string of the response.
    public var name: String { row.name.description }

    /// The same, as text that needs no memory.
    package var text: StaticString { row.name }

    /// The HTTP status of the response.
    public var status: UInt16 { row.status }

    /// Distinguishes reasons of one status in an answer token (see `AnswerToken`); 0 is the default reason.
    public var variant: UInt8 { row.variant }

    /// How much a response with this reason counts toward the error limit of a connection.
    ///
    /// Documented: BadDeviceToken counts more than others, and a 410 does not count. The weights are
    /// inferred.
    public var errorWeight: Int { self == .badDeviceToken ? 2 : status == 410 ? 0 : 1 }

    /// Whether a body with this reason contains the time at which the device token became invalid.
    ///
    /// Documented only for status 410.
    public var carriesTimestamp: Bool { status == 410 }

    /// Finds the reason with this name, in exactly this spelling.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
