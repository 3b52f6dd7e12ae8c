internal import ArgumentParser
internal import MockAPNsAPI

struct PushesCommand: AsyncParsableCommand {
    static let configuration = command(
        "Received pushes: list, show, count and delete them.",
        examples: "mock-apns pushes -q 'is:rejected after:-5m'",
        "mock-apns pushes show latest",
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

struct PushesListCommand: AsyncParsableCommand {
    static let configuration = command(
        "List pushes, newest first; with --after, oldest first.",
        examples: "mock-apns pushes list --topic com.example.app -q 'has:badge !is:delivered'",
        "mock-apns pushes list --ndjson --limit 1000 | jq -c .request.payload"
    )

    @OptionGroup var filters: PushFilters

    @Option(help: "Oldest first, or newest first.")
    var order: PushOrderArgument?

    @Option(help: .value("n", "The maximum number of pushes, up to 1000. (default: 50)"))
    var limit: Int?

    @Flag(help: "Print device tokens in full.")
    var full = false

    @Flag(help: "Print each push as a line of JSON.")
    var ndjson = false

    @OptionGroup var client: ClientOptions

    func validate() throws {
        if ndjson, client.table || client.json == false {
            throw ValidationError("--ndjson and --table cannot be combined.")
        }
    }

    func run() async throws {
        let fields = client.printsText && !ndjson ? "summary" : nil
        let form = [("order", order?.rawValue), ("limit", limit.map(String.init)), ("fields", fields)]
        var request = APIRequest("GET", ["pushes"], query: filters.parameters + form)
        if ndjson {
            request.accept = "application/x-ndjson"
            let api = try client.api.client()
            let response = try await api.send(request)
            guard response.contentType != "application/x-ndjson" else {
                Console.standard.write(response.body)
                return
            }
            try ClientOptions.check(response, of: api.address)
        }
        try await client.show(request, as: APIObject<PushPageShape>.self) { page in
            if let note = page.omission(isFiltered: !filters.areEmpty) { Console.standard.note(note) }
            return page.pushes.isEmpty
                ? nil : APIObject<PushSummaryShape>.table(try page.summaries, full: full)
        }
    }
}

struct PushesShowCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show a push: response and reason, headers, payload and delivery.",
        examples: "mock-apns pushes show latest",
        "mock-apns pushes show psh_0000010000000001 --json | jq .verdict.checks"
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await client.show(APIRequest("GET", push.path), as: APIObject<PushShape>.self) { $0.text }
    }
}
