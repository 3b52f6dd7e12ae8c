internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

struct FaultsAddCommand: AsyncParsableCommand {
    static let configuration = command(
        "Add a fault.",
        discussion: """
            One of \(actions.joined(separator: ", ")) is the action; --file takes everything that the API does:
              {"match":{"topic":"com.example.app"},"when":{"times":2},"do":{"respond":{"status":503}}}
            """,
        examples: "mock-apns faults add --respond 503 --topic com.example.app --times 2",
        "mock-apns faults add --respond 410:ExpiredToken --token 3f2a...",
        "mock-apns faults add --delay 2s --probability 0.1",
        "mock-apns faults add --goaway NO_ERROR --close drain --times 1",
        "mock-apns faults add --file fault.json"
    )

    private static let actions = [
        "--respond", "--delay", "--reset", "--goaway", "--break", "--slow", "--lose", "--duplicate",
    ]

    private static let largestFile = 1 << 20

    @Option(help: .value("status[:reason]", "Respond with this status and reason."))
    var respond: String?

    @Option(help: .value("duration", "Delay responses."))
    var delay: String?

    @Option(help: .value("code", "Reset the stream: REFUSED_STREAM, CANCEL, INTERNAL_ERROR, ..."))
    var reset: String?

    @Option(
        help: .value(
            "code",
            "Send a GOAWAY with this code after the response: NO_ERROR, ENHANCE_YOUR_CALM, ..."
        )
    )
    var goaway: String?

    @Option(
        help: .value(
            "which",
            "The last stream in --goaway: \(Self.words(FaultAction.GoAway.LastStream.self))."
        )
    )
    var lastStream: String?

    @Option(
        help: .value(
            "when",
            "When --goaway closes the connection: \(Self.words(FaultAction.GoAway.Close.self)). (default: drain)"
        )
    )
    var close: String?

    @Option(help: .value("text", "The debug data of --goaway. (default: none)"))
    var debug: String?

    @Option(
        name: .customLong("break"),
        help: .value("how", "Break the connection: rst, fin, stall or blackhole.")
    )
    var breaks: String?

    @Option(help: .value("bytes per second", "Send responses at this rate."))
    var slow: Int?

    @Flag(help: "Accept pushes without delivering them.")
    var lose = false

    @Flag(help: "Deliver notifications twice.")
    var duplicate = false

    @Option(help: .value("topic", "Only pushes with this topic."))
    var topic: String?

    @Option(help: .value("hex", "Only pushes to this device token."))
    var token: String?

    @Option(help: .value("n", "Skip this many matching pushes first. (default: 0)"))
    var skip: Int?

    @Option(help: .value("n", "The maximum number of times. (default: no limit)"))
    var times: Int?

    @Option(help: .value("number", "The probability, from 0 to 1. (default: 1)"))
    var probability: Double?

    @Option(help: .value("text", "A name for the list and for faults clear."))
    var name: String?

    @Option(
        help: .value("file", "A file with the fault; - is standard input."),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @OptionGroup var client: ClientOptions

    private var actionCount: Int {
        [respond, delay, reset, goaway, breaks].count { $0 != nil }
            + [slow != nil, lose, duplicate].count { $0 }
    }

    func validate() throws {
        let others = [topic, token, name, lastStream, close, debug].contains { $0 != nil }
        if file != nil, actionCount > 0 || others || skip != nil || times != nil || probability != nil {
            throw ValidationError("--file cannot be combined with options that describe the fault.")
        }
    }

    func run() async throws {
        var request = APIRequest("POST", ["faults"])
        if let file {
            request.body = try AtomicFile.input(file, option: "--file", limit: Self.largestFile)
        } else {
            request = request.sending([
                "name": name,
                "match": JSONValue.members(["topic": topic, "token": token]),
                "when": JSONValue.members(["skip": skip, "times": times, "probability": probability]),
                "do": JSONValue.members(try action()),
            ])
        }
        try await client.show(request, as: FaultShape.self) { $0.sentence }
    }

    private func action() throws -> [String: (any ShapeValue)?] {
        // Not in `validate`, which runs before misspelt options are reported.
        guard actionCount == 1 else {
            throw CommandFailure(
                .usage,
                "\(actionCount == 0 ? "missing action" : "too many actions"): expected one of"
                    + " \(Self.actions.dropLast().joined(separator: ", ")) or --duplicate"
            )
        }
        let goawayOnly = [lastStream, close, debug]
        guard goaway != nil || goawayOnly.allSatisfy({ $0 == nil }) else {
            throw CommandFailure(.usage, "--last-stream, --close and --debug need --goaway")
        }
        return [
            "respond": try response(),
            "delay": delay.map { JSONValue.members(["for": $0]) },
            "stream": reset.map { JSONValue.members(["reset": $0]) },
            "goaway": goaway.map { code in
                JSONValue.members(["code": code, "lastStream": lastStream, "close": close, "debug": debug])
            },
            "connection": breaks,
            "slow": slow.map { JSONValue.members(["bytesPerSecond": $0]) },
            "lose": lose ? true : nil,
            "duplicate": duplicate ? true : nil,
        ]
    }

    private func response() throws -> JSONValue? {
        guard let respond else { return nil }
        let parts = respond.split(separator: ":", maxSplits: 1).map(String.init)
        guard let status = parts.first.flatMap({ Int($0) }) else {
            throw CommandFailure(
                .usage,
                "invalid --respond '\(respond)': expected a status or status:reason, such as 410:ExpiredToken"
            )
        }
        return .members(["status": status, "reason": parts.count > 1 ? parts[1] : nil])
    }

    /// The values of an enumeration, for help.
    private static func words<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String {
        let words = Choice.allCases.map(\.rawValue)
        return words.dropLast().joined(separator: ", ") + (words.last.map { " or \($0)" } ?? "")
    }
}
