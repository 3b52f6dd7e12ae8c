package import MockAPNsFormats

/// What a push says about a Live Activity: its state as it is, because the views are the app's own.
///
/// Documented: activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications.
package struct LiveActivityPreview: Equatable {
    /// One value of the state, as a line of text.
    package struct Entry: Equatable {
        package let name: String
        package let value: String
    }

    /// `start`, `update` or `end`; anything else as it came, `nil` for no text.
    package let event: String?
    package let timestamp: JSONValue
    package let contentState: JSONValue
    package let attributesType: JSONValue
    package let attributes: JSONValue
    package let staleDate: JSONValue
    package let dismissalDate: JSONValue

    /// - Parameter aps: what the payload has for the system.
    package init(aps: JSONValue?) {
        func member(_ name: String) -> JSONValue { aps?[name] ?? .null }
        if case .string(let text) = member("event") { event = text } else { event = nil }
        timestamp = member("timestamp")
        contentState = member("content-state")
        attributesType = member("attributes-type")
        attributes = member("attributes")
        staleDate = member("stale-date")
        dismissalDate = member("dismissal-date")
    }

    /// What becomes of the activity.
    package var meaning: String {
        switch event {
        case "start": "A new Live Activity begins."
        case "update": "The Live Activity shows another state."
        case "end":
            "The Live Activity ends, and stays for up to four hours unless dismissal-date says otherwise."
        default: "No event of a Live Activity: expected start, update or end."
        }
    }

    /// The state, line by line: objects within it are taken apart, as far as `depth`.
    package var entries: [Entry] { Self.entries(of: contentState, below: "", depth: 2) }

    private static func entries(of value: JSONValue, below way: String, depth: Int) -> [Entry] {
        value.sortedMembers.flatMap { name, value -> [Entry] in
            let name = way.isEmpty ? name : "\(way).\(name)"
            if case .object(let members) = value, depth > 0, !members.isEmpty {
                return entries(of: value, below: name, depth: depth - 1)
            }
            if case .string(let text) = value { return [Entry(name: name, value: text)] }
            return [Entry(name: name, value: String(decoding: value.text, as: UTF8.self))]
        }
    }
}
