internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsRules

struct FaultsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Faults: failing responses, streams, connections and deliveries.",
        discussion: """
            Faults are in a list; for each push only the first one that fires applies. Random decisions come from \
            the seed of the server, so a run can be repeated.
            """, examples: "mock-apns faults add --respond 503 --topic com.example.app --times 2",
        "mock-apns faults preset goaway-then-refuse:after=10", "mock-apns faults list", "mock-apns faults clear",
        subcommands: [
            Client<FaultsListCommand>.self, Client<FaultsAddCommand>.self, Client<FaultsPresetCommand>.self,
            Client<FaultsRemoveCommand>.self, Client<FaultsOnCommand>.self, Client<FaultsOffCommand>.self,
            Client<FaultsClearCommand>.self,
        ])
}

struct FaultsListCommand: ClientTask {
    static let configuration = command(
        "List faults, with how often each fired.", examples: "mock-apns faults list",
        "mock-apns faults list --json | jq '.faults[].stats.draws'")

    func run(_ client: ClientOptions) async throws {
        let none = "No faults. mock-apns faults add --respond 503 --times 2 adds one."
        let columns: [Table.Column] = [
            .number("#").optional(3), .fixed("ID"), .fixed("STATE"), .wrapped("DOES"), .wrapped("WHEN"),
            .number("SEEN").optional(2), .number("FIRED"), .time("LAST").optional(4), .text("NAME").optional(1),
        ]
        try await client.show(APIRequest("GET", ["faults"]), as: FaultListShape.self) {
            $0.faults.isEmpty ? Console.none(none) : Table.text(columns, of: $0.faults, row: \.row)
        }
    }
}

struct FaultsPresetCommand: ClientTask {
    static let configuration = command(
        "Add a preset fault, or list the presets.",
        discussion: """
            Parameters follow the name; all presets take skip, times and probability, and those for \
            pushes topic and token.
            """, examples: "mock-apns faults preset", "mock-apns faults preset unregistered:token=3f2a9c01,times=1",
        "mock-apns faults preset idle-rst:idle=5s")

    @Argument(help: .value("preset", "The preset, as name:parameter=value,...")) var preset: String?

    func run(_ client: ClientOptions) async throws {
        guard let preset else {
            let request = APIRequest("GET", ["faults", "presets"])
            return try await client.show(request, as: FaultPresetListShape.self) { list in
                Table.text([.fixed("PRESET"), .wrapped("WHAT HAPPENS"), .wrapped("PARAMETERS")], of: list.presets) {
                    preset in [preset.name, preset.meaning, preset.parameters.map(\.name).joined(separator: " ")]
                }
            }
        }
        let choice = try CommandFailure.explaining(nil, .usage) { try FaultArgument.request(preset) }
        let request = APIRequest("POST", ["faults", "presets", choice.preset]).sending(choice.body)
        try await client.show(request, as: FaultShape.self) { $0.sentence }
    }
}

struct FaultIDs: ParsableArguments {
    @Argument(help: "The id of a fault, flt_..., as in faults list.") var ids: [String]

    @OptionGroup var client: ClientOptions

    func set(enabled: Bool) async throws {
        for id in ids {
            let request = APIRequest("PATCH", ["faults", id]).sending(["enabled": enabled])
            try await client.show(request, as: FaultShape.self) { $0.sentence }
        }
    }
}

struct FaultsRemoveCommand: ClientTask {
    static let configuration = command("Remove faults.", name: "rm", examples: "mock-apns faults rm flt_1")

    func run(_ faults: FaultIDs) async throws {
        for id in faults.ids {
            try await faults.client.ask(APIRequest("DELETE", ["faults", id]))
            if faults.client.printsText { Console.answer("\(TerminalText.plain(id)) removed") }
        }
    }
}

struct FaultsOnCommand: ClientTask {
    static let configuration = command(
        "Switch faults on; their counters continue.", examples: "mock-apns faults on flt_1")

    func run(_ faults: FaultIDs) async throws { try await faults.set(enabled: true) }
}

struct FaultsOffCommand: ClientTask {
    static let configuration = command(
        "Switch faults off; they stay in the list.", examples: "mock-apns faults off flt_1")

    func run(_ faults: FaultIDs) async throws { try await faults.set(enabled: false) }
}

struct FaultsClearCommand: ClientTask {
    static let configuration = command(
        "Remove all faults, or those with a name or preset.",
        discussion: "mock-apns reset restores those of serve --fault.", examples: "mock-apns faults clear",
        "mock-apns faults clear --preset slow-1s")

    @Option("text", "Only faults with this name; repeatable.") var name: [String] = []

    @Option("preset", "Only faults of this preset; repeatable.") var preset: [String] = []

    func run(_ client: ClientOptions) async throws {
        let filters = name.map { ("name", String?.some($0)) } + preset.map { ("preset", String?.some($0)) }
        let request = APIRequest("DELETE", ["faults"], query: filters.isEmpty ? [("all", "true")] : filters)
        try await client.show(request, as: DeletedShape.self) { counted($0.deleted, "fault", "faults") + " removed" }
    }
}

