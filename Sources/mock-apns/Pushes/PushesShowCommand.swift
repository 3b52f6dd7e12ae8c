internal import ArgumentParser

/// `mock-apns pushes show`: everything about a push.
struct PushesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a push: its answer and why, headers, payload, and what became of it.",
        discussion: """
            Example:
              mock-apns pushes show latest
              mock-apns pushes show psh_0000010000000001 --json | jq .verdict.checks
            """
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let response = try await client.ask(APIRequest("GET", push.path()))
        try client.show(response, as: PushDetailAnswer.self) { $0.text }
    }
}
