/// Every reason with which this server can reject a push, with Apple's spelling.
///
/// To add one, add a case; the compiler then requires its row in `Reason+Rows.swift`. Source: Apple,
/// "Handling notification responses from APNs" (documented), unless a row says otherwise.
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

    case badCertificate
    case badCertificateEnvironment
    case badEnvironmentKeyInToken
    case badEnvironmentKeyIDInToken
    case expiredProviderToken
    case forbidden
    case invalidProviderToken
    case missingProviderToken
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

    /// The properties of a reason.
    public struct Row: Sendable {
        /// The `reason` string of the response.
        public let name: StaticString
        /// The HTTP status of the response.
        public let status: UInt16
        /// Distinguishes reasons of one status in an answer token (see `AnswerToken`); 0 is the default
        /// reason.
        public let variant: UInt8
        /// When the service returns this reason.
        public let meaning: StaticString
        /// How to fix it in the provider.
        public let hint: StaticString
    }

    /// The HTTP status of a response with this reason.
    public var status: UInt16 { row.status }

    /// The `reason` string of the response.
    public var name: String { row.name.description }

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
