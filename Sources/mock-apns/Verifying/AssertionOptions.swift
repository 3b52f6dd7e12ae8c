internal import ArgumentParser
internal import MockAPNsFormats
internal import NIOCore

/// The options of the commands that scripts decide by: they print a text wherever they run, and JSON when told to.
struct AssertionOptions: ParsableArguments {
    @OptionGroup var api: APIOptions

    @Flag(help: "Print the JSON of the API in place of a text.")
    var json = false

    /// The longest that the API may take besides what it is told to wait.
    private static let patience = TimeAmount.seconds(30)

    /// Asks the API.
    ///
    /// What cannot be asked is told apart from what is asked and is not so: a script must not take one for the other.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - wait: how long the API is told to wait, in milliseconds.
    /// - Returns: an answer, or the report of a failed verification.
    /// - Throws: `CommandFailure` when nobody answers, or the API cannot be asked this.
    func ask(_ request: APIRequest, waiting wait: Int64 = 0) async throws -> Outcome {
        let client = try api.client()
        let response = try await client.send(request, timeout: Self.patience + .milliseconds(wait))
        if response.status == 409, let failed = try? response.decoded(as: FailedVerification.self) {
            return .failed(response, failed)
        }
        do {
            try ClientOptions.check(response, of: client.address)
        } catch let failure as CommandFailure where failure.status == .unmet {
            throw CommandFailure(response.status == 503 ? .unreachable : .usage, failure.message)
        }
        return .holds(response)
    }

    /// Prints an answer.
    func show(_ response: APIResponse, _ text: @autoclosure () throws -> String) rethrows {
        if json {
            Console.standard.write(response.text + (response.body.last == 0x0a ? "" : "\n"), to: 1)
        } else {
            Self.print(try text())
        }
    }

    /// Prints the report of a verification that failed.
    ///
    /// - Returns: what the command leaves with.
    func show(_ response: APIResponse, _ failed: FailedVerification) -> ExitCode {
        show(response, failed.report)
        return ExitCode(CommandFailure.Status.unmet.rawValue)
    }

    /// Reads a duration of the command line, in milliseconds.
    ///
    /// - Throws: `CommandFailure` for what is none.
    static func milliseconds(_ text: String, of option: String) throws -> Int64 {
        do {
            return try DurationText.milliseconds(text)
        } catch {
            throw CommandFailure(.usage, "--\(option): '\(text)' should be \(DurationText.expected)")
        }
    }

    /// What the API makes of an assertion.
    enum Outcome {
        case holds(APIResponse)
        case failed(APIResponse, FailedVerification)
    }

    private static func print(_ text: String) {
        // A report has no control characters of its own; a server of another kind may.
        Console.standard.answer(PushDocument.harmless(Array(text.utf8)))
    }
}

/// A verification that failed, as the API shows it.
struct FailedVerification: Decodable {
    let report: String
}

/// A verification that succeeded, as the API shows it.
struct VerificationAnswer: Decodable {
    /// More ids than this are only counted.
    private static let mostShown = 5

    let verification: String?
    let count: Int?
    let matched: [String]?
    let elapsedMs: Int?

    /// One line.
    var text: String {
        let ids = matched ?? []
        let count = count ?? ids.count
        let pushes = count == 1 ? "1 push" : "\(count) pushes"
        let shown = ids.prefix(Self.mostShown).joined(separator: " ")
        let rest = count > Self.mostShown ? " and \(count - Self.mostShown) more" : ""
        let time = elapsedMs.map { " in \($0) ms" } ?? ""
        return TerminalText.plain("ok: \(pushes)\(time)\(ids.isEmpty ? "" : "  \(shown)\(rest)")")
    }
}
