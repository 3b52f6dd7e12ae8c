internal import ArgumentParser
internal import MockAPNsAPI

/// The faults that a command changes.
struct FaultIDs: ParsableArguments {
    private static let hint = "mock-apns faults list shows the faults"

    @Argument(help: "The id of a fault, flt_..., as in faults list.")
    var ids: [String]

    @OptionGroup var client: ClientOptions

    /// Removes the faults.
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
            try await client.show(request, hint: Self.hint, as: APIObject<FaultShape>.self) { $0.sentence }
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
        try await client.show(request, as: APIObject<DeletedShape>.self) { answer in
            "\(answer.deleted) \(answer.deleted == 1 ? "fault" : "faults") removed"
        }
    }
}
