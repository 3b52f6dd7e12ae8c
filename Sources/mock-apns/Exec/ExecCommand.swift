internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsInspector
internal import MockAPNsTransport
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

            With --intercept, all that the command and its children send to Apple's push hosts arrives at the \
            server, without a change of the command: by host name, at ports 443, 2197, 2195 and 2196, for production \
            and the sandbox. Linux only; the limits are in docs/intercept.md.

            Programs of the command trust the server by the variables \
            \(TrustVariables.names.joined(separator: ", ")).
            """, examples: "mock-apns exec -- npm test", "mock-apns exec --intercept --auth wellformed -- ./provider",
        "mock-apns exec --strict --devices phones.json -- sh -c './send && mock-apns verify -f expect.json'")

    @Flag(help: "Lead the command's connections to Apple's push hosts to the server.") var intercept = false

    @OptionGroup var runOptions: RunOptions

    @OptionGroup var options: ServeOptions

    @Argument(parsing: .postTerminator, help: .value("command", "The command and its arguments, after --."))
    var command: [String] = []

    func run() async throws {
        try CommandFailure.check(
            intercept || !runOptions.hostsFile, .usage,
            "--hosts-file has no effect without --intercept: add --intercept")
        let run = try CommandRun(command, example: "mock-apns exec -- npm test")
        defer { run.scratch.remove() }
        var settings = try ServeSettings(options, environment: run.environment, scratch: run.scratch)
        let chosen = settings.configuration.listeners.count
        if intercept { HostRoutes.complete(&settings.configuration) }
        let problems = Mutex(ConnectionProblems())
        settings.configuration.onConnectionProblem = { problem in problems.withLock { $0.note(problem.description) } }
        let server = try await RunningServer(settings)
        // Not 0 if the numbers go on after those of an earlier run, with --data.
        let before = server.server.admission.lastNumber
        let advice = KeyAdvice(server.server.namespaces)
        let advising = Task { await advice.run() }
        let code: Int32
        do {
            code = try await run.run(
                ExecEnvironment(
                    listeners: Array(server.server.listeners.prefix(chosen)), notice: server.notice,
                    certificates: settings.certificates.path, apiToken: settings.access.token),
                trusting: runOptions.trust == false ? nil : server.authority,
                through: intercept
                    ? Interception(
                        HostRoutes(to: server.server), showsHostsFile: runOptions.hostsFile,
                        environment: run.environment) : nil)
        } catch {
            try await server.stop(grace: .zero)
            throw error
        }
        // Before the stop, which releases namespaces.
        let worlds = server.server.namespaces.all.map { ($0.name, $0.world) }
        if code != 0 { try await Self.settle(worlds.map(\.1.journal)) }
        // Before the report, so that it has the last requests too.
        try await server.stop(grace: .seconds(1))
        advising.cancel()
        await advising.value
        // The last push may have come with the end of the command.
        for (_, world) in worlds { advice.look(at: world.journal) }
        Interception.leave()
        guard code != 0 else { return }
        let report = ExecReport(
            exitCode: code, worlds: worlds, tally: server.server.namespaces.tally,
            connections: server.server.admission.lastNumber - before, problems: problems.withLock(\.self),
            intercepts: intercept)
        Console.note(report.lines)
        throw ExitCode(code)
    }

    /// Waits until the connections of a command that has ended are closed, half a second at most.
    ///
    /// Otherwise the stop would close those whose last bytes have not been read. A daemon of the command may keep a
    /// connection open.
    private static func settle(_ journals: [Journal]) async throws {
        func isOpen(_ journal: Journal) -> Bool { journal.connections.contains { $0.closedAt == nil } }
        for _ in 0..<50 where journals.contains(where: isOpen) { try await Task.sleep(for: .milliseconds(10)) }
    }
}
