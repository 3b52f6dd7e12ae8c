#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Forwards the signals of this process to the command it runs.
final class ForwardedSignals: Sendable {
    /// The signals that this process handles; the command gets their default handling back.
    let handled: [Int32]
    private let signals: CaughtSignals

    /// Catches the signals that stop a process, except those that were ignored at the start.
    ///
    /// - Throws: `CommandFailure` when the process cannot catch signals.
    init(to child: ChildProcess) throws {
        let taken = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !CaughtSignals.ignore($0) }
        signals = try CaughtSignals(taken) { number in
            if !Self.isFromTerminal(number) { child.send(number) }
        }
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
