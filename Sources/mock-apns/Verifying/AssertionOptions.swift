internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import NIOCore

/// The options of the commands for scripts: they print text unless `--json` is given, on a terminal or not.
struct AssertionOptions: ParsableArguments {
    @OptionGroup var api: APIOptions

    @Flag(help: "Print the JSON of the API instead of text.")
    var json = false

    /// The result of an assertion.
    enum Outcome {
        case holds(APIResponse)
        case failed(APIResponse, APIObject<ProblemShape>)
    }

    /// Sends a request that asks the API to wait for some milliseconds.
    ///
    /// An invalid request has another exit code than an assertion that fails, so that scripts can tell them apart.
    func ask(_ request: APIRequest, waiting wait: Int64 = 0) async throws -> Outcome {
        let client = try api.client()
        let response = try await client.send(request, timeout: .seconds(30) + .milliseconds(wait))
        if response.status == 409, let failed = try? response.decoded(as: ProblemShape.self) {
            return .failed(response, failed)
        }
        do {
            try client.check(response)
        } catch let failure as CommandFailure where failure.status == .unmet {
            throw CommandFailure(response.status == 503 ? .unreachable : .usage, failure.message)
        }
        return .holds(response)
    }

    func show(_ response: APIResponse, _ text: @autoclosure () throws -> String) rethrows {
        if json {
            response.print()
        } else {
            // A report has no control characters; the response of another server may have some.
            Console.standard.answer(TerminalText.plainLines(Array(try text().utf8)))
        }
    }
}

extension APIObject<VerifiedShape> {
    /// Further ids are only counted.
    private static let mostShown = 5

    var text: String {
        let ids = self.matched
        let count = self.count ?? ids.count
        let shown = ids.prefix(Self.mostShown).joined(separator: " ")
        let rest = count > Self.mostShown ? " and \(count - Self.mostShown) more" : ""
        let time = self.elapsedMs.map { " in \($0) ms" } ?? ""
        return TerminalText.plain(
            "ok: \(counted(count, "push", "pushes"))\(time)\(ids.isEmpty ? "" : "  \(shown)\(rest)")"
        )
    }
}

extension APIObject<NoneUnverifiedShape> {
    var text: String { "ok: \(counted(self.count, "push", "pushes"))" }
}
