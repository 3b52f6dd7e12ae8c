package import MockAPNsFormats

/// A documented member of `aps` or of its alert: what it has to be, and what a device does with another value.
///
/// To add one, add a row. Source: Apple, "Generating a remote notification" (documented), unless a row names another. What
/// a device does with a wrong value is inferred: iOS checks the type of a value and ignores the member if it is another.
package struct PayloadMember: Sendable {
    /// The form of a value.
    package enum Form: Sendable {
        case text
        /// A text, or null, which Apple's archived payload reference allows.
        case textOrNull
        case number
        /// 1, or 0 for off.
        case flag
        case yes
        /// One text.
        case exactly(String)
        /// Any value: another rule has it, such as the reading of a badge.
        case read

        var expected: String {
            switch self {
            case .text, .textOrNull: "a string is expected"
            case .number: "a number is expected"
            case .flag: "the number 1 is expected"
            case .yes: "true is expected"
            case .exactly(let text): "'\(text)' is expected"
            case .read: "another value is expected"
            }
        }

        func admits(_ value: JSONValue) -> Bool {
            switch self {
            case .text: value.string != nil
            case .textOrNull: value.string != nil || value == .null
            case .number: value.double != nil
            case .flag: value.isOn || value == false || value.double == 0
            case .yes: value.isOn || value == false
            case .exactly(let text): value.string == text
            case .read: true
            }
        }
    }

    package let name: String
    let form: Form
    /// What happens if the value has another form.
    var loss = ""
    /// The pushes in which a member of this name beside `aps` is in the wrong place.
    package var owner = Owner.none
    /// Whether no app has a member of this name for itself.
    package var isUnmistakable: Bool { owner == .everyone }

    /// Who has a member of `aps` that no app has for itself.
    package enum Owner: Sendable {
        /// An app may have it for itself.
        case none
        case everyone
        case liveActivities
        case websites
    }

    private init(_ name: String, _ form: Form, _ loss: String = "", of owner: Owner = .none) {
        self.name = name
        self.form = form
        self.loss = loss
        self.owner = owner
    }

    /// What tells the second kind of push to talk.
    static let serviceUpdate = "service-update"

    /// The members that `aps` has in a push of a type.
    package static func ofAPS(of type: PushType?) -> [PayloadMember] {
        switch type {
        case .accessory: PayloadNeed.ofAccessory.map { PayloadMember($0, .read) }
        case .pushtotalk: ofAPS + ofPushToTalk
        default: ofAPS
        }
    }

    // Staff: https://developer.apple.com/forums/thread/787878.
    private static let ofPushToTalk = [
        PayloadMember("ptt-push-type", .exactly(serviceUpdate), "it is taken for a push that names a speaker")
    ]

    package static let ofAPS: [PayloadMember] = [
        PayloadMember("alert", .read, of: .everyone), PayloadMember("attributes", .read, of: .liveActivities),
        PayloadMember("attributes-type", .read, of: .liveActivities), PayloadMember("badge", .read, of: .everyone),
        PayloadMember("category", .text, "it has no action buttons"),
        PayloadMember("content-available", .flag, "the app is not woken", of: .everyone),
        // Apple, "Updating widgets with WidgetKit push notifications" (documented).
        PayloadMember("content-changed", .yes, "nothing is reloaded", of: .everyone),
        PayloadMember("content-state", .read, of: .liveActivities),
        PayloadMember("dismissal-date", .read, of: .liveActivities), PayloadMember("event", .read, of: .liveActivities),
        PayloadMember("filter-criteria", .text, "a Focus does not filter it", of: .everyone),
        PayloadMember("input-push-channel", .read, of: .liveActivities),
        PayloadMember("input-push-token", .read, of: .liveActivities),
        PayloadMember("interruption-level", .read, of: .everyone),
        PayloadMember("mutable-content", .flag, "the service extension does not run", of: .everyone),
        PayloadMember("relevance-score", .read, of: .everyone), PayloadMember("sound", .read, of: .everyone),
        PayloadMember("stale-date", .read, of: .liveActivities),
        PayloadMember("target-content-id", .text, "no window is chosen for it", of: .everyone),
        PayloadMember("thread-id", .text, "it is not grouped", of: .everyone),
        PayloadMember("timestamp", .read, of: .liveActivities), PayloadMember("url-args", .read, of: .websites),
    ]

    /// The members of an alert; `sound` is only for Live Activities.
    package static let ofAlert: [PayloadMember] = [
        // Apple's archived payload reference has the two actions (documented).
        PayloadMember("action", .text, "the button has its usual text"),
        PayloadMember("action-loc-key", .textOrNull, "the button has its usual text"),
        PayloadMember("body", .text, "it is not shown"),
        PayloadMember("launch-image", .text, "the usual launch image is shown"), PayloadMember("loc-args", .read),
        PayloadMember("loc-key", .text, "it is not shown"), PayloadMember("sound", .read),
        PayloadMember("subtitle", .text, "it is not shown"), PayloadMember("subtitle-loc-args", .read),
        PayloadMember("subtitle-loc-key", .text, "it is not shown"),
        PayloadMember("summary-arg", .text, "the summary does not have it"),
        PayloadMember("summary-arg-count", .number, "the summary does not have it"),
        PayloadMember("title", .text, "it is not shown"), PayloadMember("title-loc-args", .read),
        PayloadMember("title-loc-key", .textOrNull, "it is not shown"),
    ]

    /// The members of the alert of a Live Activity (documented: Apple, "Starting and updating Live Activities with
    /// ActivityKit push notifications").
    package static let ofActivityAlert = ["body", "sound", "title"]

    /// A name without its letter case and hyphens, so `contentAvailable` and `content_available` are `content-available`.
    package static func letters(of name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }

    /// Members of an alert that Apple's archived payload reference allows to be null.
    static let nullable: Set<String> = ["action-loc-key", "title-loc-args", "title-loc-key"]

    /// Returns what is wrong with the members of this table that an object has, in the order of the table.
    static func problems(
        with object: [String: JSONValue], _ members: [PayloadMember], at way: [String]
    ) -> [PayloadProblem] {
        // An object has few members, a table many.
        let known = object.compactMap { name, value in
            members.firstIndex { $0.name == name }.map { (place: $0, value: value) }
        }
        return known.sorted { $0.place < $1.place }.compactMap { members[$0.place].problem(with: $0.value, at: way) }
    }

    /// Returns what is wrong with a value at a place.
    func problem(with value: JSONValue, at way: [String]) -> PayloadProblem? {
        // Nulls are a problem of their own.
        guard value != .null, !form.admits(value) else { return nil }
        var fix: String?
        switch form {
        case .text where value["loc-key"] != nil:
            let prefix = name == "body" ? "" : name + "-"
            fix = "Write \(prefix)loc-key and \(prefix)loc-args beside the texts of the alert."
        case .exactly(let text) where value.string.flatMap({ Suggestion.nearest(to: $0, among: [text]) }) != nil:
            fix = "Did you mean '\(text)'?"
        default: break
        }
        return PayloadProblem(way + [name], invalid: value, "\(form.expected), so \(loss)", fix: fix)
    }
}

