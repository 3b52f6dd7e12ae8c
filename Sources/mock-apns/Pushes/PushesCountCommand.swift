internal import ArgumentParser

/// `mock-apns pushes count`: how many pushes there are.
struct PushesCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Count pushes.",
        discussion: """
            Example:
              mock-apns pushes count -q 'is:rejected' --table
            """
    )

    @OptionGroup var filters: PushFilters

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let request = APIRequest("GET", ["pushes", "count"], query: filters.parameters)
        let response = try await client.ask(request)
        try client.show(response, as: PushCountAnswer.self) { answer in
            if let note = answer.note { Console.standard.note(TerminalText.plain(note)) }
            return "\(answer.count)"
        }
    }
}

/// `mock-apns pushes clear`: deletes pushes.
struct PushesClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete pushes: those that are named, or with --all every one.",
        discussion: """
            Devices keep what was delivered to them; mock-apns reset begins anew.

            Example:
              mock-apns pushes clear -q 'topic:com.example.app is:rejected'
              mock-apns pushes clear --all
            """
    )

    @OptionGroup var filters: PushFilters

    @Flag(help: "Delete every push.")
    var all = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        // Not in `validate`, which comes before the complaint about a misspelt option.
        guard filters.areEmpty == all else {
            throw CommandFailure(
                .usage,
                all
                    ? "--all deletes every push, and a filter only some: give one of them"
                    : "say which pushes to delete: -q, --topic, --token, --device, --type or --after, or --all"
            )
        }
        let query = filters.parameters + [("all", all ? "true" : nil)]
        let response = try await client.ask(APIRequest("DELETE", ["pushes"], query: query))
        try client.show(response, as: DeletionAnswer.self) { "\($0.deleted) deleted" }
    }
}
