internal import ArgumentParser

/// `mock-apns reset`: back to the state at the start.
struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Put a server back into the state it was started in.",
        discussion: """
            The devices of serve --devices and the faults of serve --fault are there again. Numbers of pushes go on.

            Example:
              mock-apns reset
              mock-apns reset --only pushes,feedback
            """
    )

    @Option(
        help: ArgumentHelp(
            "Only these: pushes, devices, feedback, clock, faults, keys, settings, strings, categories.",
            valueName: "parts"
        )
    )
    var only: [String] = []

    @Flag(help: "Close the connections of providers too.")
    var closeConnections = false

    @OptionGroup var client: ClientOptions

    func validate() throws {
        if !only.isEmpty, parts.isEmpty {
            throw ValidationError(
                "--only: name pushes, devices, feedback, clock, faults, keys, settings, strings or categories,"
                    + " with commas between."
            )
        }
    }

    func run() async throws {
        let body = Body(
            only: only.isEmpty ? nil : parts,
            connections: closeConnections ? "close" : nil
        )
        let response = try await client.ask(APIRequest("POST", ["reset"]).sending(body))
        try client.show(response, as: ResetAnswer.self) { $0.text }
    }

    private var parts: [String] { only.flatMap { $0.split(separator: ",") }.map(String.init) }

    private struct Body: Encodable {
        let only: [String]?
        let connections: String?
    }
}
