internal import ArgumentParser
internal import MockAPNsFormats

/// `mock-apns explain`: why a push is what is expected, or is not.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show how a push stands to each condition of an expectation.",
        discussion: """
            The file is the one that verify takes, or what stands in it under "match". Nothing is asserted: \
            this leaves with 0 either way.

            Example:
              mock-apns explain latest -f expect.json
              mock-apns explain psh_0000010000000001 --topic com.example.app
            """
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("What is expected, as JSON; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var file: String?

    @OptionGroup var match: MatchOptions

    @OptionGroup var options: AssertionOptions

    func run() async throws {
        guard (file == nil) != (match.matcher == nil) else {
            throw CommandFailure(
                .usage,
                "say what is expected, with -f expect.json or with options such as --topic; not with both"
            )
        }
        let matcher = try file.map { try ExpectationFile($0).matcher() } ?? match.matcher ?? .object([:])
        let id = try await push.id(options.api)
        let request = APIRequest("POST", ["pushes", "explain"]).sending(
            .object(["match": matcher, "id": .string(id)])
        )
        switch try await options.ask(request) {
        case .holds(let response), .failed(let response, _):
            try options.show(response, try response.decoded(as: FailedVerification.self).report)
        }
    }
}
