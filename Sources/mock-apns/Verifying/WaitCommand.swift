internal import ArgumentParser
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsQuery

/// `mock-apns wait`: waits until pushes are there.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until pushes have arrived.",
        discussion: """
            Leaves with 0 when they are there, 1 when they are not in time, 64 when it cannot be asked, 69 when \
            nobody answers. Only pushes that were accepted count, unless the search asks for a verdict, as \
            is:rejected does. Pushes that are there already count too: --after says from where on.

            Example:
              SEQ=$(curl -fsS localhost:8197/api/v1/seq | jq .seq)
              mock-apns wait -q 'topic:com.example.app has:badge' --count 3 --timeout 5s --after "$SEQ"
            """
    )

    /// The longest wait that the API takes at once, in milliseconds.
    static let longestPiece: Int64 = 60_000

    @OptionGroup var filters: PushFilters

    @Option(help: ArgumentHelp("How many pushes.", valueName: "n"))
    var count = 1

    @Option(help: ArgumentHelp("How long to wait.", valueName: "duration"))
    var timeout = "30s"

    @OptionGroup var options: AssertionOptions

    func run() async throws {
        let limit = try AssertionOptions.milliseconds(timeout, of: "timeout")
        var left = limit
        while true {
            let piece = min(left, Self.longestPiece)
            guard case .holds(let response) = try await options.ask(request(piece), waiting: piece) else {
                return
            }
            let page = try response.decoded(as: PushPageAnswer.self)
            if page.satisfied {
                return options.show(response, PushSummaryAnswer.table(page.pushes, full: false))
            }
            left -= piece
            guard left > 0 else { return try await giveUp(response, page, limit) }
        }
    }

    /// One wait of the API.
    ///
    /// Each looks at the whole window again: what was not yet delivered may be by now.
    func request(_ piece: Int64) -> APIRequest {
        let asksForVerdict = filters.query.contains(where: SearchVerdict.isAsked(by:))
        return APIRequest(
            "GET",
            ["pushes"],
            query: filters.parameters + [
                ("outcome", asksForVerdict ? nil : "accepted"), ("wait", "\(piece)ms"), ("count", "\(count)"),
                ("limit", "1000"), ("fields", "summary"),
            ]
        )
    }

    /// Says what was there instead, in the words of a verification that is not so.
    private func giveUp(_ response: APIResponse, _ page: PushPageAnswer, _ limit: Int64) async throws {
        let unmet = ExitCode(CommandFailure.Status.unmet.rawValue)
        let headline = "\(page.matched) of \(count) pushes came within \(timeout)"
        guard !options.json, let matcher = filters.matcher else {
            options.show(response, headline)
            throw unmet
        }
        var expectation: [String: JSONValue] = [
            "match": matcher, "count": .object(["atLeast": .integer(Int64(count))]),
        ]
        expectation["after"] = filters.after.map { .integer(Int64(clamping: $0)) }
        let request = APIRequest("POST", ["pushes", "verify"]).sending(.object(expectation))
        if case .failed(let response, let failed) = try await options.ask(request) {
            options.show(response, "\(headline)\n\(failed.report)")
        } else {
            options.show(response, "\(headline); enough have come since")
        }
        throw unmet
    }
}
