internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsInspector
internal import MockAPNsWorld
internal import NIOCore
internal import Synchronization

struct ExecCommand: AsyncParsableCommand {
    static let configuration = command(
        "Run a command with its own server, and stop both.",
        usage: "mock-apns exec [<options of serve>] -- <command> [<argument> ...]",
        discussion: """
            The server listens on free ports and keeps certificates and a key in a temporary directory. The command \
            finds them in its environment: \(ExecVariable.allCases.map(\.rawValue).joined(separator: ", ")). \
            mock-apns verify and similar commands work in it without options. Input, output and exit code are those \
            of the command: 128 plus the number of the signal that ended it, 127 when the command is not found. When \
            it fails, a report of what the server received goes to standard error.
            """,
        examples: "mock-apns exec -- npm test",
        "mock-apns exec --strict --devices phones.json -- sh -c './send && mock-apns verify -f expect.json'"
    )

    @OptionGroup var options: ServeOptions

    @Argument(parsing: .postTerminator, help: .value("command", "The command and its arguments, after --."))
    var command: [String] = []

    func run() async throws {
        let problem = "missing command: expected one after --, such as mock-apns exec -- npm test"
        try CommandFailure.check(command.first?.isEmpty == false, .usage, problem)
        // Before other threads open descriptors.
        let inherited = SystemFacts.inheritableDescriptors
        let child = ChildProcess()
        let signals = try ForwardedSignals(to: child)
        let environment = SystemFacts.environment
        let scratch = try ScratchDirectory(environment: environment)
        defer { scratch.remove() }
        var settings = try ServeSettings(options, environment: environment, scratch: scratch)
        let problems = Mutex(ConnectionProblems())
        settings.configuration.onConnectionProblem = { problem in
            problems.withLock { $0.note(problem.description) }
        }
        let server = try await RunningServer(settings)
        let code: Int32
        do {
            // The command inherits the descriptors of this process, except those that this process opened itself.
            SystemFacts.closeOnExecution(besides: inherited)
            let variables = ExecEnvironment(
                listeners: server.server.listeners,
                notice: server.notice,
                certificates: settings.certificates.path,
                apiToken: settings.access.token
            ).added(to: environment)
            try child.start(command, environment: variables, defaultSignals: signals.handled)
            code = await child.wait()
        } catch {
            try await server.stop(grace: .zero)
            throw error
        }
        // Before the stop, which releases namespaces.
        let worlds = server.server.namespaces.all.map { ($0.name, $0.world) }
        if code != 0 { try await Self.settle(worlds.map(\.1.journal)) }
        // Before the report, so that it has the last requests too.
        try await server.stop(grace: .seconds(1))
        guard code != 0 else { return }
        let report = ExecReport(exitCode: code, worlds: worlds, problems: problems.withLock(\.self))
        Console.note(report.lines)
        throw ExitCode(code)
    }

    /// Waits until the connections of a command that has ended are closed, half a second at most.
    ///
    /// Otherwise the stop would close those whose last bytes have not been read. A daemon of the command may keep a
    /// connection open.
    private static func settle(_ journals: [Journal]) async throws {
        func isOpen(_ journal: Journal) -> Bool { journal.connections.contains { $0.closedAt == nil } }
        for _ in 0..<50 where journals.contains(where: isOpen) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
