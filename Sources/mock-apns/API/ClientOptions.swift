internal import ArgumentParser
internal import NIOCore

/// The options of every command that asks a running server and prints what it says.
struct ClientOptions: ParsableArguments {
    @OptionGroup var api: APIOptions

    @Flag(
        inversion: .prefixedNo,
        help: "Print the JSON of the API, or a text for people. (default: text on a terminal, else JSON)"
    )
    var json: Bool?

    @Flag(help: "The same as --no-json.")
    var table = false

    func validate() throws {
        if table, json == true { throw ValidationError("--json and --table exclude each other.") }
    }

    /// Whether a text is printed, rather than JSON.
    var printsText: Bool { table || !(json ?? !SystemFacts.printsToTerminal) }

    /// Asks the API.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - hint: what is added to a complaint that there is no such thing.
    ///   - timeout: how long an answer may take.
    /// - Returns: the answer to a request that was accepted.
    /// - Throws: `CommandFailure` when nobody answers, or the API refuses.
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

    /// Lets through what the API accepted.
    ///
    /// - Throws: `CommandFailure` that says why it did not.
    static func check(_ response: APIResponse, of address: APIAddress, hint: String? = nil) throws {
        if (200..<300).contains(response.status), response.body.isEmpty || response.isJSON { return }
        guard let problem = APIProblem(response) else {
            throw CommandFailure(
                .unreachable,
                "\(address.url) answers (status \(response.status)), but not as the debug API of mock-apns"
                    + " does; the ready line of mock-apns says api=..."
            )
        }
        let added = response.status == 404 ? hint.map { "\n  " + $0 } ?? "" : ""
        throw CommandFailure(.unmet, problem.message + added)
    }

    /// Prints an answer: as it came, or as `text` has it.
    func show<Answer: Decodable>(
        _ response: APIResponse,
        as type: Answer.Type,
        _ text: (Answer) throws -> String?
    ) throws {
        try show(response) { try text(try response.decoded(as: type)) }
    }

    /// Prints an answer, either as received or as the given text.
    func show(_ response: APIResponse, _ text: () throws -> String?) throws {
        if printsText {
            if let text = try text() { Console.standard.answer(text) }
        } else if !response.body.isEmpty {
            Console.standard.write(response.text + (response.body.last == 0x0a ? "" : "\n"), to: 1)
        }
    }
}
