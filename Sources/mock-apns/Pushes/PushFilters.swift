internal import ArgumentParser
internal import MockAPNsFormats

/// The options that say which pushes are meant, as every command about pushes has them.
struct PushFilters: ParsableArguments {
    @Option(
        name: [.customShort("q"), .customLong("query")],
        help: ArgumentHelp(
            "A search, as 'type:alert is:rejected'; repeatable: any of them.",
            discussion: "docs/api.md has all its words.",
            valueName: "search"
        )
    )
    var query: [String] = []

    @Option(help: ArgumentHelp("Only pushes of this topic; repeatable.", valueName: "topic"))
    var topic: [String] = []

    @Option(help: ArgumentHelp("Only pushes to this device token; repeatable.", valueName: "token"))
    var token: [String] = []

    @Option(help: ArgumentHelp("Only pushes to the apps of this device; repeatable.", valueName: "device"))
    var device: [DeviceArgument] = []

    @Option(help: ArgumentHelp("Only pushes of this type, as alert; repeatable.", valueName: "type"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Only pushes after this number.", valueName: "seq"))
    var after: UInt64?

    /// Whether every push is meant.
    var areEmpty: Bool {
        query.isEmpty && topic.isEmpty && token.isEmpty && device.isEmpty && type.isEmpty && after == nil
    }

    /// The parameters of the API.
    var parameters: [(name: String, value: String?)] {
        let lists = [
            ("q", query), ("topic", topic), ("token", token), ("device", device.map(\.reference)),
            ("pushType", type),
        ]
        let given = lists.flatMap { name, values in values.map { (name: name, value: String?.some($0)) } }
        return given + [("after", after.map(String.init))]
    }

    /// The same as the matcher of a verification, which takes one of each; `nil` where it cannot say it.
    var matcher: JSONValue? {
        guard [query, topic, token, type].allSatisfy({ $0.count <= 1 }), device.count <= 1 else { return nil }
        var members: [String: JSONValue] = [:]
        members["q"] = query.first.map { .string($0) }
        members["topic"] = topic.first.map { .string($0) }
        members["token"] = token.first.map { .string($0) }
        members["pushType"] = type.first.map { .string($0) }
        if let device = device.first {
            switch device.kind {
            case .label: members["device"] = .string(String(device.reference.dropFirst()))
            case .token where members["token"] == nil: members["token"] = .string(device.reference)
            case .token, .id: return nil
            }
        }
        return .object(members)
    }
}
