internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsInspector

struct ServeCommand: AsyncParsableCommand {
    static let configuration = command(
        "Run the server.",
        discussion: """
            Prints one line, "mock-apns ready ...", on standard output once everything accepts connections. \
            SIGTERM or SIGINT stops it within five seconds; a second one at once.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let signals = try StopSignals()
        SystemFacts.raiseFileLimit()
        var settings = try ServeSettings(options, environment: SystemFacts.environment)
        let problems = ProblemLog()
        settings.configuration.onConnectionProblem = { problems.note($0.description) }
        let server = try await RunningServer(settings) { signals.ask() }
        Console.standard.answer(server.notice.line)
        if let warning = settings.apiWarning { Console.standard.note(warning) }
        await signals.wait()
        Console.standard.note("stopping; a second signal stops at once")
        server.inspector.markStopping()
        try await server.stop()
    }
}
