internal import MockAPNsRules

/// A problem with a push that APNs does not reject, or rejects without a helpful explanation.
///
/// To add a lint, add a case, its row, severity and source. The tests require one push that triggers it and one that does not.
/// The raw values are part of the API: `lint=<id>`, `lints[].id`, and the headings of `docs/lints.md`.
package enum Lint: String, CaseIterable, Sendable {
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

    package enum Severity: String, CaseIterable, Sendable {
        /// Rejected, without effect, or certainly unintended.
        case error
        /// Works, but is probably unintended.
        case warning
        /// Works, but is worth knowing.
        case info
    }

    /// A class because every push reads all rows, and a struct with this many strings is slow to copy.
    package final class Row: Sendable {
        package let meaning: String
        package let why: String
        /// How to fix it, unless the finding has a more specific fix.
        package let fix: String
        /// Checks a single push; `nil` for a lint that `LintMemory` checks with the pushes before it.
        let look: (@Sendable (LintedPush, inout LintNotes) -> Void)?

        init(
            _ meaning: String,
            why: String,
            fix: String,
            _ look: (@Sendable (LintedPush, inout LintNotes) -> Void)? = nil
        ) {
            (self.meaning, self.why, self.fix) = (meaning, why, fix)
            self.look = look
        }
    }

    package static let all = Set(allCases)
    static let ofOnePush = allCases.filter { !$0.looksAtHistory }

    package var id: String { rawValue }

    /// The path of the lint's documentation, relative to the API's base URL.
    package var learn: String { "/docs/lints#\(id)" }

    package var looksAtHistory: Bool { row.look == nil }
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
