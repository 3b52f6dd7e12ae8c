internal import ArgumentParser

/// A push in a form for other tools.
struct PushFormOptions: ParsableArguments {
    @Argument(help: PushArgument.help)
    var push: PushArgument

    @OptionGroup var api: APIOptions

    /// Fetches a form of the push and prints it: byte for byte, unless standard output is a terminal.
    ///
    /// - Throws: `CommandFailure` when there is no such push, or it has no such form.
    func print(_ form: String) async throws {
        let client = try api.client()
        let id = try await push.id(api)
        let response = try await client.send(APIRequest("GET", ["pushes", id, form]))
        guard response.status == 200 else { return try ClientOptions.check(response, of: client.address) }
        guard SystemFacts.printsToTerminal else {
            Console.standard.write(response.body)
            return
        }
        let text = TerminalText.plainLines(response.body)
        Console.standard.answer(text)
        if !response.body.elementsEqual(text.utf8), !response.body.elementsEqual((text + "\n").utf8) {
            Console.standard.note("control characters are replaced; redirect to a file to keep every byte")
        }
    }
}

struct PushesRawCommand: AsyncParsableCommand {
    static let configuration = command(
        "Print the body of a push, byte for byte.",
        examples: "mock-apns pushes raw latest > payload.json"
    )

    @OptionGroup var options: PushFormOptions

    func run() async throws { try await options.print("raw") }
}

struct PushesCurlCommand: AsyncParsableCommand {
    static let configuration = command(
        "Print a curl command that sends a push again, with a new provider token.",
        examples: "mock-apns pushes curl latest | sh"
    )

    @OptionGroup var options: PushFormOptions

    func run() async throws { try await options.print("curl") }
}

struct PushesSimctlCommand: AsyncParsableCommand {
    static let configuration = command(
        "Print a push for xcrun simctl push.",
        examples: "mock-apns pushes simctl latest | xcrun simctl push booted -"
    )

    @OptionGroup var options: PushFormOptions

    func run() async throws { try await options.print("simctl.apns") }
}
