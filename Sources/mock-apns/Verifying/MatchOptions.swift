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

    var matcher: JSONValue? {
        let options = [query, topic, token, type, title, body]
        guard options.contains(where: { $0 != nil }) else { return nil }
        return .members([
            "q": query, "topic": topic, "token": token, "pushType": type, "title": title, "body": body,
        ])
    }
}

/// A file with an expectation, to which options add members.
struct ExpectationFile {
    private let name: String
    private let bytes: [UInt8]

    /// Reads the file; `-` is standard input.
    init(_ name: String) throws {
        self.name = name
        bytes = try AtomicFile.input(name, option: "--file", limit: 1 << 20)
    }

    /// Returns the file's JSON with these members replaced; a list becomes the member `list`.
    ///
    /// Without members, returns the file unchanged, so that the server reports errors with their position.
    func body(adding members: [String: JSONValue], list: String? = nil) throws -> [UInt8] {
        guard !members.isEmpty || list != nil else { return bytes }
        switch (JSONParser.value(of: bytes), list) {
        case (.object(let own), _): return JSONValue.object(own.merging(members) { $1 }).text
        case (.array(let entries), let list?):
            return JSONValue.object([list: .array(entries)].merging(members) { $1 }).text
        default: throw notAnObject
        }
    }

    /// The matcher: the member `match` of an expectation, or the whole file.
    func matcher() throws -> JSONValue {
        guard case .object(let members) = JSONParser.value(of: bytes) else { throw notAnObject }
        return members["match"] ?? .object(members)
    }

    private var notAnObject: CommandFailure {
        CommandFailure(
            .badConfiguration,
            #"invalid --file '\#(name)': expected a JSON object such as {"match":{"topic":"com.example.app"}}"#
        )
    }
}
