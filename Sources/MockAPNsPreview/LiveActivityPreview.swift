package import MockAPNsFormats

/// A push's Live Activity values, shown as raw state because the views are defined in the app.
package struct LiveActivityPreview: Equatable {
    package struct Entry: Equatable {
        package let name: String
        package let value: String
    }

    /// The event: `start`, `update`, `end` or any other string in the payload; `nil` if it is not a string.
    package let event: String?
    package let timestamp: JSONValue
    package let contentState: JSONValue
    package let attributesType: JSONValue
    package let attributes: JSONValue
    package let staleDate: JSONValue
    package let dismissalDate: JSONValue

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
