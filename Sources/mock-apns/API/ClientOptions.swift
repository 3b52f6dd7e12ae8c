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
    ///
    /// - Throws: `CommandFailure` when there is no response, or the API refuses the request.
    @discardableResult
    func ask(
        _ request: APIRequest,
        hint: String? = nil,
        timeout: TimeAmount = .seconds(30)
    ) async throws -> APIResponse {
        let client = try api.client()
        let response = try await client.send(request, timeout: timeout)
        try Self.check(response, of: client.address, hint: hint)
        return response
    }

    /// Checks that the API accepted a request.
    ///
    /// - Throws: `CommandFailure` with the API's reason when it did not.
    static func check(_ response: APIResponse, of address: APIAddress, hint: String? = nil) throws {
        if (200..<300).contains(response.status), response.body.isEmpty || response.isJSON { return }
        guard let problem = APIProblem(response) else {
            throw CommandFailure(
                .unreachable,
                "the server at \(address.url) (status \(response.status)) is not a debug API of mock-apns;"
                    + " use the api= URL of the ready line"
            )
        }
        let added = response.status == 404 ? hint.map { "\n  " + $0 } ?? "" : ""
        throw CommandFailure(.unmet, problem.message + added)
    }

    /// Sends a request and prints the response: as received, or as `text` describes it.
    func show<Value: ShapeValue>(
        _ request: APIRequest,
        hint: String? = nil,
        timeout: TimeAmount = .seconds(30),
        as type: Value.Type,
        _ text: (Value) throws -> String?
    ) async throws {
        try show(try await ask(request, hint: hint, timeout: timeout), as: type, text)
    }

    /// Prints a response: as received, or as `text` describes it.
    func show<Value: ShapeValue>(
        _ response: APIResponse,
        as type: Value.Type,
        _ text: (Value) throws -> String?
    ) throws {
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
}

extension APIResponse {
    /// Prints the body as received, with a line feed at its end.
    func print() { Console.standard.write(body + (body.last == 0x0a ? [] : [0x0a])) }
}

/// The options of the commands that change something and report what happened to notifications.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print all ids and tokens.")
    var full = false

    @OptionGroup var client: ClientOptions
}
