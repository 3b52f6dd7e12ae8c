internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsWorld

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show and change the settings of a running server.", examples: "mock-apns settings",
        "mock-apns settings set auth=wellformed deviceRate=10/1s", "mock-apns settings set strict=true deviceRate=null",
        subcommands: [Client<Show>.self, Client<Set>.self], defaultSubcommand: Client<Show>.self)

    struct Show: ClientTask {
        static let configuration = command("Show the settings.", examples: "mock-apns settings show --json | jq .auth")

        func run(_ client: ClientOptions) async throws {
            try await client.showSettings(APIRequest("GET", ["settings"]))
        }
    }

    struct Set: ClientTask {
        static let configuration = command(
            "Change settings, until a reset.",
            discussion: "All changes apply at once. A value is JSON; everything else is a string.",
            examples: "mock-apns settings set unknownTokens=reject errorLimit=3")

        @Argument(help: .value("name=value", "A setting and its new value.")) var changes: [String]

        func run(_ client: ClientOptions) async throws {
            var body: [String: JSONValue] = [:]
            for change in changes {
                let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty else {
                    let expected = "name=value, such as auth=any; mock-apns settings shows the names"
                    throw CommandFailure(.usage, "invalid change '\(change)': expected \(expected)")
                }
                let (name, value) = (String(parts[0]), String(parts[1]))
                let problem = "invalid change '\(change)': \(name) is set twice"
                try CommandFailure.check(body[name] == nil, .usage, problem)
                body[name] = JSONParser.value(of: Array(value.utf8)) ?? .string(value)
            }
            try await client.showSettings(APIRequest("PATCH", ["settings"]).sending(body))
        }
    }
}

extension ClientOptions {
    fileprivate func showSettings(_ request: APIRequest) async throws {
        let response = try await ask(request)
        try show(response) {
            let settings = JSONParser.value(of: response.body)?.sortedMembers ?? []
            return Table.sheet(settings.map { ($0, $1 == .null ? "none" : $1.plainText ?? "…") })
        }
    }
}

struct ResetCommand: ClientTask {
    static let configuration = command(
        "Reset a server to the state it was started in.",
        discussion: """
            The devices of serve --devices and the faults of serve --fault are restored. The numbers of pushes continue.
            """, examples: "mock-apns reset", "mock-apns reset --only pushes,feedback")

    private static let parts = ResetReport.Part.allCases.map(\.rawValue)

    @Option("parts", "Only these: \(Self.parts.joined(separator: ", ")).") var only: [String] = []

    @Flag(help: "Close the connections of providers too.") var closeConnections = false

    func validate() throws {
        if !only.isEmpty, chosen.isEmpty {
            let expected = "\(TerminalText.choice(Self.parts)), separated by commas"
            throw ValidationError("invalid --only '\(only.joined(separator: " "))': expected \(expected).")
        }
    }

    func run(_ client: ClientOptions) async throws {
        let request = APIRequest("POST", ["reset"]).sending([
            "only": only.isEmpty ? nil : chosen, "connections": closeConnections ? "close" : nil,
        ])
        try await client.show(request, as: ResetShape.self) { $0.text }
    }

    private var chosen: [String] { only.flatMap { $0.split(separator: ",") }.map(String.init) }
}

extension APIObject<ResetShape> {
    var text: String {
        let cleared = self.cleared.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return Table.sheet([
            ("epoch", "\(self.epoch), after seq \(self.seq)"),
            ("cleared", cleared.isEmpty ? "nothing" : cleared.joined(separator: ", ")),
            ("connections", self.connections ?? "open"),
        ])
    }
}