/// What is wrong with a place in a payload.
package struct PayloadProblem: Sendable {
    /// The names of the members on the way to it.
    package let way: [String]
    package let message: String
    /// How to fix it, if there is something special to say.
    package let fix: String?

    package init(_ way: [String], _ message: String, fix: String? = nil) {
        self.way = way
        self.message = message
        self.fix = fix
    }

    /// An invalid value at a place, or a missing one in the object around it.
    package init(_ way: [String], invalid seen: JSONValue?, _ expected: String, fix: String? = nil) {
        let value = seen == "" ? "empty" : seen?.words ?? "absent"
        let message = "\(way.last ?? "") is \(value); \(expected)"
        self.init(seen == nil ? way.dropLast() : way, message, fix: fix)
    }
}

extension PayloadProblem {
    /// Returns the ways to all values that are null, except for those that may be.
    package static func nulls(in payload: JSONValue) -> [[String]] {
        ways(in: payload) { $0 == .null }.filter { way in
            way.dropLast() != ["aps", "alert"] || !PayloadMember.nullable.contains(way.last ?? "")
        }
    }

    /// Returns the ways to all values that are like this, sorted by name.
    package static func ways(in value: JSONValue, where isFound: (JSONValue) -> Bool) -> [[String]] {
        // Hardly any payload has one.
        has(value, isFound) ? allWays(in: value, isFound) : []
    }

    private static func has(_ value: JSONValue, _ isFound: (JSONValue) -> Bool) -> Bool {
        if isFound(value) { return true }
        return switch value {
        case .object(let members): members.values.contains { has($0, isFound) }
        case .array(let entries): entries.contains { has($0, isFound) }
        default: false
        }
    }

    private static func allWays(in value: JSONValue, _ isFound: (JSONValue) -> Bool) -> [[String]] {
        if isFound(value) { return [[]] }
        let members = value.sortedMembers.map { ($0.key, $0.value) }
        let entries = value.entries.enumerated().map { ("\($0)", $1) }
        return (members + entries).flatMap { name, value in allWays(in: value, isFound).map { [name] + $0 } }
    }
}
