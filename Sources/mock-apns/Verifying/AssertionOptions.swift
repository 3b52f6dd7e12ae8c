internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import NIOCore

/// The options of the commands for scripts: they print text unless `--json` is given, on a terminal or not.
struct AssertionOptions: ParsableArguments {
    @OptionGroup var api: APIOptions

    @Flag(help: "Print the JSON of the API instead of text.") var json = false

    @Flag(help: "Print text, which is the default.") var table = false

    func validate() throws { if table, json { throw ValidationError("--json and --table cannot be combined.") } }

    /// Sends a request that asks the API to wait for some milliseconds; a report means that the assertion fails.
    ///
    /// Any other problem is thrown.
    func ask(_ request: APIRequest, waiting wait: Int64 = 0) async throws -> (response: APIResponse, report: String?) {
        let client = try api.client()
        let response = try await client.send(request.with(\.timeout, .seconds(30) + .milliseconds(wait)))
        if response.problemKind == .verificationFailed {
            return (response, try response.decoded(as: ProblemShape.self) { $0.report ?? $0.detail })
        }
        try client.check(response, to: request)
        return (response, nil)
    }

    /// Prints JSON, or text that has no control characters but those of styles.
    func show(_ response: APIResponse, _ text: @autoclosure () throws -> String) rethrows {
        if json { response.print() } else { Console.answer(try text()) }
    }

    /// Prints a report of a server, with its first line in a style.
    func show(_ response: APIResponse, report: String, _ style: Style? = .heading) {
        show(response, Terminal.output.report(report, style))
    }
}

extension APIObject<VerifiedShape> {
    /// Further ids are only counted.
    private static let mostShown = 5

    var text: String {
        let ids = self.matched
        let count = self.count ?? ids.count
        let shown = ids.isEmpty ? "" : "  " + ids.prefix(Self.mostShown).joined(separator: " ")
        let rest = !ids.isEmpty && count > Self.mostShown ? " and \(count - Self.mostShown) more" : ""
        let time = self.elapsedMs.map { " in \($0) ms" } ?? ""
        let sentence = "ok: \(counted(count, "push", "pushes"))\(time)\(shown)\(rest)"
        return Terminal.output.paragraph(sentence.styled(.good), hanging: 4)
    }
}

extension APIObject<NoneUnverifiedShape> {
    var text: String { Terminal.output.paragraph("ok: \(counted(self.count, "push", "pushes"))".styled(.good)) }
}

struct MatchOptions: ParsableArguments {
    @Option("file", "The expectation, as JSON; - is standard input.", name: .shortAndLong, completion: .json) var file:
        String?

    @Option("search", "A search, as 'type:alert !is:delivered'.", name: .shortAndLong) var query: String?

    @Option("topic", "The topic.") var topic: String?

    @Option("token", "The device token.") var token: String?

    @Option("type", "The push type.", name: .pushType) var pushType: String?

    @Option("text", "The title of the alert.") var title: String?

    @Option("text", "The body of the alert, or the alert if it is a string.") var body: String?

    var matcher: JSONValue? {
        .given(["q": query, "topic": topic, "token": token, "pushType": pushType, "title": title, "body": body])
    }
}

/// A file with an expectation, to which options add members.
struct ExpectationFile {
    let name: String

    private func bytes() throws -> [UInt8] {
        do { return try AtomicFile.input(name, option: "--file") } catch let failure as CommandFailure {
            throw CommandFailure(.noInput, failure.message)
        }
    }

    /// Returns the file's JSON with these members replaced; a list becomes the member `list`.
    ///
    /// Without members, returns the file unchanged, so that the server reports errors with their position.
    func body(adding members: [String: JSONValue], list: String? = nil) throws -> [UInt8] {
        let bytes = try bytes()
        guard !members.isEmpty || list != nil else { return bytes }
        let own: [String: JSONValue] =
            switch (JSONParser.value(of: bytes), list) {
            case (.object(let own), _): own
            case (.array(let entries), let list?): [list: .array(entries)]
            default: throw notAnObject
            }
        return JSONValue.object(own.merging(members) { $1 }).text
    }

    /// Returns the matcher in the file: the member `match` of an expectation, or the whole object.
    func matcher() throws -> JSONValue {
        guard case .object(let members) = JSONParser.value(of: try bytes()) else { throw notAnObject }
        return members["match"] ?? .object(members)
    }

    private var notAnObject: CommandFailure {
        let expected = #"a JSON object such as {"match":{"topic":"com.example.app"}}"#
        return CommandFailure(.badConfiguration, "invalid --file '\(name)': expected \(expected)")
    }
}
