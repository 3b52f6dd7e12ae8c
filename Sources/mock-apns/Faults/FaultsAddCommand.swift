internal import ArgumentParser
internal import MockAPNsWorld

/// `mock-apns faults add`: puts a fault at the end of the list.
struct FaultsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a fault.",
        discussion: """
            One of \(actions.joined(separator: ", ")) says what it does; --file takes everything that the API does:
              {"match":{"topic":"com.example.app"},"when":{"times":2},"do":{"respond":{"status":503}}}

            Example:
              mock-apns faults add --respond 503 --topic com.example.app --times 2
              mock-apns faults add --respond 410:ExpiredToken --token 3f2a...
              mock-apns faults add --delay 2s --probability 0.1
              mock-apns faults add --goaway NO_ERROR --close drain --times 1
              mock-apns faults add --file fault.json
            """
    )

    /// The options that say what a fault does.
    private static let actions = [
        "--respond", "--delay", "--reset", "--goaway", "--break", "--slow", "--lose", "--duplicate",
    ]

    /// The largest file that the API takes.
    private static let largestFile = 1 << 20

    @Option(
        help: ArgumentHelp(
            "Answer with this status, and a reason behind a colon.",
            valueName: "status[:reason]"
        )
    )
    var respond: String?

    @Option(help: ArgumentHelp("Let answers wait.", valueName: "duration"))
    var delay: String?

    @Option(
        help: ArgumentHelp("Reset the stream: REFUSED_STREAM, CANCEL, INTERNAL_ERROR, ...", valueName: "code")
    )
    var reset: String?

    @Option(
        help: ArgumentHelp(
            "Send a GOAWAY with this code after the answer: NO_ERROR, ENHANCE_YOUR_CALM, ...",
            valueName: "code"
        )
    )
    var goaway: String?

    @Option(
        help: ArgumentHelp(
            "The last stream that --goaway names: \(Self.words(FaultAction.GoAway.LastStream.self)).",
            valueName: "which"
        )
    )
    var lastStream: String?

    @Option(
        help: ArgumentHelp(
            "When --goaway closes the connection: \(Self.words(FaultAction.GoAway.Close.self)). (default: drain)",
            valueName: "when"
        )
    )
    var close: String?

    @Option(help: ArgumentHelp("The debug data of --goaway. (default: none)", valueName: "text"))
    var debug: String?

    @Option(
        name: .customLong("break"),
        help: ArgumentHelp("Break the connection: rst, fin, stall or blackhole.", valueName: "how")
    )
    var breaks: String?

    @Option(help: ArgumentHelp("Let answers leave at this rate.", valueName: "bytes per second"))
    var slow: Int?

    @Flag(help: "Accept pushes, and never deliver them.")
    var lose = false

    @Flag(help: "Deliver notifications twice.")
    var duplicate = false

    @Option(help: ArgumentHelp("Only pushes with this topic.", valueName: "topic"))
    var topic: String?

    @Option(help: ArgumentHelp("Only pushes to this device token.", valueName: "hex"))
    var token: String?

    @Option(help: ArgumentHelp("So many pass before the first. (default: 0)", valueName: "n"))
    var skip: Int?

    @Option(help: ArgumentHelp("So many times at most. (default: no limit)", valueName: "n"))
    var times: Int?

    @Option(help: ArgumentHelp("How likely, from 0 to 1. (default: 1)", valueName: "number"))
    var probability: Double?

    @Option(help: ArgumentHelp("A name to find it by.", valueName: "text"))
    var name: String?

    @Option(
        help: ArgumentHelp("Read the fault from this file, - for standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @OptionGroup var client: ClientOptions

    func validate() throws {
        let others =
            [topic, token, name, lastStream, close, debug].compactMap { $0 }.count
            + [skip, times].compactMap { $0 }.count
        if file != nil, actionCount > 0 || others > 0 || probability != nil {
            throw ValidationError("--file says everything about the fault; leave the other options out.")
        }
    }

    private var actionCount: Int {
        [respond, delay, reset, goaway, breaks].compactMap { $0 }.count
            + [slow != nil, lose, duplicate].count { $0 }
    }

    func run() async throws {
        var request = APIRequest("POST", ["faults"])
        if let file {
            guard let text = try AtomicFile.read(file == "-" ? "/dev/stdin" : file, limit: Self.largestFile)
            else {
                throw CommandFailure(.badConfiguration, "--file: there is no file \(file)")
            }
            request.body = Array(text.utf8)
        } else {
            request = try request.sending(try draft())
        }
        let response = try await client.ask(request)
        try client.show(response, as: FaultAnswer.self) { $0.sentence }
    }

    /// The values of a choice, for people.
    private static func words<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String {
        let words = Choice.allCases.map(\.rawValue)
        return words.dropLast().joined(separator: ", ") + (words.last.map { " or \($0)" } ?? "")
    }

    private func draft() throws -> FaultDraftBody {
        // Not in `validate`, which comes before the complaint about a misspelt option.
        guard actionCount == 1 else {
            throw CommandFailure(
                .usage,
                "say what goes wrong, once: \(Self.actions.dropLast().joined(separator: ", ")) or --duplicate"
            )
        }
        guard goaway != nil || [lastStream, close, debug].allSatisfy({ $0 == nil }) else {
            throw CommandFailure(
                .usage,
                "--last-stream, --close and --debug go with --goaway, which is missing"
            )
        }
        let parts = respond?.split(separator: ":", maxSplits: 1).map(String.init) ?? []
        let status = parts.first.flatMap { Int($0) }
        if let respond, status == nil {
            throw CommandFailure(
                .usage,
                "--respond: '\(respond)' should be a status, or status:Reason, as 410:ExpiredToken"
            )
        }
        return FaultDraftBody(
            name: name,
            match: FaultDraftBody.Match(topic: topic, token: token),
            when: FaultDraftBody.When(skip: skip, times: times, probability: probability),
            action: FaultDraftBody.Action(
                respond: status.map { .init(status: $0, reason: parts.count > 1 ? parts[1] : nil) },
                delay: delay.map { .init(time: $0) },
                stream: reset.map { .init(reset: $0) },
                goaway: goaway.map { .init(code: $0, lastStream: lastStream, close: close, debug: debug) },
                connection: breaks,
                slow: slow.map { .init(bytesPerSecond: $0) },
                lose: lose ? true : nil,
                duplicate: duplicate ? true : nil
            )
        )
    }
}

/// A fault to be made, as the API takes it.
struct FaultDraftBody: Encodable {
    /// Which pushes it is for.
    struct Match: Encodable {
        let topic: String?
        let token: String?
    }

    /// When it fires.
    struct When: Encodable {
        let skip: Int?
        let times: Int?
        let probability: Double?
    }

    /// What it does; one of these.
    struct Action: Encodable {
        struct Respond: Encodable {
            let status: Int
            let reason: String?
        }

        struct Delay: Encodable {
            let time: String

            enum CodingKeys: String, CodingKey {
                case time = "for"
            }
        }

        struct Stream: Encodable {
            let reset: String
        }

        struct GoAway: Encodable {
            let code: String
            let lastStream: String?
            let close: String?
            let debug: String?
        }

        struct Slow: Encodable {
            let bytesPerSecond: Int
        }

        let respond: Respond?
        let delay: Delay?
        let stream: Stream?
        let goaway: GoAway?
        let connection: String?
        let slow: Slow?
        let lose: Bool?
        let duplicate: Bool?
    }

    let name: String?
    let match: Match
    let when: When
    let action: Action

    enum CodingKeys: String, CodingKey {
        case name
        case match
        case when
        case action = "do"
    }
}
