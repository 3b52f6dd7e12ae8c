internal import ArgumentParser
internal import MockAPNsFormats

/// What the pushes are to be, said by options.
struct MatchOptions: ParsableArguments {
    @Option(
        name: [.customShort("q"), .customLong("query")],
        help: ArgumentHelp("A search, as 'type:alert !is:delivered'.", valueName: "search")
    )
    var query: String?

    @Option(help: ArgumentHelp("The topic.", valueName: "topic"))
    var topic: String?

    @Option(help: ArgumentHelp("The device token.", valueName: "token"))
    var token: String?

    @Option(help: ArgumentHelp("The push type.", valueName: "type"))
    var type: String?

    @Option(help: ArgumentHelp("The title of the alert.", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "The body of the alert, or all of an alert that is a bare text.",
            valueName: "text"
        )
    )
    var body: String?

    /// The options as a matcher; `nil` when none was given.
    var matcher: JSONValue? {
        var members: [String: JSONValue] = [:]
        for (name, value) in [
            ("q", query), ("topic", topic), ("token", token), ("pushType", type), ("title", title),
            ("body", body),
        ] {
            members[name] = value.map { .string($0) }
        }
        return members.isEmpty ? nil : .object(members)
    }
}
