internal import MockAPNsFormats
internal import MockAPNsWorld

/// A strings table, as the API shows it.
enum StringsShape {
    static func summary(_ name: StringsTables.Name, count: Int) -> JSONValue {
        .object(members(name, count: count))
    }

    static func json(_ name: StringsTables.Name, _ texts: [String: String]) -> JSONValue {
        var members = members(name, count: texts.count)
        members["strings"] = .object(texts.mapValues { .string($0) })
        return .object(members)
    }

    private static func members(_ name: StringsTables.Name, count: Int) -> [String: JSONValue] {
        [
            "topic": .string(name.app), "language": .string(name.language.description),
            "count": JSONValue(count),
        ]
    }
}
