internal import ArgumentParser

/// A command that runs with the variables of a server, and whose exit code becomes that of this program.
struct CommandRun {
    private let command: [String]
    private let inherited: [Int32: String]
    private let child = ChildProcess()
    private let signals: ForwardedSignals
    let scratch: ScratchDirectory
    let environment: [String: String]

    /// Prepares a run, before other threads open descriptors; `example` shows what is expected.
    init(_ command: [String], example: String) throws {
        let problem = "missing command: expected one after --, such as \(example)"
        try CommandFailure.check(command.first?.isEmpty == false, .usage, problem)
        self.command = command
        inherited = SystemFacts.inheritableDescriptors
        signals = try ForwardedSignals(to: child)
        environment = SystemFacts.environment
        scratch = try ScratchDirectory(environment: environment)
    }

    /// Runs the command and returns its exit code, or 128 plus the signal that ended it.
    func run(
        _ variables: ExecEnvironment, trusting authority: String?, through interception: Interception?
    ) async throws -> Int32 {
        // The command inherits the descriptors of this process, except those that this process opened itself.
        SystemFacts.closeOnExecution(besides: inherited)
        var environment = variables.added(to: environment)
        if let authority {
            let trust = TrustVariables(authority: authority, directory: scratch.path + "/trust")
            environment = try trust.added(to: environment)
        }
        if let warning = interception?.routes.warning { Console.note(warning) }
        try child.start(command, environment: environment, defaultSignals: signals.handled, through: interception)
        return await child.wait()
    }
}

/// The options of commands that run another one.
struct RunOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: .init(
            "Let the command's programs trust the server, by variables such as SSL_CERT_FILE. (default: --trust)"))
    var trust: Bool?

    @Flag(
        help: .init(
            "Show Apple's hosts in /etc/hosts to every intercepted program.",
            discussion: "For programs that look names up themselves; opening files is slower.")) var hostsFile = false
}
