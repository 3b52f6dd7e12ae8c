internal import ArgumentParser
internal import MockAPNsFormats

/// The options that describe the expected pushes: a file, or a condition each.
struct MatchOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: .value("file", "The expectation, as JSON; - is standard input."),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @Option(
        name: [.customShort("q"), .customLong("query")],
        help: .value("search", "A search, as 'type:alert !is:delivered'.")
    )
    var query: String?

    @Option(help: .value("topic", "The topic."))
    var topic: String?

    @Option(help: .value("token", "The device token."))
    var token: String?

    @Option(help: .value("type", "The push type."))
    var type: String?

    @Option(help: .value("text", "The title of the alert."))
    var title: String?

    @Option(help: .value("text", "The body of the alert, or the alert if it is a string."))
    var body: String?

    /// The conditions as a matcher; `nil` when there are none.
    var matcher: JSONValue? {
        let options = [query, topic, token, type, title, body]
        guard options.contains(where: { $0 != nil }) else { return nil }
        return .members([
            "q": query, "topic": topic, "token": token, "pushType": type, "title": title, "body": body,
        ])
    }
}
