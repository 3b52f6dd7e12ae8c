internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsInspector
internal import NIOCore

/// `mock-apns serve`: runs the server until it is told to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server (default).",
        discussion: """
            Prints one line, "mock-apns ready ...", on standard output once everything accepts connections. \
            SIGTERM or SIGINT stops it within five seconds; a second one at once.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let signals = try StopSignals()
        SystemFacts.raiseFileLimit()
        var settings = try ServeSettings(
            options,
            environment: SystemFacts.environment,
            processors: SystemFacts.processors
        )
        try settings.checkReadyDescriptor()
        if settings.isQuiet { Console.standard.beQuiet() }
        if let label = settings.label { Console.standard.beCalled(label) }
        let credentials = try ServeCredentials(&settings)
        let problems = ProblemLog()
        settings.configuration.onConnectionProblem = { problems.note($0) }
        settings.configuration.onShortage = { Console.standard.note($0) }
        let server = try await RunningServer(settings, credentials) { signals.ask() }
        do {
            try server.announce(settings)
            Console.standard.answer(server.notice.line)
            if let warning = settings.apiWarning { Console.standard.note(warning) }
        } catch {
            try await server.stop(grace: .zero)
            throw error
        }

        await signals.wait()
        Console.standard.note("stopping; once more to stop at once")
        server.inspector.markStopping()
        if let file = settings.readyFile { AtomicFile.remove(file) }
        try await server.stop()
    }
}
