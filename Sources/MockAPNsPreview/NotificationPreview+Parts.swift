package import MockAPNsFormats
package import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// The notification's app, derived from the topic because the server has neither its name nor its icon.
package struct PreviewedApp {
    /// The bundle identifier, which is the topic without the push type's suffix.
    package let bundleID: String
    /// The display name: the last meaningful part of the bundle identifier, with each word capitalized.
    package let name: String

    private static let endings: Set<String> = [
        "ios", "watchkitapp", "clip", "debug", "dev", "staging", "beta",
    ]

    package init(topic: String?) {
        var topic = topic ?? ""
        bundleID = topic.withUTF8 { Topic(ByteSpan($0)).bundleID.text }
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

package struct PreviewOutcome: Equatable {
    package let isDelivered: Bool
    package let allowsNotifications: Bool
    /// The label above a notification that was refused, is waiting or was not delivered; otherwise `nil`.
    package let label: String?
    package let note: String?

    init(_ record: PushRecord) {
        let state = record.delivery?.state
        isDelivered = state == .delivered || state == .deliveredFromStorage
        allowsNotifications = state != .discardedDisabled && record.delivery?.allowsNotifications != false
        note = Self.note(record, state, isDelivered)
        switch state {
        case _ where record.answer.status != 200: label = "REFUSED"
        case .storedDeviceOffline?, .storedPowerConsiderations?: label = "WAITING"
        case .some where !isDelivered: label = "NOT DELIVERED"
        default: label = nil
        }
    }

    private static func note(_ record: PushRecord, _ state: DeliveryEvent?, _ isDelivered: Bool) -> String? {
        guard record.answer.status == 200 else {
            let status = record.answer.status == 0 ? "without an answer" : "with \(record.answer.status)"
            let reason = record.verdict.reason.map { " \($0.name)" } ?? ""
            return "Refused \(status)\(reason): no device gets it."
        }
        guard !isDelivered else { return nil }
        switch state {
        case .discardedDisabled?: return "The user has turned notifications off for the app: it is not shown."
        case .storedDeviceOffline?, .storedPowerConsiderations?: return "It waits for the device."
        case let state?: return "\(state.row.status?.description ?? "Not delivered"): no device has it."
        case nil: return "It was not delivered to any device of this server."
        }
    }
}

/// Documented: a number sets the badge, 0 removes it, and without the key the badge is unchanged
/// (generating-a-remote-notification).
package enum PreviewBadge: Equatable {
    case unchanged
    case sets(Int64)
    case cleared
    /// A value that is not a valid badge number.
    case ignored(JSONValue)

    package init(_ value: JSONValue?) {
        switch value {
        case nil, .null?: self = .unchanged
        case .integer(0)?: self = .cleared
        case .integer(let number)? where number > 0: self = .sets(number)
        case let other?: self = .ignored(other)
        }
    }

    /// The effect's name in the API, its name on a chip, and a sentence that describes it.
    package var row: (effect: String, chip: String?, meaning: String) {
        switch self {
        case .unchanged: ("unchanged", nil, "The badge does not change.")
        case .sets(let number): ("sets", "\(number)", "The badge shows \(number).")
        case .cleared: ("clears", "cleared", "The badge is removed.")
        case .ignored(let value):
            (
                "ignored", "ignored",
                "badge is \(value.words), not a whole number of at least 0; it is ignored."
            )
        }
    }

    package static let effects = ["unchanged", "sets", "clears", "ignored"]

    package var number: Int64? {
        switch self {
        case .sets(let number): number
        case .cleared: 0
        case .unchanged, .ignored: nil
        }
    }
}

/// Documented: a name, `default`, or, for a critical alert, an object with `critical`, `name` and `volume` from 0 to 1
/// (generating-a-remote-notification).
package struct PreviewSound: Equatable {
    package enum Kind: String, CaseIterable {
        case none
        case `default`
        case named
        case critical
        /// A value that does not name a sound.
        case ignored
    }

    package let kind: Kind
    package private(set) var name: String?
    package private(set) var volume: Double?

    package init(_ value: JSONValue?) {
        switch value {
        case nil, .null?, .string("")?: kind = .none
        case .string("default")?: (kind, name) = (.default, "default")
        case .string(let text)?: (kind, name) = (.named, text)
        case .object(let members)?:
            name = members["name"]?.string
            volume = members["volume"]?.double.map { min(max($0, 0), 1) }
            let isCritical = members["critical"]?.isOn == true
            kind = isCritical ? .critical : name == nil ? .ignored : name == "default" ? .default : .named
        default: kind = .ignored
        }
    }

    package var meaning: String {
        switch kind {
        case .none: "No sound."
        case .default: "The system's sound."
        case .named:
            "The app's sound \(JSONValue.shortened(name ?? "")), or the system's if the app has none."
        case .critical:
            "Played whatever the mute switch says"
                + (volume.map { ", at \(Int(($0 * 100).rounded())) %" } ?? "")
                + ", if the app has Apple's entitlement."
        case .ignored: "sound has an invalid type or value; it is ignored."
        }
    }
}

/// Documented: https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel.
package enum InterruptionLevel: String, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical

    package var row: (meaning: String, label: String?) {
        switch self {
        case .passive: ("It goes to the list; the screen stays dark, and there is no sound.", nil)
        case .active: ("The screen lights up, and the sound may play.", nil)
        case .timeSensitive:
            ("As active, and it breaks through Focus and the summary, if the app may.", "TIME SENSITIVE")
        case .critical:
            ("It breaks through Focus and the mute switch, if the app has Apple's entitlement.", "CRITICAL")
        }
    }

    /// Reads the level from a payload, with `active` as the default for a missing or unknown level (inferred).
    ///
    /// A critical sound does not make the notification critical (inferred).
    package init(aps: JSONValue?) {
        self = aps?["interruption-level"]?.string.flatMap { InterruptionLevel(rawValue: $0) } ?? .active
    }
}

/// A push's Live Activity values, shown as raw state because the views are defined in the app.
package struct LiveActivityPreview {
    package struct Entry {
        package let name: String
        package let value: String
    }

    /// The event: `start`, `update`, `end` or any other string in the payload; `nil` if it is not a string.
    package let event: String?
    private let aps: JSONValue?

    package init(aps: JSONValue?) {
        self.aps = aps
        event = aps?["event"]?.string
    }

    /// A member of `aps`, or null.
    package subscript(_ name: String) -> JSONValue { aps?[name] ?? .null }

    package var meaning: String {
        switch event {
        case "start": "A new Live Activity begins."
        case "update": "The Live Activity shows a new state."
        case "end":
            "The Live Activity ends, and stays for up to four hours unless dismissal-date says otherwise."
        default: "Unknown event: expected start, update or end."
        }
    }

    /// Nested objects are flattened to dotted names, up to two levels deep.
    package var entries: [Entry] { Self.entries(of: self["content-state"], below: "", depth: 2) }

    private static func entries(of value: JSONValue, below way: String, depth: Int) -> [Entry] {
        value.sortedMembers.flatMap { name, value -> [Entry] in
            let name = way.isEmpty ? name : "\(way).\(name)"
            if case .object(let members) = value, depth > 0, !members.isEmpty {
                return entries(of: value, below: name, depth: depth - 1)
            }
            return [Entry(name: name, value: value.string ?? String(decoding: value.text, as: UTF8.self))]
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
    case liveActivity = "live-activity"
    case widgets
    case controls
    case complication
    case location
    case fileProvider = "file-provider"
    case mdm
    case broken
    case unknown

    package var row: (headline: String, sentence: String) {
        switch self {
        case .alert: ("An alert", "Shown to the user.")
        case .quiet: ("No banner", "The payload has no text, only a badge or a sound.")
        case .nothing: ("Nothing is shown", "The payload has no alert, badge or sound.")
        case .silent: ("No UI: the app is woken", "A background push shows nothing by itself.")
        case .unheard: ("No UI, and no app is woken", "\"content-available\": 1 is missing.")
        case .voip: ("No notification: a call", "The app reports it to CallKit, which shows the call screen.")
        case .pushToTalk:
            ("No notification: someone is speaking", "The app names the speaker; the system shows it.")
        case .liveActivity: ("A Live Activity", "The app's own views show its state.")
        case .widgets: ("No UI: widgets are reloaded", "The app is not called.")
        case .controls: ("No UI: controls are reloaded", "The app is not called.")
        case .complication:
            ("No UI: the app updates its complication", "The complication is on the watch face.")
        case .location: ("No UI: the location extension runs", "It may be asked for the device's location.")
        case .fileProvider: ("No UI: the File Provider extension runs", "It tells the system what changed.")
        case .mdm: ("No UI: the device contacts its MDM server", "No app is notified.")
        case .broken:
            ("Never shown", "The body is not a JSON object: APNs responds 200, and the device shows nothing.")
        case .unknown: ("Unknown", "The body was too large to keep.")
        }
    }

    package static func of(_ type: PushType, _ facts: PushFacts, _ traits: Reaction.Traits) -> PreviewKind {
        guard facts.hasBody else { return .unknown }
        guard case .object? = facts.payload else { return .broken }
        switch type {
        case .alert:
            if traits.contains(.alert) { return .alert }
            return traits.isDisjoint(with: [.badge, .sound]) ? .nothing : .quiet
        case .background: return traits.contains(.contentAvailable) ? .silent : .unheard
        case .voip: return .voip
        case .pushtotalk: return .pushToTalk
        case .liveactivity: return .liveActivity
        case .widgets: return .widgets
        case .controls: return .controls
        case .complication: return .complication
        case .location: return .location
        case .fileprovider: return .fileProvider
        case .mdm: return .mdm
        }
    }
}
