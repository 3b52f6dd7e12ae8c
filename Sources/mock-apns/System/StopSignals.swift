internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The signals that ask the process to stop: the first to do so in good order, the second at once.
final class StopSignals: Sendable {
    private let signals: CaughtSignals
    private let first: AsyncStream<Int32>
    private let asked: AsyncStream<Int32>.Continuation

    /// - Throws: `CommandFailure` when the process cannot catch signals.
    init() throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        first = stream
        asked = continuation
        let wasAsked = Flag()
        signals = try CaughtSignals([SIGTERM, SIGINT]) { number in
            if wasAsked.set() { SystemFacts.exitNow(128 + number) }
            continuation.yield(number)
        }
        // A client that goes away while it is written to is an error of that write, and nothing more.
        CaughtSignals.ignore(SIGPIPE)
    }

    /// Asks for a stop in good order, as the first signal does.
    func ask() { asked.yield(SIGTERM) }

    /// Waits for the first signal, or for whoever asks.
    func wait() async {
        for await _ in first { return }
    }

    private final class Flag: Sendable {
        private let isSet = Atomic(false)

        /// Sets the flag and returns whether it was set already.
        func set() -> Bool { isSet.exchange(true, ordering: .relaxed) }
    }
}
