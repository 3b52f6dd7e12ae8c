internal import MockAPNsRules

/// Something odd about a push that APNs does not refuse, or refuses in words too short to help.
///
/// To add one: add a case and its row; the tests ask for a push that it is found in and one that it is not.
/// The raw values are part of the API: `lint=<id>`, `lints[].id`, and the headings of `docs/lints.md`.
public enum Lint: String, CaseIterable, Sendable {
    case pushTypeMissing = "push-type-missing"
    case pushTypeTopicSuffix = "push-type-topic-suffix"
    case priority10Background = "priority-10-background"
    case expirationMilliseconds = "expiration-milliseconds"
    case expirationInPast = "expiration-in-past"
    case collapseIDLong = "collapse-id-long"
    case apnsIDNotUUID = "apns-id-not-uuid"
    case tokenUppercaseOrSpaces = "token-uppercase-or-spaces"
    case issuedAtNotANumber = "iat-not-a-number"
    case tokenNearExpiry = "jwt-near-expiry"
    case nonUTF8 = "non-utf8"
    case payloadNotJSON = "payload-not-json"
    case payloadNearLimit = "payload-near-limit"
    case apsMissing = "aps-missing"
    case apsUnknownKey = "aps-unknown-key"
    case customKeyInsideAPS = "custom-key-inside-aps"
    case backgroundWithAlert = "background-with-alert"
    case backgroundWithoutContentAvailable = "background-without-content-available"
    case alertWithoutText = "alert-without-text"
    case contentAvailableInAlert = "content-available-in-alert"
    case mutableContentWithoutAlert = "mutable-content-without-alert"
    case badgeNotInteger = "badge-not-integer"
    case soundShape = "sound-shape"
    case interruptionLevelUnknown = "interruption-level-unknown"
    case relevanceScoreRange = "relevance-score-range"
    case locArgsNotArray = "loc-args-not-array"
    case liveActivityShape = "liveactivity-shape"
    case apnsIDReused = "apns-id-reused"
    case samePushTwice = "same-push-twice"
    case pushToDeadToken = "push-to-dead-token"
    case retryTooFastAfter429 = "retry-too-fast-after-429"
    case retryTooFastAfter503 = "retry-too-fast-after-503"
    case tokenRefreshedTooOften = "jwt-refreshed-too-often"
    case connectionPerPush = "connection-per-push"
    case manyConnections = "many-connections"

    /// How bad a finding is.
    public enum Severity: String, CaseIterable, Sendable {
        /// Refused, without effect, or certainly not what was meant.
        case error
        /// Works, and is probably not what was meant.
        case warning
        /// Works, and is worth knowing.
        case info
    }

    /// What has to be looked at to find it.
    enum Scope: Sendable {
        /// One push alone.
        case push(@Sendable (LintedPush, inout LintNotes) -> Void)
        /// What came before it; `LintMemory` finds these.
        case history
    }

    /// What is known of one lint.
    ///
    /// A class: every push asks for all rows, and a structure of so many texts is slow to copy.
    public final class Row: Sendable {
        /// How bad a finding is.
        public let severity: Severity
        /// What a finding says of the push.
        public let meaning: String
        /// What comes of it.
        public let why: String
        /// What to do about it, unless the finding knows better.
        public let fix: String
        /// Where it is from, and how sure it is: documented, observed or inferred.
        public let source: String
        let scope: Scope

        init(
            _ severity: Severity,
            _ meaning: String,
            why: String,
            fix: String,
            source: String,
            _ scope: Scope
        ) {
            self.severity = severity
            self.meaning = meaning
            self.why = why
            self.fix = fix
            self.source = source
            self.scope = scope
        }
    }

    /// Every lint.
    package static let all = Set(allCases)
    /// Those that look at one push alone, in their order.
    static let ofOnePush = allCases.filter { !$0.looksAtHistory }

    /// The stable name.
    public var id: String { rawValue }

    /// Where the documents speak of it, from the address of the API.
    public var learn: String { "/docs/lints#\(id)" }

    /// Whether it takes the pushes before to find it.
    public var looksAtHistory: Bool {
        if case .history = row.scope { return true }
        return false
    }
}
