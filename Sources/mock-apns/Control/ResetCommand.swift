internal import ArgumentParser
internal import MockAPNsAPI

struct ResetCommand: AsyncParsableCommand {
    static let configuration = command(
        "Reset a server to the state it was started in.",
        discussion: """
            The devices of serve --devices and the faults of serve --fault are restored. The numbers of pushes continue.
            """,
        examples: "mock-apns reset",
        "mock-apns reset --only pushes,feedback"
    )

    @Option(
        help: .value(
            "parts",
            "Only these: pushes, devices, feedback, clock, faults, keys, settings, strings, categories."
        )
    )
    var only: [String] = []

    @Flag(help: "Close the connections of providers too.")
    var closeConnections = false

    @OptionGroup var client: ClientOptions

    func validate() throws {
        if !only.isEmpty, parts.isEmpty {
            throw ValidationError(
                "invalid --only '\(only.joined(separator: " "))': expected pushes, devices, feedback, clock, faults,"
                    + " keys, settings, strings or categories, separated by commas."
            )
        }
    }

    func run() async throws {
        let request = APIRequest("POST", ["reset"]).sending([
            "only": only.isEmpty ? nil : parts, "connections": closeConnections ? "close" : nil,
        ])
        try await client.show(request, as: ResetShape.self) { $0.text }
    }

    private var parts: [String] { only.flatMap { $0.split(separator: ",") }.map(String.init) }
}

extension APIObject<ResetShape> {
    /// What was put away, line by line.
    var text: String {
        let cleared = self.cleared.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return Table.sheet([
            ("epoch", "\(self.epoch), after seq \(self.seq)"),
            ("cleared", cleared.isEmpty ? "nothing" : cleared.joined(separator: ", ")),
            ("connections", self.connections ?? "open"),
        ])
    }
}
