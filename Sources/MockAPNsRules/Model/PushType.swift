/// The value of `apns-push-type`.
///
/// To add one: add a case and its row. Source: Apple, "Sending notification requests to APNs" (documented), and for
/// `accessory` "Responding to forwarded notifications" of AccessoryNotifications (documented).
public enum PushType: UInt8, CaseIterable, Sendable {
    case accessory
    case alert
    case background
    case complication
    case controls
    case fileprovider
    case liveactivity
    case location
    case mdm
    case pushtotalk
    case voip
    case widgets

    /// The properties of a push type.
    public struct Row: Sendable {
        /// The header's value.
        public let name: StaticString
        /// The suffix of the topic after the bundle identifier; empty if there is none.
        public var topicSuffix: StaticString = ""
        /// The maximum body size in bytes.
        public var payloadLimit = 4_096
        /// Whether `apns-priority: 10` is an error.
        public var refusesImmediate = false
        /// Whether it requires permission to show notifications (documented for alerts; inferred: for no
        /// other type).
        public var needsPermission = false
        /// Whether a client certificate cannot send it, only a provider token.
        public var needsProviderToken = false
    }

    /// The properties of this push type; the switch is exhaustive, so a case without a row does not compile.
    public var row: Row {
        switch self {
        // Documented: type and topic. Inferred: size and provider token, by analogy with controls and widgets.
        case .accessory: Row(name: "accessory", topicSuffix: ".push-type.accessory", needsProviderToken: true)
        case .alert: Row(name: "alert", needsPermission: true)
        case .background: Row(name: "background", refusesImmediate: true)
        case .complication: Row(name: "complication", topicSuffix: ".complication")
        // Inferred for controls, Push to Talk and widgets: Apple describes no certificate with these topics.
        case .controls: Row(name: "controls", topicSuffix: ".push-type.controls", needsProviderToken: true)
        // Documented: fileprovider/using-push-notifications-to-signal-changes.
        case .fileprovider: Row(name: "fileprovider", topicSuffix: ".pushkit.fileprovider", needsProviderToken: true)
        // Apple's staff: https://developer.apple.com/forums/thread/712499.
        case .liveactivity: Row(name: "liveactivity", topicSuffix: ".push-type.liveactivity", needsProviderToken: true)
        // Documented.
        case .location: Row(name: "location", topicSuffix: ".location-query", needsProviderToken: true)
        case .mdm: Row(name: "mdm")
        case .pushtotalk: Row(name: "pushtotalk", topicSuffix: ".voip-ptt", needsProviderToken: true)
        case .voip: Row(name: "voip", topicSuffix: ".voip", payloadLimit: 5_120)
        case .widgets: Row(name: "widgets", topicSuffix: ".push-type.widgets", needsProviderToken: true)
        }
    }

    /// The body size that every push type allows, in bytes.
    static let smallestPayload = allCases.map(\.row.payloadLimit).min() ?? 0

    /// The maximum body size of all push types, in bytes.
    public static let largestPayload = allCases.map(\.row.payloadLimit).max() ?? 0

    /// The size in bytes up to which a body is kept, even if it is too large to be accepted.
    ///
    /// With `\u` escapes, a text has up to three times the bytes that it has as UTF-8; a hint can then tell the latter.
    public static let largestKept = 3 * largestPayload

    /// The header's value.
    public var name: String { row.name.description }

    /// Parses the header's value: exact, in lower case (the behavior of `/3/device` for letter case is
    /// inferred).
    public init?(_ value: ByteSpan) {
        switch value.count {
        case 3: self = .mdm
        case 4: self = .voip
        case 5: self = .alert
        case 7: self = .widgets
        case 8: self = value[0] == UInt8(ascii: "c") ? .controls : .location
        case 9: self = .accessory
        case 10: self = value[0] == UInt8(ascii: "b") ? .background : .pushtotalk
        case 12:
            self =
                value[0] == UInt8(ascii: "c")
                ? .complication : value[0] == UInt8(ascii: "f") ? .fileprovider : .liveactivity
        default: return nil
        }
        guard value.equals(row.name) else { return nil }
    }

    /// The push types with a topic suffix; computed once, because every push is compared with them.
    private static let suffixes = allCases.map { type in
        let suffix = type.row.topicSuffix
        return (type: type, suffix: suffix, ending: ByteSpan(suffix).ending)
    }.filter { $0.suffix.utf8CodeUnitCount > 0 }

    /// Returns the push type whose suffix ends `topic`; `nil` if there is none.
    static func suffixed(_ topic: ByteSpan) -> PushType? {
        let ending = topic.ending
        return suffixes.first { $0.ending == ending && topic.hasSuffix($0.suffix) }?.type
    }
}
