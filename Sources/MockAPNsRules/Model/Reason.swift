/// Every reason this server can give for refusing a push, with Apple's spelling.
///
/// To add one: add a case, and the compiler asks for its row in `Reason+Rows.swift`.
/// Source of the table: Apple, "Handling notification responses from APNs" (documented), except where a row
/// says otherwise.
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

    /// What is known of one reason.
    public struct Row: Sendable {
        /// The `reason` string as it stands on the wire.
        public let name: StaticString
        /// The HTTP status that carries the reason.
        public let status: UInt16
        /// Tells reasons of one status apart in an answer token (see `AnswerToken`); 0 is the status's own.
        public let variant: UInt8
        /// When the service gives this reason.
        public let meaning: StaticString
        /// What the provider should do about it.
        public let hint: StaticString
    }

    /// The HTTP status that carries this reason.
    public var status: UInt16 { row.status }

    /// The `reason` string as it stands on the wire.
    public var name: String { row.name.description }

    /// How much an answer with this reason counts towards ending the connection for too many errors.
    ///
    /// Documented: BadDeviceToken counts more than others, and a 410 does not count. By how much is inferred.
    public var errorWeight: Int { self == .badDeviceToken ? 2 : status == 410 ? 0 : 1 }

    /// Whether a body with this reason carries the time at which the device token died.
    ///
    /// Documented for status 410 alone.
    public var carriesTimestamp: Bool { status == 410 }

    /// Finds the reason with this wire name, in exactly this spelling.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
