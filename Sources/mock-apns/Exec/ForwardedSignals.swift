internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Signals to this process that are meant for the command it runs.
///
/// `@unchecked Sendable`: nothing of it changes; the sources are only kept.
final class ForwardedSignals: @unchecked Sendable {
    /// What the command has to be given back as it was: all that this process does not leave to the system.
    let handled: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// Takes the signals that ask a process to stop, except those that this process was told to ignore.
    init(to child: ChildProcess) {
        let queue = DispatchQueue(label: "mock-apns.signals")
        let taken = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !Self.ignore($0) }
        sources = taken.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if !Self.isFromTerminal(number) { child.send(number) }
            }
            source.resume()
            return source
        }
        // A client that goes away while it is written to is an error of that write, and nothing more.
        handled = taken + (Self.ignore(SIGPIPE) ? [] : [SIGPIPE])
    }

    /// Ignores a signal; says whether it was ignored already.
    private static func ignore(_ number: Int32) -> Bool {
        let previous = signal(number, SIG_IGN)
        return unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
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