struct FaultsAddCommand: ClientTask {
    static let configuration = command(
        "Add a fault.",
        discussion: """
            One of \(actions.joined(separator: ", ")) is the action. --file takes every fault of the API, such as:
              {"when":{"times":2},"do":{"respond":{"status":503}}}
            """, examples: "mock-apns faults add --respond 503 --topic com.example.app --times 2",
        "mock-apns faults add --respond 410:ExpiredToken --token 3f2a9c01",
        "mock-apns faults add --delay 2s --probability 0.1",
        "mock-apns faults add --goaway NO_ERROR --close drain --times 1", "mock-apns faults add --file fault.json")

    private static let actions = [
        "--respond", "--delay", "--reset", "--goaway", "--break", "--slow", "--lose", "--duplicate",
    ]

    @Option("status[:reason]", "Respond with this status and reason.") var respond: String?

    @Option("duration", "Delay responses.") var delay: String?

    @Option("code", "Reset the stream: REFUSED_STREAM, CANCEL, INTERNAL_ERROR, ...") var reset: String?

    @Option("code", "Send a GOAWAY with this code after the response: NO_ERROR, ENHANCE_YOUR_CALM, ...") var goaway:
        String?

    @Option("which", "The last stream in --goaway: \(Self.words(FaultAction.GoAway.LastStream.self)).") var lastStream:
        String?

    @Option(
        "when", "When --goaway closes the connection: \(Self.words(FaultAction.GoAway.Close.self)). (default: drain)")
    var close: String?

    @Option("text", "The debug data of --goaway. (default: none)") var debug: String?

    @Option("how", "Break the connection: rst, fin, stall or blackhole.", name: .customLong("break")) var breaks:
        String?

    @Option("bytes per second", "Send responses at this rate.") var slow: Int?

    @Flag(help: "Accept pushes without delivering them.") var lose = false

    @Flag(help: "Deliver notifications twice.") var duplicate = false

    @Option("topic", "Only pushes with this topic.") var topic: String?

    @Option("hex", "Only pushes to this device token.") var token: String?

    @Option("n", "Skip this many matching pushes first. (default: 0)") var skip: Int?

    @Option("n", "The maximum number of times. (default: no limit)") var times: Int?

    @Option("number", "The probability, from 0 to 1. (default: 1)") var probability: Double?

    @Option("text", "A name for the list and for faults clear.") var name: String?

    @Option("file", "A file with the fault; - is standard input.", completion: .json) var file: String?

    func validate() throws {
        let options: [(any ShapeValue)?] = [
            respond, delay, reset, goaway, breaks, topic, token, name, lastStream, close, debug, slow, skip, times,
            probability,
        ]
        guard file != nil, lose || duplicate || options.contains(where: { $0 != nil }) else { return }
        throw ValidationError("--file cannot be combined with options that describe the fault.")
    }

    func run(_ client: ClientOptions) async throws {
        let body = try file.map { try AtomicFile.input($0, option: "--file") } ?? description().text
        let request = APIRequest("POST", ["faults"]).sending(body, from: file)
        try await client.show(request, as: FaultShape.self) { $0.sentence }
    }

    /// The fault as the API takes it; not checked in `validate`, which runs before misspelt options are reported.
    private func description() throws -> JSONValue {
        let details: [String: (any ShapeValue)?] = ["lastStream": lastStream, "close": close, "debug": debug]
        let action = JSONValue.members([
            "respond": try response(), "delay": delay.map { ["for": $0] }, "stream": reset.map { ["reset": $0] },
            "goaway": goaway.map { JSONValue.members(details.merging(["code": $0]) { $1 }) }, "connection": breaks,
            "slow": slow.map { ["bytesPerSecond": $0] }, "lose": lose ? true : nil, "duplicate": duplicate ? true : nil,
        ])
        let count = action.sortedMembers.count
        let problem = count == 0 ? "missing action" : "too many actions"
        let expected = "expected one of \(TerminalText.choice(Self.actions))"
        try CommandFailure.check(count == 1, .usage, "\(problem): \(expected)")
        let isComplete = goaway != nil || details.values.allSatisfy { $0 == nil }
        try CommandFailure.check(isComplete, .usage, "--last-stream, --close and --debug need --goaway")
        if let token, DeviceToken(hex: token) == nil {
            throw CommandFailure(.usage, "invalid --token '\(token)': expected \(DeviceToken.expected)")
        }
        return .members([
            "name": name, "match": JSONValue.members(["topic": topic, "token": token]),
            "when": JSONValue.members(["skip": skip, "times": times, "probability": probability]), "do": action,
        ])
    }

    private func response() throws -> JSONValue? {
        guard let respond else { return nil }
        let parts = respond.split(separator: ":", maxSplits: 1).map(String.init)
        guard let status = parts.first.flatMap({ Int($0) }) else {
            let expected = "a status or status:reason, such as 410:ExpiredToken"
            throw CommandFailure(.usage, "invalid --respond '\(respond)': expected \(expected)")
        }
        return .members(["status": status, "reason": parts.dropFirst().first])
    }

    private static func words<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String {
        TerminalText.choice(Choice.allCases.map(\.rawValue))
    }
}
