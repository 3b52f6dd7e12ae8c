internal import MockAPNsFormats
internal import MockAPNsWorld

/// A category and its buttons, as the API shows them.
enum CategoryShape {
    static func summary(_ name: NotificationCategories.Name, count: Int) -> JSONValue {
        .object(members(name, count: count))
    }

    static func json(_ name: NotificationCategories.Name, _ actions: [NotificationAction]) -> JSONValue {
        var members = members(name, count: actions.count)
        members["actions"] = .array(actions.map(action))
        return .object(members)
    }

    static func action(_ action: NotificationAction) -> JSONValue {
        [
            "identifier": JSONValue(action.identifier),
            "title": .string(action.title),
            "destructive": .bool(action.isDestructive),
            "foreground": .bool(action.opensApp),
            "authenticationRequired": .bool(action.needsUnlocking),
            "textInput": .bool(action.takesText),
        ]
    }

    private static func members(_ name: NotificationCategories.Name, count: Int) -> [String: JSONValue] {
        [
            "topic": .string(name.app), "category": .string(name.category), "count": JSONValue(count),
        ]
    }
}
