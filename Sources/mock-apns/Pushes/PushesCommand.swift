internal import ArgumentParser

/// `mock-apns pushes`: what arrived, refused pushes included.
struct PushesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushes",
        abstract: "What arrived: list, show, count and clear pushes.",
        discussion: """
            Example:
              mock-apns pushes -q 'is:rejected after:-5m'
              mock-apns pushes show latest
            """,
        subcommands: [
            PushesListCommand.self, PushesShowCommand.self, PushesRawCommand.self, PushesCurlCommand.self,
            PushesSimctlCommand.self, PushesCountCommand.self, PushesClearCommand.self,
        ],
        defaultSubcommand: PushesListCommand.self
    )
}

/// An order of pushes, on the command line.
enum PushOrderArgument: String, ExpressibleByArgument, CaseIterable {
    case asc
    case desc
}

/// `mock-apns pushes list`: the pushes that there are.
struct PushesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List pushes, the newest first; with --after the oldest (default).",
        discussion: """
            Example:
              mock-apns pushes list --topic com.example.app -q 'has:badge !is:delivered'
              mock-apns pushes list --ndjson --limit 1000 | jq -c .request.payload
            """
    )

    @OptionGroup var filters: PushFilters

    @Option(help: "The oldest first, or the newest.")
    var order: PushOrderArgument?

    @Option(help: ArgumentHelp("The most pushes to list, up to 1000. (default: 50)", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print device tokens in full.")
    var full = false

    @Flag(help: "Print each push as JSON on a line of its own.")
    var ndjson = false

    @OptionGroup var client: ClientOptions

    func validate() throws {
        if ndjson, client.table || client.json == false {
            throw ValidationError("--ndjson and --table exclude each other.")
        }
    }

    func run() async throws {
        let printsTable = client.printsText && !ndjson
        var request = APIRequest(
            "GET",
            ["pushes"],
            query: filters.parameters + [
                ("order", order?.rawValue), ("limit", limit.map(String.init)),
                ("fields", printsTable ? "summary" : nil),
            ]
        )
        if ndjson {
            request.accept = "application/x-ndjson"
            let api = try client.api.client()
            let response = try await api.send(request)
            guard response.contentType != "application/x-ndjson" else {
                Console.standard.write(response.body, to: 1)
                return
            }
            try ClientOptions.check(response, of: api.address)
        }
        let response = try await client.ask(request)
        try client.show(response, as: PushPageAnswer.self) { page in
            if let note = page.omission(isFiltered: !filters.areEmpty) { Console.standard.note(note) }
            return page.pushes.isEmpty ? nil : PushSummaryAnswer.table(page.pushes, full: full)
        }
    }
}
