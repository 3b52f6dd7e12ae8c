package import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// The notification's app, as it was described; otherwise, it is derived from the topic.
package struct PreviewedApp {
    static let endings = ["ios", "watchkitapp", "clip", "debug", "dev", "staging", "beta"]

    /// The bundle identifier, which is the topic without the push type's suffix.
    package let bundleID: String
    /// The display name: the last meaningful part of the bundle identifier, with each word capitalized.
    package let name: String
    /// The icon as a PNG file, if it was described.
    package let icon: [UInt8]?
    /// Whether both were described.
    package let isDescribed: Bool

    package init(topic: String?, apps: AppDescriptions? = nil) {
        bundleID = Topic.bundleID(of: topic ?? "")
        let description = apps?[bundleID]
        icon = description?.icon
        isDescribed = description?.name != nil && icon != nil
        if let name = description?.name {
            self.name = name
            return
        }
        let parts = bundleID.split(separator: ".").map(String.init)
        let last = parts.last { !Self.endings.contains($0.lowercased()) } ?? parts.last ?? ""
        let words = last.split { "-_ ".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        name = words.isEmpty ? "Unknown App" : String(words.joined(separator: " ").prefix(40))
    }

    package var letter: String { String(name.prefix(1)) }

    /// The colors of the icon's gradient, which are always the same for the same app.
    package var colors: (top: String, bottom: String) {
        // FNV-1a, because Swift seeds its hashes differently in each process.
        let hash = bundleID.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Self.palette[Int(hash % UInt32(Self.palette.count))]
    }

    private static let palette: [(top: String, bottom: String)] = [
        ("#5ac8fa", "#0a7aff"), ("#ff9f6b", "#ff3b30"), ("#7ee787", "#1f9d4c"), ("#c79bff", "#7d3ff8"),
        ("#ffd76a", "#ff9500"), ("#ff8fb8", "#e0245e"), ("#6fe3d6", "#0d9488"), ("#9fb4ff", "#4254e8"),
        ("#b7c0cc", "#566273"), ("#f0a6ff", "#b02fd6"), ("#8ddcff", "#0891b2"), ("#d4e157", "#7b9a10"),
    ]
}

package struct PreviewOutcome {
    package let isDelivered: Bool
    package let allowsNotifications: Bool
    /// The label above a notification that was refused, is waiting or was not delivered; otherwise `nil`.
    package let label: String?
    package let note: String?

    init(_ record: PushRecord) {
        let state = record.delivery?.state
        isDelivered = state == .delivered || state == .deliveredFromStorage
        allowsNotifications = state != .discardedDisabled && record.delivery?.allowsNotifications != false
        (label, note) =
            switch state {
            case _ where record.answer.status != 200: ("REFUSED", Self.refusal(record))
            case .delivered?, .deliveredFromStorage?: (nil, nil)
            case .published?: (nil, record.delivery?.fanOut.map(Self.sentence))
            case .storedDeviceOffline?, .storedPowerConsiderations?: ("WAITING", "It waits for the device.")
            case .discardedDisabled?:
                ("NOT DELIVERED", "The user has turned notifications off for the app: it is not shown.")
            case _?: ("NOT DELIVERED", "\(record.delivery?.status?.description ?? "Not delivered"): no device has it.")
            case nil where record.service == .channels: (nil, nil)
            case nil: (nil, "It was not delivered to any device of this server.")
            }
    }

    private static func sentence(_ fanOut: FanOut) -> String {
        let subscribers = counted(fanOut.subscribers, "subscriber", "subscribers")
        return "It has reached \(fanOut.delivered) of \(subscribers) of its channel."
    }

    private static func refusal(_ record: PushRecord) -> String {
        let status = record.answer.status == 0 ? "without an answer" : "with \(record.answer.status)"
        let reason = record.verdict.reason.map { " \($0.name)" } ?? ""
        return "Refused \(status)\(reason): no device gets it."
    }
}

/// Documented: a number sets the badge, 0 removes it, and without the key the badge is unchanged
/// (generating-a-remote-notification).
package struct PreviewBadge {
    package enum Effect: String, CaseIterable {
        case unchanged
        case sets
        case clears
        /// The value is not a valid badge number.
        case ignored
    }

    package let effect: Effect
    package private(set) var number: Int64?
    package let meaning: String
    /// The effect's name on a chip.
    let chip: String?

    init(_ badge: PayloadBadge) {
        switch badge {
        case .unchanged: (effect, chip, meaning) = (.unchanged, nil, "The badge does not change.")
        case .shows(0): (effect, number, chip, meaning) = (.clears, 0, "cleared", "The badge is removed.")
        case .shows(let shown):
            (effect, number, chip, meaning) = (.sets, shown, "\(shown)", "The badge shows \(shown).")
        case .ignored(let other):
            (effect, chip) = (.ignored, "ignored")
            meaning = "badge is \(other.words), not a whole number of at least 0; it is ignored."
        }
    }
}

/// What a push plays, in words.
package struct PreviewSound {
    package typealias Kind = PayloadSound.Kind

    private let sound: PayloadSound

    init(_ sound: PayloadSound) { self.sound = sound }

    package var kind: Kind { sound.kind }
    package var name: String? { sound.name }
    package var volume: Double? { sound.volume }

    package var meaning: String {
        switch kind {
        case .none: "No sound."
        case .default: "The system's sound."
        case .named: "The app's sound \(JSONValue.shortened(name ?? "")), or the system's if the app has none."
        case .critical:
            "Played whatever the mute switch says" + (volume.map { ", at \(Int(($0 * 100).rounded())) %" } ?? "")
                + ", if the app has Apple's entitlement."
        case .ignored: "sound has an invalid type or value; it is ignored."
        }
    }
}

/// A critical sound does not make the notification critical, and a missing or unknown level is `active` (inferred).
extension InterruptionLevel {
    package var row: (meaning: String, label: String?) {
        switch self {
        case .passive: ("It goes to the list; the screen stays dark, and there is no sound.", nil)
        case .active: ("The screen lights up, and the sound may play.", nil)
        case .timeSensitive:
            ("As active, and it breaks through Focus and the summary, if the app may.", "TIME SENSITIVE")
        case .critical: ("It breaks through Focus and the mute switch, if the app has Apple's entitlement.", "CRITICAL")
        }
    }
}

/// A push's Live Activity values, shown as raw state because the views are defined in the app.
package struct LiveActivityPreview {
    typealias Entry = (name: String, value: String)

    let reading: PayloadReading
    /// Why the device ignored the push; `nil` if it did not, or has not got it.
    let refusal: ActivityRefusal?

    /// The event: `start`, `update`, `end` or any other string in the payload; `nil` if it is not a string.
    package var event: String? { reading.aps?["event"]?.string }

    /// A member of `aps`, or null.
    package subscript(_ name: String) -> JSONValue { reading.aps?[name] ?? .null }

    /// Why no Live Activity takes the push, as the device said or as the payload says.
    private var reason: ActivityRefusal? { refusal ?? reading.activity?.refusal }

    package var isIgnored: Bool { reason != nil || reading.activity == nil }

    package var headline: String {
        if isIgnored { return "No Live Activity changes" }
        return switch reading.activity?.event {
        case .start?: "A Live Activity starts"
        case .update?: "A Live Activity is updated"
        case .end?: "A Live Activity ends"
        case nil: "No Live Activity changes"
        }
    }

    /// What the push did to a Live Activity, in one word for its card.
    var word: String {
        switch reading.activity?.event {
        case .start?: "Started"
        case .update?: "Updated"
        case .end?: "Ended"
        case nil: event ?? "no event"
        }
    }

    /// The dates of the push, by the names of their members; those that are no UNIX seconds of the calendar are left out.
    package func date(_ name: String) -> Timestamp? {
        self[name].double.flatMap { seconds in
            (0...Timestamp.lastWritableSecond).contains(seconds)
                ? Timestamp(microseconds: Int64(seconds * 1_000_000)) : nil
        }
    }

    package var meaning: String {
        if let reason { return "The device ignores the push. \(reason.text)" }
        guard let activity = reading.activity, let event = activity.event else {
            return "Unknown event: expected start, update or end."
        }
        return switch event {
        case .start: "A new Live Activity begins."
        case .update: "The Live Activity shows a new state."
        case .end where activity.isDismissedAtOnce: "The Live Activity ends, and is removed at once."
        case .end: "The Live Activity ends, and stays for up to four hours unless dismissal-date says otherwise."
        }
    }

    /// Nested objects are flattened to dotted names, up to two levels deep.
    var entries: [Entry] { Self.entries(of: self["content-state"], below: "", depth: 2) }

    private static func entries(of value: JSONValue, below way: String, depth: Int) -> [Entry] {
        value.sortedMembers.flatMap { name, value -> [Entry] in
            let name = way.isEmpty ? name : "\(way).\(name)"
            if depth > 0, !value.sortedMembers.isEmpty { return entries(of: value, below: name, depth: depth - 1) }
            return [(name, value.string ?? String(decoding: value.text, as: UTF8.self))]
        }
    }
}

/// What a device does with a push, as far as a preview can show it.
package enum PreviewKind: String, CaseIterable {
    case alert
    case quiet
    case nothing
    case silent
    case unheard
    case voip
    case pushToTalk = "push-to-talk"
    case serviceUpdate = "service-update"
    case liveActivity = "live-activity"
    case widgets
    case controls
    case accessory
    case complication
    case location
    case fileProvider = "file-provider"
    case mdm
    case wallet
    /// A push that the device ignores, although it is JSON.
    case ignored
    case broken
    /// A request to manage channels.
    case channels
    case unknown

    package var row: (headline: String, sentence: String) {
        switch self {
        case .alert: ("An alert", "Shown to the user.")
        case .quiet: ("No banner", "The payload has no text, only a badge or a sound.")
        case .nothing: ("Nothing is shown", "The payload has no text, badge or sound that iOS reads.")
        case .silent: ("No UI: the app is woken", "A background push shows nothing by itself.")
        case .unheard: ("No UI, and no app is woken", "\"content-available\": 1 is missing.")
        case .voip: ("Incoming call", "The app reports it to CallKit, which shows the call screen.")
        case .pushToTalk: ("No notification: someone is speaking", "The app names the speaker; the system shows it.")
        case .serviceUpdate: ("No UI: a service update for the app", "It is of Push to Talk, and names no speaker.")
        case .liveActivity: ("A Live Activity", "The app's own views show its state.")
        case .widgets: ("No UI: widgets are reloaded", "The app is not called.")
        case .controls: ("No UI: controls are reloaded", "The app is not called.")
        case .accessory:
            ("No UI: the accessory's data is handed over", "The system decrypts it for the app's extension.")
        case .complication: ("No UI: the app updates its complication", "The complication is on the watch face.")
        case .location: ("No UI: the location extension runs", "It may be asked for the device's location.")
        case .fileProvider: ("No UI: the File Provider extension runs", "It tells the system what changed.")
        case .mdm: ("No UI: the device contacts its MDM server", "No app is notified.")
        case .wallet: ("No UI: Wallet updates the pass", "The pass itself says what the user sees.")
        case .ignored: ("Nothing is shown", "The device ignores the push, as its warnings say.")
        case .broken: ("Never shown", "The body is not a JSON object: APNs responds 200, and the device shows nothing.")
        case .channels: ("Not a push", "The request manages channels: no device gets anything.")
        case .unknown: ("Unknown", "The body was too large to keep.")
        }
    }

    static func of(_ facts: PushFacts, _ traits: Reaction.Traits) -> PreviewKind {
        guard facts.record.service != .channels else { return .channels }
        guard facts.hasBody else { return .unknown }
        guard case .object? = facts.payload else { return .broken }
        if traits.contains(.wallet) { return .wallet }
        if traits.contains(.website) {
            return traits.contains(.ignored) ? .ignored : traits.contains(.alert) ? .alert : .nothing
        }
        return switch facts.deliveredType {
        case .alert where traits.contains(.alert): .alert
        case .alert: traits.isDisjoint(with: [.badge, .sound]) ? .nothing : .quiet
        case .background: traits.contains(.contentAvailable) ? .silent : .unheard
        case .voip: .voip
        case .pushtotalk: traits.contains(.serviceUpdate) ? .serviceUpdate : .pushToTalk
        case .liveactivity: .liveActivity
        case _ where traits.contains(.ignored): .ignored
        case .widgets: .widgets
        case .controls: .controls
        case .accessory: .accessory
        case .complication: .complication
        case .location: .location
        case .fileprovider: .fileProvider
        case .mdm: .mdm
        }
    }
}
