internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

struct WaitCommand: AsyncParsableCommand {
    static let configuration = command(
        "Wait for pushes.",
        discussion: """
            The exit code is 0 when they are received in time, 1 when they are not, 64 when the request is invalid, 69 \
            when no server responds. Only accepted pushes count, unless the search has a verdict, as is:rejected. \
            Earlier pushes count too; --after excludes them.
            """,
        examples: "SEQ=$(curl -fsS localhost:8197/api/v1/seq | jq .seq)",
        #"mock-apns wait -q 'topic:com.example.app has:badge' --count 3 --timeout 5s --after "$SEQ""#
    )

    /// The longest wait in one request of the API, in milliseconds.
    private static let longestPiece: Int64 = 60_000

    @OptionGroup var filters: PushFilters

    @Option(help: .value("n", "The number of pushes."))
    var count = 1

    @Option(help: .value("duration", "How long to wait."))
    var timeout = "30s"

    @OptionGroup var options: AssertionOptions

    func run() async throws {
        var left = try DurationText.milliseconds(timeout, option: "--timeout")
        while true {
            let piece = min(left, Self.longestPiece)
            guard case .holds(let response) = try await options.ask(request(piece), waiting: piece) else {
                return
            }
            let page = try response.decoded(as: PushPageShape.self)
            if page.satisfied {
                let text = APIObject<PushSummaryShape>.table(try page.summaries, full: false)
                return options.show(response, text)
            }
            left -= piece
            guard left > 0 else { return try await giveUp(response, page) }
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

    /// Reports the pushes received instead, as a failed verification does.
    private func giveUp(_ response: APIResponse, _ page: APIObject<PushPageShape>) async throws {
        let unmet = ExitCode(CommandFailure.Status.unmet.rawValue)
        let headline = "received \(page.matched) of \(count) pushes within \(timeout)"
        guard !options.json, let matcher = filters.matcher else {
            options.show(response, headline)
            throw unmet
        }
        let request = APIRequest("POST", ["pushes", "verify"]).sending([
            "match": matcher, "count": JSONValue.members(["atLeast": count]), "after": filters.after,
        ])
        if case .failed(let response, let failed) = try await options.ask(request) {
            options.show(response, "\(headline)\n\(failed.report ?? failed.detail)")
        } else {
            options.show(response, "\(headline); the rest has arrived since")
        }
        throw unmet
    }
}
