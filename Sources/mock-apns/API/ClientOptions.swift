internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsInspector

struct ClientOptions: ParsableArguments {
    @OptionGroup var api: APIOptions

    @Flag(
        inversion: .prefixedNo,
        help: "Print the JSON of the API, or readable text. (default: text on a terminal, otherwise JSON)") var json:
        Bool?

    @Flag(help: "Same as --no-json.") var table = false

    func validate() throws {
        if table, json == true { throw ValidationError("--json and --table cannot be combined.") }
    }

    /// Whether text is printed rather than JSON.
    var printsText: Bool { table || !(json ?? !SystemFacts.printsToTerminal) }

    @discardableResult func ask(_ request: APIRequest) async throws -> APIResponse {
        try await api.client().ask(request)
    }

    /// Sends a request and prints the response: as received, or as `text` describes it.
    func show<Content: Shape>(
        _ request: APIRequest, as type: Content.Type, _ text: (APIObject<Content>) throws -> String?
    ) async throws { try show(try await ask(request), as: type, text) }

    func show<Content: Shape>(
        _ response: APIResponse, as type: Content.Type, _ text: (APIObject<Content>) throws -> String?
    ) throws { try show(response) { try response.decoded(as: type, text) } }

    func show(_ response: APIResponse, _ text: () throws -> String?) throws {
        if printsText {
            if let text = try text() { Console.answer(text) }
        } else if !response.body.isEmpty {
            response.print()
        }
    }

    /// Deletes a resource; prints its name if text is printed, because the API's response is empty.
    func remove(_ request: APIRequest, name: String) async throws {
        try await ask(request)
        if printsText { Console.note("\(TerminalText.plain(name)) removed") }
    }
}

/// A command that sends requests to a server, without the options that it shares with others.
protocol ClientTask: ParsableArguments {
    associatedtype Options: ParsableArguments

    static var configuration: CommandConfiguration { get }

    func run(_ options: Options) async throws
}

/// The command that runs a task; the shared options follow the task's own.
struct Client<Task: ClientTask>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Task.configuration }

    @OptionGroup var task: Task

    @OptionGroup var options: Task.Options

    func run() async throws { try await task.run(options) }
}

/// The options of commands that report which notifications a change delivered or discarded.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print all ids and tokens.") var full = false

    @OptionGroup var client: ClientOptions
}

struct APIOptions: ParsableArguments {
    @Option("url", "The URL of the debug API; also MOCK_APNS_API. (default: the address of serve)") var api: String?

    @Option("token", "The token of serve --api-token; better as MOCK_APNS_API_TOKEN.") var apiToken: String?

    @Option("name", "The namespace; also MOCK_APNS_NS. (default: default)") var ns: String?

    func client() throws -> APIClient {
        var reader = OptionReader(self)
        return APIClient(
            try address(), token: try reader.apiToken(), namespace: try reader.text("ns"),
            userAgent: "mock-apns/\(Version.text)")
    }

    /// The address of the server: from the option, the variable, or where `serve` listens with these variables.
    func address(environment: [String: String] = SystemFacts.environment) throws -> APIAddress {
        var reader = OptionReader(self, environment: environment)
        return try reader.optional("api") { try APIAddress(parsing: $0) }
            ?? reader.value("api-listen", default: APIAddress.standard) { try APIAddress(parsing: $0) }
    }
}

extension OptionReader {
    mutating func apiToken() throws -> String? {
        try optional("api-token", shown: { _ in "***" }) { text in
            try Self.require(Inspector.Access.isToken(text) ? text : nil, Inspector.Access.expectedToken)
        }
    }
}
