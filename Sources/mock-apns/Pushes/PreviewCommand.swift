internal import ArgumentParser

/// `mock-apns preview`: what iOS would show of a push.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Show what iOS would show of a push, or draw it.",
        discussion: """
            Without -o it says what would be shown; with it, a picture is written: an approximation, as SVG.

            Example:
              mock-apns preview latest
              mock-apns preview latest --view banner --appearance dark -o banner.svg
            """
    )

    @Argument(help: PushArgument.help)
    var push: PushArgument

    @Option(
        help: ArgumentHelp(
            "With -o: lock-screen, banner, notification-center, watch or live-activity.",
            valueName: "view"
        )
    )
    var view: String?

    @Option(help: ArgumentHelp("With -o: light or dark.", valueName: "appearance"))
    var appearance: String?

    @Option(help: ArgumentHelp("The language of the device: de or pt-BR, say.", valueName: "language"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "What the app is doing: foreground, background, terminated or forceQuit.",
            valueName: "state"
        )
    )
    var appState: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The picture's file; - is standard output.", valueName: "file")
    )
    var output: String?

    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard output == nil, view != nil || appearance != nil else { return }
        throw ValidationError("--view and --appearance are for a picture: name its file with -o.")
    }

    func run() async throws {
        let id = try await push.id(client.api)
        let query = [(name: "language", value: language), (name: "appState", value: appState)]
        guard let output else {
            let response = try await client.ask(APIRequest("GET", ["pushes", id, "preview"], query: query))
            return try client.show(response, as: PreviewAnswer.self) { $0.text }
        }
        let form = query + [(name: "view", value: view), (name: "appearance", value: appearance)]
        let asking = try client.api.client()
        let response = try await asking.send(
            APIRequest("GET", ["pushes", id, "preview.svg"], query: form)
        )
        guard response.status == 200, response.contentType == "image/svg+xml" else {
            return try ClientOptions.check(response, of: asking.address)
        }
        if output == "-" {
            Console.standard.write(response.body, to: 1)
        } else {
            try AtomicFile.write(response.text, to: output, access: .everyone)
            Console.standard.note("\(output) is written")
        }
    }
}
