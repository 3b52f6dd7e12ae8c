internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsInspector
internal import NIOCore

struct ClientOptions: ParsableArguments {
    @OptionGroup var api: APIOptions

    @Flag(
        inversion: .prefixedNo,
        help: "Print the JSON of the API, or readable text. (default: text on a terminal, otherwise JSON)"
    )
    var json: Bool?

    @Flag(help: "Same as --no-json.")
    var table = false

    func validate() throws {
        if table, json == true { throw ValidationError("--json and --table cannot be combined.") }
    }

    /// Whether text is printed rather than JSON.
    var printsText: Bool { table || !(json ?? !SystemFacts.printsToTerminal) }

    @discardableResult
    func ask(
        _ request: APIRequest,
        hint: String? = nil,
        timeout: TimeAmount = .seconds(30)
    ) async throws -> APIResponse {
        try await api.client().ask(request, hint: hint, timeout: timeout)
    }

    /// Sends a request and prints the response: as received, or as `text` describes it.
    func show<Content: Shape>(
        _ request: APIRequest,
        hint: String? = nil,
        timeout: TimeAmount = .seconds(30),
        as type: Content.Type,
        _ text: (APIObject<Content>) throws -> String?
    ) async throws {
        let response = try await ask(request, hint: hint, timeout: timeout)
        try show(response) { try text(try response.decoded(as: type)) }
    }

    func show(_ response: APIResponse, _ text: () throws -> String?) throws {
        if printsText {
            if let text = try text() { Console.answer(text) }
        } else if !response.body.isEmpty {
            response.print()
        }
    }

    /// Deletes a resource; prints its name if text is printed, because the API's response is empty.
    func remove(_ path: [String], name: String, hint: String?) async throws {
        try await ask(APIRequest("DELETE", path), hint: hint)
        if printsText { Console.note("\(TerminalText.plain(name)) removed") }
    }
}

/// The options of commands that report which notifications a change delivered or discarded.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print all ids and tokens.")
    var full = false

    @OptionGroup var client: ClientOptions
}

struct APIOptions: ParsableArguments {
    /// The options with an environment variable that `serve` does not have.
    static let names = ["api", "ns"]

    @Option(
        help: .value("url", "The URL of the debug API; also MOCK_APNS_API. (default: the address of serve)")
    )
    var api: String?

    @Option(help: .value("token", "The token of serve --api-token; better as MOCK_APNS_API_TOKEN."))
    var apiToken: String?

    @Option(help: .value("name", "The namespace; also MOCK_APNS_NS. (default: default)"))
    var ns: String?

    func client(environment: [String: String] = SystemFacts.environment) throws -> APIClient {
        var reader = OptionReader(environment: environment)
        return APIClient(
            address: try address(environment: environment),
            token: try reader.optional("api-token", apiToken, isSecret: true, parse: Self.token),
            namespace: try reader.text("ns", ns)
        )
    }

    /// The address of the server: from the option, the variable, or where `serve` listens with these variables.
    func address(environment: [String: String] = SystemFacts.environment) throws -> APIAddress {
        var reader = OptionReader(environment: environment)
        return try reader.optional("api", api) { try APIAddress(parsing: $0) }
            ?? reader.value("api-listen", nil, default: APIAddress.standard) { try APIAddress(parsing: $0) }
    }

    static func token(_ text: String) throws -> String {
        guard Inspector.Access.isToken(text) else {
            throw OptionReader.Expected(Inspector.Access.expectedToken)
        }
        return text
    }
}
