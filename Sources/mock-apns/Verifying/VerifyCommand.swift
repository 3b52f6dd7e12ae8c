internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsQuery

struct VerifyCommand: ClientTask {
    static let configuration = command(
        "Verify the received pushes; if that fails, print a report.",
        discussion: """
            The exit code is 0 when the verification passes, 1 when it fails, 64 when the request is invalid, \
            66 when the file is not found, 69 when no server responds or the namespace is deleted meanwhile. Only accepted pushes count, unless the match has a verdict. \
            Options replace members of the file.
            """, examples: "mock-apns verify --topic com.example.app --title 'Order placed' --count 1 --within 5s",
        #"mock-apns verify -f expect.json --after "$SEQ""#, "mock-apns verify --sequence -f steps.json",
        #"mock-apns verify --none-unverified --after "$SEQ""#)

    @OptionGroup var match: MatchOptions

    @Option("n", "The exact number of pushes.") var count: Int?

    @Option("n", "The minimum number of pushes. (default: 1)") var atLeast: Int?

    @Option("n", "The maximum number of pushes.") var atMost: Int?

    @Flag(help: "No push may match; with --within, until then.") var never = false

    @Option("duration", "How long to wait for the pushes, up to 60s.") var within: String?

    @Option("duration", "How long to wait for surplus pushes once there are enough.") var settle: String?

    @Option("seq", "Only pushes after this number.") var after: UInt64?

    @Flag(help: "The file has steps; the pushes must come in this order.") var sequence = false

    @Flag(help: "With --sequence: no other push in between.") var strict = false

    @Flag(help: "Every push must have matched a verification.") var noneUnverified = false

    func run(_ options: AssertionOptions) async throws {
        try checkOptions()
        let request = try request()
        let waits = try [(within, "--within"), (settle, "--settle")].map { text, option in
            try text.map { try DurationText.milliseconds($0, option: option) } ?? 0
        }
        // A file may contain a wait as well.
        let longest = match.file == nil ? waits.reduce(0, +) : max(120_000, waits.reduce(0, +))
        let (response, report) = try await options.ask(request, waiting: longest)
        if let report {
            options.show(response, report: report, .bad)
            throw ExitCode.unmet
        }
        try options.show(
            response,
            noneUnverified
                ? response.decoded(as: NoneUnverifiedShape.self) { $0.text }
                : response.decoded(as: VerifiedShape.self) { $0.text })
    }

    private func request() throws -> APIRequest {
        let path = noneUnverified ? "verify-none-unverified" : sequence ? "verify-sequence" : "verify"
        let count = JSONValue.given([
            "never": never ? true : nil, "exactly": count, "atLeast": atLeast, "atMost": atMost,
        ])
        // A count alone is the count of all pushes.
        let all: JSONValue? = count == nil || match.file != nil ? nil : [:]
        let members: [String: (any ShapeValue)?] = [
            "after": after, "within": within, "settle": settle, "match": match.matcher ?? all,
            "strict": strict ? true : nil, "count": count,
        ]
        let request = APIRequest("POST", ["pushes", path])
        guard let file = match.file else { return request.sending(members) }
        let added = members.compactMapValues { $0?.json }
        let list = sequence ? "steps" : nil
        return request.sending(try ExpectationFile(name: file).body(adding: added, list: list), from: file)
    }

    /// Not in `validate`, which runs before misspelt options are reported.
    private func checkOptions() throws {
        let counts = [count != nil, atLeast != nil || atMost != nil, never].count { $0 }
        let (hasMatcher, hasFile) = (match.matcher != nil, match.file != nil)
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
            ), (strict && !sequence, "--strict needs --sequence"),
            ((atLeast ?? 0) > (atMost ?? .max), "--at-least is more than --at-most"),
            (hasFile && hasMatcher, "--file cannot be combined with conditions such as --topic"),
            (
                !hasFile && !hasMatcher && counts == 0 && !noneUnverified,
                "missing expectation: use -f expect.json, -q, --topic, --token, --push-type, --title or --body"
            ),
        ]
        let problem = problems.first(where: \.0)?.1
        if let problem { throw CommandFailure(.usage, "\(problem); see mock-apns verify --help") }
    }
}

