/// A problem with a push that APNs does not reject, or rejects without a helpful explanation.
///
/// To add a lint, add a case; every switch then asks for its part. The tests require one push that triggers it and one
/// that does not. The raw values are part of the API: `lint=<id>`, `lints[].id`, and the headings of
/// `docs/lints.md`.
package enum Lint: String, CaseIterable, Sendable {
    case pushTypeMissing = "push-type-missing"
    case pushTypeTopicSuffix = "push-type-topic-suffix"
    case topicUnlikely = "topic-unlikely"
    case priority10Background = "priority-10-background"
    case expirationMilliseconds = "expiration-milliseconds"
    case expirationInPast = "expiration-in-past"
    case collapseIDLong = "collapse-id-long"
    case apnsIDNotUUID = "apns-id-not-uuid"
    case tokenUppercaseOrSpaces = "token-uppercase-or-spaces"
    case issuedAtNotANumber = "iat-not-a-number"
    case tokenNotBase64URL = "jwt-not-base64url"
    case tokenNearExpiry = "jwt-near-expiry"
    case tokenWithCertificate = "jwt-with-certificate"
    case headerMisspelt = "header-misspelt"
    case nonUTF8 = "non-utf8"
    case payloadNotJSON = "payload-not-json"
    case payloadNearLimit = "payload-near-limit"
    case duplicateKey = "duplicate-key"
    case nullMember = "null-member"
    case loneSurrogate = "lone-surrogate"
    case foreignShape = "foreign-shape"
    case apsMissing = "aps-missing"
    case apsKeyOutside = "aps-key-outside"
    case apsUnknownKey = "aps-unknown-key"
    case customKeyInsideAPS = "custom-key-inside-aps"
    case backgroundWithAlert = "background-with-alert"
    case backgroundWithoutContentAvailable = "background-without-content-available"
    case alertWithoutText = "alert-without-text"
    case contentAvailableInAlert = "content-available-in-alert"
    case mutableContentWithoutAlert = "mutable-content-without-alert"
    case badgeNotInteger = "badge-not-integer"
    case memberType = "member-type"
    case soundShape = "sound-shape"
    case soundFile = "sound-file"
    case interruptionLevelUnknown = "interruption-level-unknown"
    case relevanceScoreRange = "relevance-score-range"
    case locArgsNotArray = "loc-args-not-array"
    case accessoryShape = "accessory-shape"
    case payloadShape = "payload-shape"
    case liveActivityShape = "liveactivity-shape"
    case liveActivityAlert = "liveactivity-alert"
    case liveActivityDate = "liveactivity-date"
    case liveActivityMember = "liveactivity-member"
    case liveActivityLarge = "liveactivity-large"
    case specialTopic = "special-topic"
    case appSchema = "app-schema"
    case productionOnly = "production-only"
    case expirationOfKind = "expiration-of-kind"
    case serviceExtension = "service-extension"
    case apnsIDReused = "apns-id-reused"
    case samePushTwice = "same-push-twice"
    case pushToDeadToken = "push-to-dead-token"
    case retryTooFastAfter429 = "retry-too-fast-after-429"
    case retryTooFastAfter503 = "retry-too-fast-after-503"
    case tokenRefreshedTooOften = "jwt-refreshed-too-often"
    case budgetExceeded = "budget-exceeded"
    case connectionPerPush = "connection-per-push"
    case manyConnections = "many-connections"

    package enum Severity: String, CaseIterable, Sendable {
        /// Rejected, without effect, or certainly unintended.
        case error
        /// Works, but is probably unintended.
        case warning
        /// Works, but is worth knowing.
        case info
    }

    package static let all = Set(allCases)
    /// The errors and warnings about a push itself, without notes.
    static let notable = all.filter { worst(of: [$0]) != nil }
    static let ofOnePush = allCases.filter { !$0.looksAtHistory }

    package var id: String { rawValue }

    /// The path of the lint's documentation, relative to the API's base URL.
    package var learn: String { "/docs/lints#\(id)" }

    package var looksAtHistory: Bool { look == nil }

    /// Whether it can be found before the response, when faults look at a push.
    ///
    /// The schemas of apps are not looked up for every push that arrives.
    var isKnownOnArrival: Bool { !looksAtHistory && self != .appSchema }

    /// Whether it is about the connection of a push, which is then where people are told.
    package var isOfConnection: Bool {
        switch self {
        case .tokenRefreshedTooOften, .connectionPerPush, .manyConnections: true
        default: false
        }
    }

    /// The most severe of these lints, if it is worth attention among many pushes: an error or a warning about the
    /// push itself.
    package static func worst(of lints: [Lint]) -> Lint? {
        let own = lints.filter { !$0.isOfConnection }
        return own.first { $0.severity == .error } ?? own.first { $0.severity == .warning }
    }

    /// Checks a single push; `nil` for a lint that `LintMemory` checks with the pushes before it.
    var look: ((Candidate, inout LintNotes) -> Void)? {
        switch self {
        case .pushTypeMissing: HeaderLints.pushTypeMissing
        case .pushTypeTopicSuffix: HeaderLints.topicSuffix
        case .topicUnlikely: HeaderLints.topicUnlikely
        case .priority10Background: HeaderLints.priority10Background
        case .expirationMilliseconds: HeaderLints.expirationMilliseconds
        case .expirationInPast: HeaderLints.expirationInPast
        case .collapseIDLong: HeaderLints.collapseIDLong
        case .apnsIDNotUUID: HeaderLints.apnsIDNotUUID
        case .tokenUppercaseOrSpaces: HeaderLints.token
        case .issuedAtNotANumber: HeaderLints.issuedAt
        case .tokenNotBase64URL: HeaderLints.tokenNotBase64URL
        case .tokenNearExpiry: HeaderLints.tokenNearExpiry
        case .tokenWithCertificate: HeaderLints.tokenWithCertificate
        case .headerMisspelt: HeaderSpelling.check
        case .nonUTF8: PayloadLints.nonUTF8
        case .payloadNotJSON: PayloadLints.notJSON
        case .payloadNearLimit: PayloadLints.nearLimit
        case .duplicateKey: PayloadLints.duplicateKey
        case .nullMember: PayloadLints.nullMember
        case .loneSurrogate: PayloadLints.loneSurrogate
        case .foreignShape: PayloadLints.foreignShape
        case .apsMissing: PayloadLints.apsMissing
        case .apsKeyOutside: AlertLints.outside
        case .apsUnknownKey: AlertLints.unknownKey
        case .customKeyInsideAPS: AlertLints.customKey
        case .backgroundWithAlert: AlertLints.backgroundWithAlert
        case .backgroundWithoutContentAvailable: AlertLints.backgroundWithoutContentAvailable
        case .alertWithoutText: AlertLints.withoutText
        case .contentAvailableInAlert: AlertLints.contentAvailable
        case .mutableContentWithoutAlert: AlertLints.mutableContent
        case .badgeNotInteger: PayloadLints.badge
        case .memberType: PayloadLints.memberType
        case .soundShape: PayloadLints.sound
        case .soundFile: PayloadLints.soundFile
        case .interruptionLevelUnknown: PayloadLints.interruptionLevel
        case .relevanceScoreRange: PayloadLints.relevanceScore
        case .locArgsNotArray: AlertLints.arguments
        case .accessoryShape: PayloadLints.accessory
        case .payloadShape: PayloadLints.shape
        case .liveActivityShape: LiveActivityLints.shape
        case .liveActivityAlert: LiveActivityLints.alert
        case .liveActivityDate: LiveActivityLints.dates
        case .liveActivityMember: LiveActivityLints.members
        case .liveActivityLarge: LiveActivityLints.large
        case .specialTopic: SpecialTopicLints.shape
        case .appSchema: AppSchemaLints.shape
        case .productionOnly: KindLints.productionOnly
        case .expirationOfKind: KindLints.expiration
        case .serviceExtension: KindLints.serviceExtension
        case .apnsIDReused, .samePushTwice, .pushToDeadToken, .retryTooFastAfter429, .retryTooFastAfter503,
            .tokenRefreshedTooOften, .budgetExceeded, .connectionPerPush, .manyConnections:
            nil
        }
    }
}

package struct LintFinding: Equatable, Sendable {
    package let lint: Lint
    /// The location: a JSON Pointer into the payload or `headers/<name>`.
    ///
    /// Empty for the payload as a whole. `nil` if the finding is about how the push relates to others.
    package let pointer: String?
    package let message: String
    package let fix: String

    package var severity: Lint.Severity { lint.severity }
}
