internal import ArgumentParser
internal import MockAPNsAPI
internal import NIOCore

/// The options of every command that sends a request to a running server and prints the response.
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

    /// Sends a request; `hint` is added to the error when something is not found.
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

    /// Prints a response: as received, or the given text.
    func show(_ response: APIResponse, _ text: () throws -> String?) throws {
        if printsText {
            if let text = try text() { Console.standard.answer(text) }
        } else if !response.body.isEmpty {
            response.print()
        }
    }

    /// Deletes a resource; prints its name if text is printed, because the API's response is empty.
    func remove(_ path: [String], name: String, hint: String?) async throws {
        try await ask(APIRequest("DELETE", path), hint: hint)
        if printsText { Console.standard.note("\(TerminalText.plain(name)) removed") }
    }
}

/// The options of the commands that change something and report what happened to notifications.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print all ids and tokens.")
    var full = false

    @OptionGroup var client: ClientOptions
}
