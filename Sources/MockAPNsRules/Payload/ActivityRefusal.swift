/// Why a device ignores a push to a Live Activity, although APNs accepts it.
///
/// Documented in Apple's "Starting and updating Live Activities with ActivityKit push notifications" unless a row says
/// otherwise. To add one, add a case at the end and its row.
public enum ActivityRefusal: UInt8, CaseIterable, Error, Sendable {
    case noAPS
    case unknownEvent
    case broadcastStart
    case timestampMissing
    case timestampUnit
    case timestampPast
    case timestampAhead
    case timestampStale
    case contentStateMissing
    case contentStateForm
    case attributesTypeMissing
    case attributesMissing
    case alertMissing
    case alertForm
    case alertWithoutText
    case channelForm
    case unknownChannel
    case pushToStartToken
    case updateToken
    case activityEnded
    case tooLarge
    case systemWithoutStart
    case systemWithoutChannels
    case tooManyActivities
    case schemaMismatch

    /// The name in the API, and what was seen and expected; the switch is exhaustive, so a case without a row does not
    /// compile.
    public var row: (code: StaticString, text: StaticString) {
        switch self {
        case .noAPS: ("no-aps", "The payload has no aps object; a Live Activity reads everything from it.")
        case .unknownEvent: ("unknown-event", "The event is missing or unknown; expected start, update or end.")
        case .broadcastStart:
            (
                "broadcast-start",
                "A broadcast has event start; expected update or end. Start an activity with its push-to-start token."
            )
        case .timestampMissing:
            ("missing-timestamp", "The timestamp is missing or not a number; expected UNIX seconds.")
        case .timestampUnit: ("timestamp-unit", "The timestamp is not in UNIX seconds; expected seconds since 1970.")
        // Staff (https://developer.apple.com/forums/thread/776165), also for the next one.
        case .timestampPast:
            ("past-timestamp", "The timestamp of the update is in the past; expected the time of sending.")
        case .timestampAhead:
            (
                "future-timestamp",
                "The timestamp of the update is more than 8 hours ahead; expected the time of sending."
            )
        // Documented: activitykit/activity/update(_:alertconfiguration:timestamp:).
        case .timestampStale:
            (
                "stale-timestamp",
                "The timestamp is older than that of an earlier push to the activity; expected a later one."
            )
        case .contentStateMissing: ("missing-content-state", "There is no content-state; expected an object.")
        case .contentStateForm: ("content-state-form", "content-state is not an object; expected the new state.")
        case .attributesTypeMissing:
            (
                "missing-attributes-type",
                "attributes-type is missing or empty; expected the name of the ActivityAttributes structure."
            )
        case .attributesMissing: ("missing-attributes", "attributes is missing or not an object; start needs it.")
        case .alertMissing: ("missing-alert", "There is no alert; start needs one with a title and a body.")
        case .alertForm: ("alert-form", "The alert is not an object; start needs one with a title and a body.")
        case .alertWithoutText: ("alert-without-text", "The alert has neither a title nor a body; start needs both.")
        case .channelForm:
            ("channel-form", "input-push-channel is not the ID of a channel; expected Base64, as APNs returned it.")
        case .unknownChannel:
            ("unknown-channel", "The app has no such channel; create it before the start that names it.")
        case .pushToStartToken:
            (
                "push-to-start-token",
                "The token is a push-to-start token, which only starts activities; expected an activity's update token."
            )
        case .updateToken:
            (
                "update-token",
                "The token is the update token of an activity; expected the app's push-to-start token for start."
            )
        case .activityEnded: ("activity-ended", "The activity has ended; nothing changes it any more.")
        // Documented: activitykit/displaying-live-data-with-live-activities.
        case .tooLarge:
            (
                "activity-too-large",
                "attributes and content-state have more than 4,096 bytes together, which an activity cannot hold."
            )
        case .systemWithoutStart:
            ("os-without-start", "The device's iOS cannot start activities by push; expected 17.2 or later.")
        case .systemWithoutChannels:
            (
                "os-without-channels",
                "The device's iOS does not know input-push-channel and starts nothing; expected 18.0 or later."
            )
        // Claimed (pushward.app); Apple names no number.
        case .tooManyActivities:
            ("too-many-activities", "The app has 5 activities on the device; end one before the next start.")
        case .schemaMismatch:
            ("schema-mismatch", "The push does not fit the schema that the app has given for the activity.")
        }
    }

    /// The name in the API.
    public var code: String { row.code.description }

    /// What was seen and what was expected, as a sentence.
    public var text: String { row.text.description }

    private static let coded = Dictionary(uniqueKeysWithValues: allCases.map { ($0.code, $0) })

    /// Finds the refusal with a name.
    public init?(code: String) {
        guard let refusal = Self.coded[code] else { return nil }
        self = refusal
    }
}
