internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = command(
        "Verify the received pushes; if that fails, print a report.",
        discussion: """
            The exit code is 0 when the verification passes, 1 when it fails, 64 when the request is invalid, \
            69 when no server responds. Only accepted pushes count, unless the match has a verdict. \
            Options replace members of the file.
            """,
        examples: "mock-apns verify --topic com.example.app --title 'Order placed' --count 1 --within 5s",
        #"mock-apns verify -f expect.json --after "$SEQ""#,
        "mock-apns verify --sequence -f steps.json",
        #"mock-apns verify --none-unverified --after "$SEQ""#
    )

    @OptionGroup var match: MatchOptions

    @Option(help: .value("n", "The exact number of pushes."))
    var count: Int?

    @Option(help: .value("n", "The minimum number of pushes. (default: 1)"))
    var atLeast: Int?

    @Option(help: .value("n", "The maximum number of pushes."))
    var atMost: Int?

    @Flag(help: "No push may match; with --within, until then.")
    var never = false

    @Option(help: .value("duration", "How long to wait for the pushes, up to 60s."))
    var within: String?

    @Option(help: .value("duration", "How long to wait for surplus pushes once there are enough."))
    var settle: String?

    @Option(help: .value("seq", "Only pushes after this number."))
    var after: UInt64?

    @Flag(help: "The file has steps; the pushes must come in this order.")
    var sequence = false

    @Flag(help: "With --sequence: no other push in between.")
    var strict = false

    @Flag(help: "Every push must have matched a verification.")
    var noneUnverified = false

    @OptionGroup var options: AssertionOptions

    func run() async throws {
        try checkOptions()
        let request = try request()
        let waits = try [(within, "--within"), (settle, "--settle")].map { text, option in
            try text.map { try DurationText.milliseconds($0, option: option) } ?? 0
        }
        // A file may contain a wait as well.
        let longest = match.file == nil ? waits.reduce(0, +) : max(120_000, waits.reduce(0, +))
        switch try await options.ask(request, waiting: longest) {
        case .holds(let response):
            if noneUnverified {
                try options.show(response, try response.decoded(as: NoneUnverifiedShape.self).text)
            } else {
                try options.show(response, try response.decoded(as: VerifiedShape.self).text)
            }
        case .failed(let response, let failed):
            options.show(response, failed.report ?? failed.detail)
            throw ExitCode(CommandFailure.Status.unmet.rawValue)
        }
    }

    private func request() throws -> APIRequest {
        let path = noneUnverified ? "verify-none-unverified" : sequence ? "verify-sequence" : "verify"
        var members: [String: JSONValue] = [:]
        members["after"] = after?.json
        members["within"] = within?.json
        members["settle"] = settle?.json
        members["match"] = match.matcher
        if sequence {
            members["strict"] = strict ? true : nil
        } else if !noneUnverified {
            members["count"] = expectedCount
            // A count alone is the count of all pushes.
            if match.file == nil, match.matcher == nil { members["match"] = .object([:]) }
        }
        let body = try match.file.map {
            try ExpectationFile($0).body(adding: members, list: sequence ? "steps" : nil)
        }
        return APIRequest("POST", ["pushes", path]).sending(body ?? JSONValue.object(members).text)
    }

    private var expectedCount: JSONValue? {
        if never { return .object(["never": true]) }
        if count == nil, atLeast == nil, atMost == nil { return nil }
        return .members(["exactly": count, "atLeast": atLeast, "atMost": atMost])
    }

    /// Not in `validate`, which runs before misspelt options are reported.
    private func checkOptions() throws {
        let counts = [count != nil, atLeast != nil || atMost != nil, never].count { $0 }
        let hasMatcher = match.matcher != nil
        let hasFile = match.file != nil
        let problems = [
            (counts > 1, "--count, --never, and --at-least with --at-most cannot be combined"),
            (sequence && noneUnverified, "--sequence and --none-unverified cannot be combined"),
            (sequence && !hasFile, "--sequence needs -f steps.json, or -f - for standard input"),
            (
                sequence && (hasMatcher || counts > 0 || settle != nil),
                "--sequence can be combined with --after, --within and --strict only; its file has the conditions"
            ),
            (
                noneUnverified && (hasFile || counts > 0 || within != nil || settle != nil),
                "--none-unverified can be combined with --after and conditions such as --topic only"
            ),
            (strict && !sequence, "--strict needs --sequence"),
            (hasFile && hasMatcher, "--file cannot be combined with conditions such as --topic"),
            (
                !hasFile && !hasMatcher && counts == 0 && !noneUnverified,
                "missing expectation: use -f expect.json, -q, --topic, --token, --type, --title or --body"
            ),
        ]
        let problem = problems.first(where: \.0)?.1
        if let problem { throw CommandFailure(.usage, "\(problem); see mock-apns verify --help") }
    }
}
