internal import ArgumentParser
internal import MockAPNsAPI

struct PushesCountCommand: AsyncParsableCommand {
    static let configuration = command(
        "Count pushes.",
        examples: "mock-apns pushes count -q 'is:rejected' --table"
    )

    @OptionGroup var filters: PushFilters

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let request = APIRequest("GET", ["pushes", "count"], query: filters.parameters)
        try await client.show(request, as: APIObject<PushCountShape>.self) { answer in
            if let note = answer.note { Console.standard.note(TerminalText.plain(note)) }
            return "\(answer.count)"
        }
    }
}

struct PushesClearCommand: AsyncParsableCommand {
    static let configuration = command(
        "Delete the selected pushes, or all with --all.",
        discussion: "Devices keep their notifications; mock-apns reset resets everything.",
        examples: "mock-apns pushes clear -q 'topic:com.example.app is:rejected'",
        "mock-apns pushes clear --all"
    )

    @OptionGroup var filters: PushFilters

    @Flag(help: "Delete all pushes.")
    var all = false

    @OptionGroup var client: ClientOptions

    func run() async throws {
        // Not in `validate`, which runs before misspelt options are reported.
        guard filters.areEmpty == all else {
            throw CommandFailure(
                .usage,
                all
                    ? "--all cannot be combined with a filter"
                    : "missing filter: use -q, --topic, --token, --device, --type or --after, or --all for all pushes"
            )
        }
        let query = filters.parameters + [("all", all ? "true" : nil)]
        let request = APIRequest("DELETE", ["pushes"], query: query)
        try await client.show(request, as: APIObject<DeletedShape>.self) { "\($0.deleted) deleted" }
    }
}
