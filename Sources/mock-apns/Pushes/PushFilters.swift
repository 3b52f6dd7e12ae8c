internal import ArgumentParser
internal import MockAPNsFormats

/// The options that select pushes, in every command about pushes.
struct PushFilters: ParsableArguments {
    @Option(
        name: [.customShort("q"), .customLong("query")],
        help: .value(
            "search",
            "A search, as 'type:alert is:rejected'; repeatable, and one of them must match.",
            discussion: "The search syntax is in docs/api.md."
        )
    )
    var query: [String] = []

    @Option(help: .value("topic", "Only pushes with this topic; repeatable."))
    var topic: [String] = []

    @Option(help: .value("token", "Only pushes to this device token; repeatable."))
    var token: [String] = []

    @Option(help: .value("device", "Only pushes to the apps of this device; repeatable."))
    var device: [DeviceArgument] = []

    @Option(help: .value("type", "Only pushes of this type, such as alert; repeatable."))
    var type: [String] = []

    @Option(help: .value("seq", "Only pushes after this number."))
    var after: UInt64?

    var areEmpty: Bool {
        [query, topic, token, type].allSatisfy(\.isEmpty) && device.isEmpty && after == nil
    }

    var parameters: [(name: String, value: String?)] {
        let lists = [
            ("q", query), ("topic", topic), ("token", token), ("device", device.map(\.reference)),
            ("pushType", type),
        ]
        let given = lists.flatMap { name, values in values.map { (name: name, value: String?.some($0)) } }
        return given + [("after", after.map(String.init))]
    }

    /// The same as the matcher of a verification, which takes one of each; `nil` where it cannot express it.
    var matcher: JSONValue? {
        guard [query, topic, token, type].allSatisfy({ $0.count <= 1 }), device.count <= 1 else { return nil }
        var (token, label) = (token.first, String?.none)
        if let device = device.first {
            switch device.kind {
            case .label: label = String(device.reference.dropFirst())
            case .token where token == nil: token = device.reference
            case .token, .id: return nil
            }
        }
        return .members([
            "q": query.first, "topic": topic.first, "token": token, "pushType": type.first, "device": label,
        ])
    }
}
