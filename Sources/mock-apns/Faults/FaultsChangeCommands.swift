internal import ArgumentParser

/// `mock-apns faults rm`: removes faults.
struct FaultsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove faults.",
        discussion: """
            Example:
              mock-apns faults rm flt_1
            """
    )

    @Argument(help: FaultsCommand.idHelp)
    var ids: [String]

    @OptionGroup var client: ClientOptions

    func run() async throws {
        for id in ids {
            _ = try await client.ask(APIRequest("DELETE", ["faults", id]), hint: FaultSwitch.hint)
            if client.printsText { Console.standard.answer("\(TerminalText.plain(id)) removed") }
        }
    }
}

/// `mock-apns faults on`: switches a fault on.
struct FaultsOnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Switch faults on; they go on where they were.",
        discussion: """
            Example:
              mock-apns faults on flt_1
            """
    )

    @Argument(help: FaultsCommand.idHelp)
    var ids: [String]

    @OptionGroup var client: ClientOptions

    func run() async throws { try await FaultSwitch(enabled: true).send(to: ids, client) }
}

/// `mock-apns faults off`: switches a fault off.
struct FaultsOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Switch faults off; they stay in the list.",
        discussion: """
            Example:
              mock-apns faults off flt_1
            """
    )

    @Argument(help: FaultsCommand.idHelp)
    var ids: [String]

    @OptionGroup var client: ClientOptions

    func run() async throws { try await FaultSwitch(enabled: false).send(to: ids, client) }
}

/// `mock-apns faults clear`: removes every fault, or those of a name.
struct FaultsClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove every fault, or those of a name or preset.",
        discussion: """
            Those of serve --fault come back with mock-apns reset.

            Example:
              mock-apns faults clear
              mock-apns faults clear --preset slow-1s
            """
    )

    @Option(help: ArgumentHelp("Only faults of this name; repeatable.", valueName: "text"))
    var name: [String] = []

    @Option(help: ArgumentHelp("Only faults made of this preset; repeatable.", valueName: "preset"))
    var preset: [String] = []

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let filters = name.map { (name: "name", value: $0) } + preset.map { (name: "preset", value: $0) }
        let query = filters.isEmpty ? [(name: "all", value: "true")] : filters
        let response = try await client.ask(
            APIRequest("DELETE", ["faults"], query: query.map { ($0.name, Optional($0.value)) })
        )
        try client.show(response, as: DeletionAnswer.self) { answer in
            "\(answer.deleted) \(answer.deleted == 1 ? "fault" : "faults") removed"
        }
    }
}

/// Whether a fault is on, as the API takes it.
private struct FaultSwitch: Encodable {
    static let hint = "mock-apns faults list shows the faults there are"

    let enabled: Bool

    /// Sends it for each fault, and prints what they are then.
    func send(to ids: [String], _ client: ClientOptions) async throws {
        for id in ids {
            let response = try await client.ask(
                APIRequest("PATCH", ["faults", id]).sending(self),
                hint: Self.hint
            )
            try client.show(response, as: FaultAnswer.self) { $0.sentence }
        }
    }
}
