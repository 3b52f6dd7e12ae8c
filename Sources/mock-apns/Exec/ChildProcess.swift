internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A command that runs as if it had been started in the place of this program.
///
/// It has this process's input, output, terminal and process group.
final class ChildProcess: Sendable {
    private enum Stage {
        /// Signals that came before there was anybody to have them.
        case awaited([Int32])
        case running(pid_t)
        case ended
    }

    private let stage = Mutex(Stage.awaited([]))

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - command: its name or path, and its arguments.
    ///   - environment: all its variables.
    ///   - defaultSignals: the signals that this process handles, and that mean to the command what they always do.
    /// - Throws: `CommandFailure` with the exit code that a shell would leave with.
    func start(_ command: [String], environment: [String: String], defaultSignals: [Int32]) throws {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        // Nothing is blocked, and what is ignored here is not ignored there.
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in defaultSignals { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = environment.map { "\($0)=\($1)" }
        var process: pid_t = 0
        let problem = Self.withCStrings(command) { arguments in
            Self.withCStrings(variables) { variables -> Int32 in
                guard let name = arguments[0] else { return ENOENT }
                return posix_spawnp(&process, name, nil, &attributes, arguments, variables)
            }
        }
        guard problem == 0 else {
            let name = TerminalText.plain(command.first ?? "")
            throw CommandFailure(
                problem == ENOENT ? .noSuchCommand : .cannotRun,
                "cannot run '\(name)': \(SystemFacts.describe(errno: problem))"
            )
        }
        let waiting = stage.withLock { stage -> [Int32] in
            guard case .awaited(let signals) = stage else { return [] }
            stage = .running(process)
            return signals
        }
        for signal in waiting { send(signal) }
    }

    /// Sends a signal, at once or when the command has been started; nothing when it has ended.
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

    /// Waits for the end.
    ///
    /// - Returns: the exit code; 128 and the signal for a command that a signal has ended.
    func wait() async -> Int32 {
        guard case .running(let process) = stage.withLock({ $0 }) else { return 0 }
        return await withCheckedContinuation { continuation in
            // A thread of its own: the wait blocks.
            DispatchQueue(label: "mock-apns.child").async {
                var information = siginfo_t()
                while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                let status = self.stage.withLock { stage -> Int32 in
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    stage = .ended
                    return status
                }
                continuation.resume(returning: Self.exitCode(status))
            }
        }
    }

    /// What a shell makes of the status of a process.
    static func exitCode(_ status: Int32) -> Int32 {
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    private static func withCStrings<Result>(
        _ texts: [String],
        _ use: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return use(copies + [nil])
    }
}
