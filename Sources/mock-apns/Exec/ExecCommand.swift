internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsWorld
internal import NIOCore

/// `mock-apns exec`: runs a command with a server of its own.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a command with a server of its own, and stop both.",
        usage: "mock-apns exec [<options of serve>] -- <command> [<argument> ...]",
        discussion: """
            The server listens on free ports and keeps certificates and a key in a directory that is removed \
            at the end. The command finds them in its environment: MOCK_APNS_HOST, MOCK_APNS_APNS_PORT, \
            MOCK_APNS_URL, MOCK_APNS_CA_FILE, MOCK_APNS_KEY_FILE, MOCK_APNS_KEY_ID, MOCK_APNS_TEAM_ID and \
            MOCK_APNS_API_URL; mock-apns verify and the like work in it as they are. Input, output and exit \
            code are the command's: 128 and the number of a signal that ended it, 127 when there is no such \
            command. When it fails, a report of what the server saw goes to standard error.

            Example:
              mock-apns exec -- npm test
              mock-apns exec --strict --devices phones.json -- sh -c './provider && mock-apns verify -f expect.json'
            """
    )

    @OptionGroup var options: ServeOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command and its arguments, behind --.", valueName: "command")
    )
    var command: [String] = []

    func run() async throws {
        guard command.first?.isEmpty == false else {
            throw CommandFailure(.usage, "say what to run: mock-apns exec -- npm test")
        }
        let child = ChildProcess()
        let signals = try ForwardedSignals(to: child)
        let inherited = SystemFacts.openDescriptors
        let environment = SystemFacts.environment
        let scratch = try ScratchDirectory(environment: environment)
        defer { scratch.remove() }
        let places = ServeSettings.Places(
            apnsListen: "127.0.0.1:0",
            apiListen: "127.0.0.1:0",
            certificates: scratch.path
        )
        var settings = try ServeSettings(
            options,
            environment: environment,
            processors: SystemFacts.processors,
            places: places
        )
        try settings.checkReadyDescriptor()
        if settings.isQuiet { Console.standard.beQuiet() }
        if let label = settings.label { Console.standard.beCalled(label) }
        let credentials = try ServeCredentials(
            &settings,
            isForOnce: settings.certificates.path == scratch.path
        )
        let problems = ConnectionProblems()
        settings.configuration.onConnectionProblem = { problems.note($0) }
        settings.configuration.onShortage = { Console.standard.note($0) }
        let server = try await RunningServer(settings, credentials)
        let code: Int32
        do {
            try server.announce(settings)
            // The command has what this process was given, and nothing that it opened.
            SystemFacts.closeOnExecution(besides: inherited)
            let variables = ExecEnvironment(
                listeners: server.server.listeners,
                notice: server.notice,
                certificates: settings.certificates.path,
                apiToken: settings.apiToken
            )
            try child.start(
                command,
                environment: variables.added(to: environment),
                defaultSignals: signals.handled
            )
            code = await child.wait()
        } catch {
            if let file = settings.readyFile { AtomicFile.remove(file) }
            try await server.stop(grace: .zero)
            throw error
        }
        if let file = settings.readyFile { AtomicFile.remove(file) }
        // Taken before the end, which lets go of namespaces.
        let journals = server.server.namespaces.all.map { ($0.name, $0.world.journal) }
        if code != 0 { try await Self.settle(journals.map(\.1)) }
        // First the end, then the report: what came last is in it too.
        try await server.stop(grace: .seconds(1))
        guard code != 0 else { return }
        let report = ExecReport(
            exitCode: code,
            journals: journals,
            problems: problems.summary
        )
        Console.standard.note(report.lines.joined(separator: "\n"))
        throw ExitCode(code)
    }

    /// Lets the server see how the connections of a command that has ended came to their own ends.
    ///
    /// A stop would otherwise be the reason of those whose last bytes have not been read. What else holds a
    /// connection open, such as a daemon that the command left behind, is not waited for long.
    private static func settle(_ journals: [Journal]) async throws {
        func isOpen(_ journal: Journal) -> Bool { journal.connections.contains { $0.closedAt == nil } }
        for _ in 0..<50 where journals.contains(where: isOpen) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
