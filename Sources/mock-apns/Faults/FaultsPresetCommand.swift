internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsInspector

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
            return try await client.show(request, as: APIObject<FaultPresetListShape>.self) { $0.table }
        }
        let choice: (preset: String, body: [UInt8])
        do {
            choice = try FaultArgument.request(preset)
        } catch {
            throw CommandFailure(.usage, TerminalText.plain(error.description))
        }
        let request = APIRequest("POST", ["faults", "presets", choice.preset]).sending(choice.body)
        try await client.show(request, as: APIObject<FaultShape>.self) { $0.sentence }
    }
}
