internal import ArgumentParser
internal import MockAPNsAPI

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show which conditions of an expectation a push meets.",
        discussion: """
            The file is one for verify, or its member "match". The exit code is 0 whether the push matches or not.
            """,
        examples: "mock-apns explain latest -f expect.json",
        "mock-apns explain psh_0000010000000001 --topic com.example.app"
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @OptionGroup var match: MatchOptions

    @OptionGroup var options: AssertionOptions

    func run() async throws {
        guard (match.file == nil) != (match.matcher == nil) else {
            throw CommandFailure(
                .usage,
                "expected either -f expect.json or options such as --topic"
            )
        }
        let matcher = try match.file.map { try ExpectationFile($0).matcher() } ?? match.matcher
        let id = try await push.id(options.api)
        let request = APIRequest("POST", ["pushes", "explain"]).sending(["match": matcher, "id": id])
        switch try await options.ask(request) {
        case .holds(let response), .failed(let response, _):
            try options.show(response, try response.decoded(as: ExplanationShape.self).report)
        }
    }
}
