internal import ArgumentParser
internal import MockAPNsInspector

/// `mock-apns faults preset`: adds a fault that has happened to somebody.
struct FaultsPresetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Add a fault that is ready-made, or list those there are.",
        discussion: """
            Behind the name stand parameters; all presets take skip, times and probability, and those for \
            pushes topic and token.

            Example:
              mock-apns faults preset
              mock-apns faults preset unregistered:token=3f2a...,times=1
              mock-apns faults preset idle-rst:idle=5s
            """
    )

    @Argument(help: ArgumentHelp("The preset, as name:parameter=value,...", valueName: "preset"))
    var preset: String?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        guard let preset else { return try await list() }
        let choice: (preset: String, body: [UInt8])
        do {
            choice = try FaultArgument.request(preset)
        } catch {
            throw CommandFailure(.usage, TerminalText.plain(error.description))
        }
        var request = APIRequest("POST", ["faults", "presets", choice.preset])
        request.body = choice.body
        let response = try await client.ask(request)
        try client.show(response, as: FaultAnswer.self) { $0.sentence }
    }

    private func list() async throws {
        let response = try await client.ask(APIRequest("GET", ["faults", "presets"]))
        try client.show(response, as: FaultPresetsAnswer.self) { $0.table }
    }
}