struct WaitCommand: ClientTask {
    static let configuration = command(
        "Wait for pushes.",
        discussion: """
            The exit code is 0 when they are received in time, 1 when they are not, 64 when the request is invalid, 69 \
            when no server responds or the namespace is deleted meanwhile. Only accepted pushes count, unless the search has a verdict, as is:rejected. \
            Earlier pushes count too; --after excludes them.
            """, examples: "SEQ=$(curl -fsS localhost:8197/api/v1/seq | jq .seq)",
        #"mock-apns wait -q 'topic:com.example.app has:badge' --count 3 --timeout 5s --after "$SEQ""#)

    /// The longest wait in one request of the API, in milliseconds.
    private static let longestPiece: Int64 = 60_000

    @OptionGroup var filters: PushFilters

    @Option(help: .value("n", "The number of pushes.")) var count = 1

    @Option(help: .value("duration", "How long to wait.")) var timeout = "30s"

    func run(_ options: AssertionOptions) async throws {
        var left = try DurationText.milliseconds(timeout, option: "--timeout")
        while true {
            let piece = min(left, Self.longestPiece)
            let response = try await options.ask(request(piece), waiting: piece).response
            let (table, matched) = try response.decoded(as: PushPageShape.self) { page in
                (page.satisfied ? APIObject<PushSummaryShape>.table(page.summaries, full: false) : nil, page.matched)
            }
            if let table { return options.show(response, table) }
            left -= piece
            if left > 0 { continue }
            // A wait in vain reports the pushes received instead, as a failed verification does.
            var text = "received \(matched) of \(count) pushes within \(timeout)"
            if !options.json, let matcher = filters.matcher {
                let request = APIRequest("POST", ["pushes", "verify"]).sending([
                    "match": matcher, "count": JSONValue.members(["atLeast": count]), "after": filters.after,
                ])
                let report = try await options.ask(request).report
                text += report.map { "\n\($0)" } ?? "; the rest has arrived since"
            }
            options.show(response, report: text, .bad)
            throw ExitCode.unmet
        }
    }

    /// One wait of the API.
    ///
    /// Each covers all pushes again: one that was not delivered before may be delivered now.
    func request(_ piece: Int64) -> APIRequest {
        let asksForVerdict = filters.query.contains(where: SearchText.asksForVerdict)
        let form = [
            ("outcome", asksForVerdict ? nil : "accepted"), ("wait", "\(piece)ms"), ("count", "\(count)"),
            ("limit", "1000"), ("fields", "summary"),
        ]
        return APIRequest("GET", ["pushes"], query: filters.parameters + form)
    }
}

struct ExplainCommand: ClientTask {
    static let configuration = command(
        "Show which conditions of an expectation a push meets.",
        discussion: """
            The file is one for verify, or its member "match". The exit code is 0 whether the push matches or not.
            """, examples: "mock-apns explain latest -f expect.json",
        "mock-apns explain psh_0000010000000001 --topic com.example.app")

    @Argument(help: PushArgument.help) var push: PushArgument

    @OptionGroup var match: MatchOptions

    func run(_ options: AssertionOptions) async throws {
        let isOne = (match.file == nil) != (match.matcher == nil)
        try CommandFailure.check(isOne, .usage, "expected either -f expect.json or options such as --topic")
        let matcher = try match.file.map { try ExpectationFile(name: $0).matcher() } ?? match.matcher
        let id = try await push.id(options.api)
        let request = APIRequest("POST", ["pushes", "explain"]).sending(["match": matcher, "id": id])
        let response = try await options.ask(request).response
        options.show(response, report: try response.decoded(as: ExplanationShape.self) { $0.report })
    }
}
