internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector

struct FaultsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Faults: failing responses, streams, connections and deliveries.",
        discussion: """
            Faults are in a list; for each push only the first one that fires applies. Random decisions come from \
            the seed of the server, so a run can be repeated.
            """,
        examples: "mock-apns faults add --respond 503 --topic com.example.app --times 2",
        "mock-apns faults preset goaway-then-refuse:after=10",
        "mock-apns faults list",
        "mock-apns faults clear",
        subcommands: [
            FaultsListCommand.self, FaultsAddCommand.self, FaultsPresetCommand.self, FaultsRemoveCommand.self,
            FaultsOnCommand.self, FaultsOffCommand.self, FaultsClearCommand.self,
        ]
    )
}

struct FaultsListCommand: AsyncParsableCommand {
    static let configuration = command(
        "List faults, with how often each fired.",
        examples: "mock-apns faults list",
        "mock-apns faults list --json | jq '.faults[].stats.draws'"
    )

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await client.show(APIRequest("GET", ["faults"]), as: FaultListShape.self) { answer in
            guard answer.faults.isEmpty else { return APIObject<FaultShape>.table(answer.faults) }
            Console.standard.note("No faults. mock-apns faults add --respond 503 --times 2 adds one.")
            return nil
        }
    }
}

struct FaultsPresetCommand: AsyncParsableCommand {
    static let configuration = command(
        "Add a preset fault, or list the presets.",
        discussion: """
            Parameters follow the name; all presets take skip, times and probability, and those for \
            pushes topic and token.
            """,
        examples: "mock-apns faults preset",
        "mock-apns faults preset unregistered:token=3f2a...,times=1",
        "mock-apns faults preset idle-rst:idle=5s"
    )

    @Argument(help: .value("preset", "The preset, as name:parameter=value,..."))
    var preset: String?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        guard let preset else {
            let request = APIRequest("GET", ["faults", "presets"])
            return try await client.show(request, as: FaultPresetListShape.self) { $0.table }
        }
        let choice: (preset: String, body: [UInt8])
        do {
            choice = try FaultArgument.request(preset)
        } catch {
            throw CommandFailure(.usage, TerminalText.plain(error.description))
        }
        let request = APIRequest("POST", ["faults", "presets", choice.preset]).sending(choice.body)
        try await client.show(request, as: FaultShape.self) { $0.sentence }
    }
}

/// The faults that a command changes.
struct FaultIDs: ParsableArguments {
    private static let hint = "mock-apns faults list shows the faults"

    @Argument(help: "The id of a fault, flt_..., as in faults list.")
    var ids: [String]

    @OptionGroup var client: ClientOptions

    func remove() async throws {
        for id in ids {
            try await client.ask(APIRequest("DELETE", ["faults", id]), hint: Self.hint)
            if client.printsText { Console.standard.answer("\(TerminalText.plain(id)) removed") }
        }
    }

    /// Switches the faults on or off, and prints them.
    func set(enabled: Bool) async throws {
        for id in ids {
            let request = APIRequest("PATCH", ["faults", id]).sending(["enabled": enabled])
            try await client.show(request, hint: Self.hint, as: FaultShape.self) { $0.sentence }
        }
    }
}

struct FaultsRemoveCommand: AsyncParsableCommand {
    static let configuration = command("Remove faults.", name: "rm", examples: "mock-apns faults rm flt_1")

    @OptionGroup var faults: FaultIDs

    func run() async throws { try await faults.remove() }
}

struct FaultsOnCommand: AsyncParsableCommand {
    static let configuration = command(
        "Switch faults on; their counters continue.",
        examples: "mock-apns faults on flt_1"
    )

    @OptionGroup var faults: FaultIDs

    func run() async throws { try await faults.set(enabled: true) }
}

struct FaultsOffCommand: AsyncParsableCommand {
    static let configuration = command(
        "Switch faults off; they stay in the list.",
        examples: "mock-apns faults off flt_1"
    )

    @OptionGroup var faults: FaultIDs

    func run() async throws { try await faults.set(enabled: false) }
}

struct FaultsClearCommand: AsyncParsableCommand {
    static let configuration = command(
        "Remove all faults, or those with a name or preset.",
        discussion: "mock-apns reset restores those of serve --fault.",
        examples: "mock-apns faults clear",
        "mock-apns faults clear --preset slow-1s"
    )

    @Option(help: .value("text", "Only faults with this name; repeatable."))
    var name: [String] = []

    @Option(help: .value("preset", "Only faults of this preset; repeatable."))
    var preset: [String] = []

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let filters = name.map { ("name", $0) } + preset.map { ("preset", $0) }
        let query = filters.isEmpty ? [("all", "true")] : filters
        let request = APIRequest("DELETE", ["faults"], query: query.map { ($0, $1) })
        try await client.show(request, as: DeletedShape.self) { answer in
            counted(answer.deleted, "fault", "faults") + " removed"
        }
    }
}
