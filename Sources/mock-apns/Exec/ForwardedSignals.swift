#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Signals to this process that are meant for the command it runs.
final class ForwardedSignals: Sendable {
    /// What the command has to be given back as it was: all that this process does not leave to the system.
    let handled: [Int32]
    private let signals: CaughtSignals

    /// Takes the signals that ask a process to stop, except those that this process was told to ignore.
    ///
    /// - Throws: `CommandFailure` when the process cannot catch signals.
    init(to child: ChildProcess) throws {
        let taken = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !CaughtSignals.ignore($0) }
        signals = try CaughtSignals(taken) { number in
            if !Self.isFromTerminal(number) { child.send(number) }
        }
        // A client that goes away while it is written to is an error of that write, and nothing more.
        handled = taken + (CaughtSignals.ignore(SIGPIPE) ? [] : [SIGPIPE])
    }

    /// Whether the command has got the signal already: a terminal sends what is typed to all in the foreground.
    private static func isFromTerminal(_ number: Int32) -> Bool {
        guard number == SIGINT || number == SIGQUIT else { return false }
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { AtomicFile.close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
