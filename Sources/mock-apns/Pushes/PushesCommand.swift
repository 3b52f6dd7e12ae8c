internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient

struct PushesCommand: AsyncParsableCommand {
    static let configuration = command(
        "Received pushes: list, show, compare, count and delete them.",
        examples: "mock-apns pushes -q 'is:rejected after:-5m'", "mock-apns pushes show latest",
        subcommands: [
            PushesListCommand.self, Client<PushesShowCommand>.self, Client<PushesCompareCommand>.self,
            Client<PushesRawCommand>.self, Client<PushesCurlCommand>.self, Client<PushesSimctlCommand>.self,
            Client<PushesCountCommand>.self, Client<PushesClearCommand>.self,
        ], defaultSubcommand: PushesListCommand.self)
}

enum PushOrderArgument: String, ExpressibleByArgument, CaseIterable { case asc, desc }

struct PushesListCommand: AsyncParsableCommand {
    static let configuration = command(
        "List pushes, newest first; with --after, oldest first.",
        examples: "mock-apns pushes list --topic com.example.app -q 'has:badge !is:delivered'",
        "mock-apns pushes list --ndjson --limit 1000 | jq -c .request.payload")

    @OptionGroup var filters: PushFilters

    @Option(help: "Oldest first, or newest first.") var order: PushOrderArgument?

    @Option("n", "The maximum number of pushes, up to 1000. (default: 50)") var limit: Int?

    @Flag(help: "Print device tokens in full.") var full = false

    @Flag(help: "Print each push as a line of JSON.") var ndjson = false

    @OptionGroup var client: ClientOptions

    func validate() throws {
        if ndjson, client.table || client.json == false {
            throw ValidationError("--ndjson and --table cannot be combined.")
        }
    }

    func run() async throws {
        let fields = client.printsText && !ndjson ? "summary" : nil
        let form = [("order", order?.rawValue), ("limit", limit.map(String.init)), ("fields", fields)]
        let request = APIRequest("GET", ["pushes"], query: filters.parameters + form)
        if ndjson {
            let lines = try await client.ask(request.with(\.accept, "application/x-ndjson"))
            Console.write(lines.body)
            return
        }
        try await client.show(request, as: PushPageShape.self) { page in
            if let note = page.omission(isFiltered: !filters.areEmpty) { Console.note(note) }
            return page.pushes.isEmpty ? nil : APIObject<PushSummaryShape>.table(page.summaries, full: full)
        }
    }
}

struct PushesShowCommand: ClientTask {
    static let configuration = command(
        "Show a push: response and reason, headers, payload and delivery.", examples: "mock-apns pushes show latest",
        "mock-apns pushes show psh_0000010000000001 --json | jq .verdict.checks")

    @Argument(help: PushArgument.help) var push: PushArgument

    func run(_ client: ClientOptions) async throws {
        try await client.show(APIRequest("GET", push.path), as: PushShape.self) { $0.text }
    }
}

struct PushesCompareCommand: ClientTask {
    static let configuration = command(
        "Compare two pushes: response, delivery, request, headers and payload.",
        examples: "mock-apns pushes compare 12 latest")

    @Argument(help: PushArgument.help) var push: PushArgument

    @Argument(help: "The push to compare with.") var other: PushArgument

    func run(_ client: ClientOptions) async throws {
        let ids = (try await push.id(client.api), try await other.id(client.api))
        let request = APIRequest("GET", ["pushes", ids.0, "compare", ids.1])
        try await client.show(request, as: PushComparisonShape.self) { $0.text }
    }
}

struct PushesCountCommand: ClientTask {
    static let configuration = command("Count pushes.", examples: "mock-apns pushes count -q 'is:rejected' --table")

    @OptionGroup var filters: PushFilters

    func run(_ client: ClientOptions) async throws {
        let request = APIRequest("GET", ["pushes", "count"], query: filters.parameters)
        try await client.show(request, as: PushCountShape.self) { answer in
            if let note = answer.note { Console.note(TerminalText.plain(note)) }
            return "\(answer.count)"
        }
    }
}

struct PushesClearCommand: ClientTask {
    static let configuration = command(
        "Delete the selected pushes, or all with --all.",
        discussion: "Devices keep their notifications; mock-apns reset resets everything.",
        examples: "mock-apns pushes clear -q 'topic:com.example.app is:rejected'", "mock-apns pushes clear --all")

    @OptionGroup var filters: PushFilters

    @Flag(help: "Delete all pushes.") var all = false

    func run(_ client: ClientOptions) async throws {
        // Not in `validate`, which runs before misspelt options are reported.
        let problem =
            all
            ? "--all cannot be combined with a filter"
            : "missing filter: use -q, --topic, --token, --device, --push-type or --after, or --all for all pushes"
        try CommandFailure.check(filters.areEmpty == all, .usage, problem)
        let query = filters.parameters + [("all", all ? "true" : nil)]
        let request = APIRequest("DELETE", ["pushes"], query: query)
        try await client.show(request, as: DeletedShape.self) { "\($0.deleted) deleted" }
    }
}

struct PushFormOptions: ParsableArguments {
    @Argument(help: PushArgument.help) var push: PushArgument

    @OptionGroup var api: APIOptions

    /// Fetches a form of the push and prints it: byte for byte, unless standard output is a terminal.
    func print(_ form: String) async throws {
        let request = APIRequest("GET", ["pushes", try await push.id(api), form]).with(\.accept, "*/*")
        let body = try await api.client().ask(request).body
        guard SystemFacts.printsToTerminal else {
            Console.write(body)
            return
        }
        let text = TerminalText.plainLines(body)
        Console.answer(text)
        if !body.elementsEqual(text.utf8), !body.elementsEqual((text + "\n").utf8) {
            Console.note("control characters are replaced; redirect to a file to keep every byte")
        }
    }
}

struct PushesRawCommand: ClientTask {
    static let configuration = command(
        "Print the body of a push, byte for byte.", examples: "mock-apns pushes raw latest > payload.json")

    func run(_ options: PushFormOptions) async throws { try await options.print("raw") }
}

struct PushesCurlCommand: ClientTask {
    static let configuration = command(
        "Print a curl command that sends a push again, with a new provider token.",
        examples: "mock-apns pushes curl latest | sh")

    func run(_ options: PushFormOptions) async throws { try await options.print("curl") }
}

struct PushesSimctlCommand: ClientTask {
    static let configuration = command(
        "Print a push for xcrun simctl push.", examples: "mock-apns pushes simctl latest | xcrun simctl push booted -")

    func run(_ options: PushFormOptions) async throws { try await options.print("simctl.apns") }
}
