internal import ArgumentParser
internal import MockAPNsFormats

/// `mock-apns verify`: an assertion about what arrived.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Assert what arrived; a report says what was there instead.",
        discussion: """
            Leaves with 0 when it is so, 1 when it is not, 64 when it cannot be asked, 69 when nobody answers. \
            Only pushes that were accepted count, unless the match asks for a verdict. Options add to a file.

            Example:
              mock-apns verify --topic com.example.app --title 'Order placed' --count 1 --within 5s
              mock-apns verify -f expect.json --after "$SEQ"
              mock-apns verify --sequence -f steps.json
              mock-apns verify --none-unverified --after "$SEQ"
            """
    )

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("What is expected, as JSON; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @OptionGroup var match: MatchOptions

    @Option(help: ArgumentHelp("Exactly so many pushes.", valueName: "n"))
    var count: Int?

    @Option(help: ArgumentHelp("So many pushes or more. (default: 1)", valueName: "n"))
    var atLeast: Int?

    @Option(help: ArgumentHelp("So many pushes or fewer.", valueName: "n"))
    var atMost: Int?

    @Flag(help: "No push; with --within none until then.")
    var never = false

    @Option(help: ArgumentHelp("How long to wait for it, up to 60s.", valueName: "duration"))
    var within: String?

    @Option(
        help: ArgumentHelp("How long to watch for one too many once enough are there.", valueName: "duration")
    )
    var settle: String?

    @Option(help: ArgumentHelp("Only pushes after this number.", valueName: "seq"))
    var after: UInt64?

    @Flag(help: "The file has steps, which come in this order.")
    var sequence = false

    @Flag(help: "With --sequence: no other push in between.")
    var strict = false

    @Flag(help: "Every push has been matched by a verification.")
    var noneUnverified = false

    @OptionGroup var options: AssertionOptions

    func run() async throws {
        try checkOptions()
        let request = try request()
        let waits = try [(within, "within"), (settle, "settle")].map { text, name in
            try text.map { try AssertionOptions.milliseconds($0, of: name) } ?? 0
        }
        // A file may say to wait as well.
        let longest = file == nil ? waits.reduce(0, +) : max(120_000, waits.reduce(0, +))
        switch try await options.ask(request, waiting: longest) {
        case .holds(let response):
            try options.show(response, try response.decoded(as: VerificationAnswer.self).text)
        case .failed(let response, let failed): throw options.show(response, failed)
        }
    }

    /// The question to the API.
    func request() throws -> APIRequest {
        var members: [String: JSONValue] = [:]
        members["after"] = after.map { .integer(Int64(clamping: $0)) }
        members["within"] = within.map { .string($0) }
        members["settle"] = settle.map { .string($0) }
        members["match"] = match.matcher
        if noneUnverified {
            return APIRequest("POST", ["pushes", "verify-none-unverified"]).sending(.object(members))
        }
        if sequence {
            if strict { members["strict"] = .bool(true) }
            let body = try ExpectationFile(file ?? "-").body(adding: members, list: "steps")
            return try body.sent(with: APIRequest("POST", ["pushes", "verify-sequence"]))
        }
        members["count"] = expectedCount
        let request = APIRequest("POST", ["pushes", "verify"])
        guard let file else {
            // To count pushes without saying which is to count all of them.
            if match.matcher == nil { members["match"] = .object([:]) }
            return request.sending(.object(members))
        }
        return try ExpectationFile(file).body(adding: members).sent(with: request)
    }

    private var expectedCount: JSONValue? {
        if never { return .object(["never": .bool(true)]) }
        var members: [String: JSONValue] = [:]
        members["exactly"] = count.map { .integer(Int64($0)) }
        members["atLeast"] = atLeast.map { .integer(Int64($0)) }
        members["atMost"] = atMost.map { .integer(Int64($0)) }
        return members.isEmpty ? nil : .object(members)
    }

    /// Not in `validate`, which comes before the complaint about a misspelt option.
    private func checkOptions() throws {
        let counts = [count != nil, atLeast != nil || atMost != nil, never].count { $0 }
        let problem: String? =
            if counts > 1 {
                "--count, --never, and --at-least with --at-most exclude each other"
            } else if sequence, noneUnverified {
                "--sequence and --none-unverified exclude each other"
            } else if sequence, file == nil {
                "--sequence needs the steps: -f steps.json, or -f - for standard input"
            } else if sequence, match.matcher != nil || counts > 0 || settle != nil {
                "--sequence takes --after, --within and --strict; what the pushes are to be is in its file"
            } else if noneUnverified, file != nil || counts > 0 || within != nil || settle != nil {
                "--none-unverified takes --after and what the pushes are to be, and nothing else"
            } else if strict, !sequence {
                "--strict goes with --sequence"
            } else if file != nil, match.matcher != nil {
                "--file says what the pushes are to be, so --topic and the like cannot"
            } else if file == nil, match.matcher == nil, counts == 0, !noneUnverified {
                "say what the pushes are to be: -f expect.json, -q, --topic, --token, --type, --title or --body"
            } else {
                nil
            }
        if let problem { throw CommandFailure(.usage, "\(problem); see mock-apns verify --help") }
    }
}
