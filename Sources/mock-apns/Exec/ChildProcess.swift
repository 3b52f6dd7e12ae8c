internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A command with this process's input, output, terminal and process group.
final class ChildProcess: Sendable {
    private enum Stage {
        /// Signals that arrived before the start.
        case awaited([Int32])
        case running(pid_t)
        case ended
    }

    private let stage = Mutex(Stage.awaited([]))

    /// Starts the command, which is not empty, with the default handling of the signals that this process handles.
    func start(
        _ command: [String], environment: [String: String], defaultSignals: [Int32],
        through interception: Interception? = nil
    ) throws {
        let process =
            try interception?.start(command, environment: environment, defaultSignals: defaultSignals)
            ?? Self.spawn(command, environment: environment, defaultSignals: defaultSignals)
        let waiting = stage.withLock { stage -> [Int32] in
            guard case .awaited(let signals) = stage else { return [] }
            stage = .running(process)
            return signals
        }
        for signal in waiting { send(signal) }
    }

    private static func spawn(
        _ command: [String], environment: [String: String], defaultSignals: [Int32]
    ) throws -> pid_t {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        // No signal is blocked, and those that are ignored here are not ignored there.
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in defaultSignals { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let problem = posix_spawnp(&process, command[0], nil, &attributes, arguments, variables)
        guard problem == 0 else { throw cannotRun(command[0], problem) }
        return process
    }

    /// The failure when a command cannot be executed.
    static func cannotRun(_ command: String, _ problem: Int32) -> CommandFailure {
        let status = problem == ENOENT ? CommandFailure.Status.noSuchCommand : .cannotRun
        let reason = SystemFacts.describe(errno: problem)
        return CommandFailure(status, "cannot run '\(TerminalText.plain(command))': \(reason)")
    }

    /// Sends a signal, at once or when the command has been started; does nothing when it has ended.
    func send(_ signal: Int32) {
        stage.withLock { stage in
            switch stage {
            case .awaited(let signals): stage = .awaited(signals + [signal])
            // Under the lock: the number belongs to the command until it is reaped under it.
            case .running(let process): kill(process, signal)
            case .ended: break
            }
        }
    }

    /// Waits for the end, and returns the exit code, or 128 plus the signal that ended the command.
    func wait() async -> Int32 {
        guard case .running(let process) = stage.withLock({ $0 }) else { return 0 }
        return await withCheckedContinuation { continuation in
            // On another thread, because the wait blocks.
            DispatchQueue(label: "mock-apns.child").async {
                Self.awaitEnd(of: process)
                let status = self.stage.withLock { stage -> Int32 in
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    stage = .ended
                    return status
                }
                let signal = status & 0x7f
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xff : 128 + signal)
            }
        }
    }
}

extension ChildProcess {
    /// Waits for the end of the command, and reaps the daemons that `Interception` makes children of this process.
    private static func awaitEnd(of process: pid_t) {
        while true {
            var information = siginfo_t()
            let result = waitid(P_ALL, 0, &information, WEXITED | WNOWAIT)
            if result != 0, errno == EINTR { continue }
            let ended = result == 0 ? SystemFacts.process(of: information) : process
            if ended == process { return }
            waitpid(ended, nil, 0)
        }
    }
}

/// Forwards the signals of this process to the command it runs.
final class ForwardedSignals: Sendable {
    let handled: [Int32]
    private let signals: CaughtSignals

    /// Catches the signals that stop a process, except those that were ignored at the start.
    init(to child: ChildProcess) throws {
        let taken = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !CaughtSignals.ignore($0) }
        signals = try CaughtSignals(taken) { number in if !Self.isFromTerminal(number) { child.send(number) } }
        // Writing to a connection that the client has closed is an error of that write only.
        handled = taken + (CaughtSignals.ignore(SIGPIPE) ? [] : [SIGPIPE])
    }

    /// Whether the command has received the signal too: a terminal sends it to all processes in the foreground.
    private static func isFromTerminal(_ number: Int32) -> Bool {
        guard number == SIGINT || number == SIGQUIT else { return false }
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
