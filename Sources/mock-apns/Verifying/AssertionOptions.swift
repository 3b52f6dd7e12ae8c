internal import ArgumentParser
internal import MockAPNsAPI
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
    ///
    /// - Throws: `CommandFailure` when there is no response, or the API refuses the request.
    func ask(_ request: APIRequest, waiting wait: Int64 = 0) async throws -> Outcome {
        let client = try api.client()
        let response = try await client.send(request, timeout: .seconds(30) + .milliseconds(wait))
        if response.status == 409, let failed = try? response.decoded(as: APIObject<ProblemShape>.self) {
            return .failed(response, failed)
        }
        do {
            try ClientOptions.check(response, of: client.address)
        } catch let failure as CommandFailure where failure.status == .unmet {
            throw CommandFailure(response.status == 503 ? .unreachable : .usage, failure.message)
        }
        return .holds(response)
    }

    /// Prints a response, as JSON or as the given text.
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

    /// One line.
    var text: String {
        let ids = self.matched
        let count = self.count ?? ids.count
        let shown = ids.prefix(Self.mostShown).joined(separator: " ")
        let rest = count > Self.mostShown ? " and \(count - Self.mostShown) more" : ""
        let time = self.elapsedMs.map { " in \($0) ms" } ?? ""
        return TerminalText.plain("ok: \(pushes(count))\(time)\(ids.isEmpty ? "" : "  \(shown)\(rest)")")
    }
}

extension APIObject<NoneUnverifiedShape> {
    /// One line.
    var text: String { "ok: \(pushes(self.count))" }
}

private func pushes(_ count: Int) -> String { count == 1 ? "1 push" : "\(count) pushes" }
