internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The signals that ask the process to stop: the first to do so in good order, the second at once.
///
/// `@unchecked Sendable`: nothing of it changes; the sources are only kept.
final class StopSignals: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]
    private let first: AsyncStream<Int32>
    private let asked: AsyncStream<Int32>.Continuation

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        first = stream
        asked = continuation
        let queue = DispatchQueue(label: "mock-apns.signals")
        let count = Counter()
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                count.value += 1
                guard count.value == 1 else { SystemFacts.exitNow(128 + number) }
                continuation.yield(number)
            }
            source.resume()
            return source
        }
        // A client that goes away while it is written to is an error of that write, and nothing more.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Asks for a stop in good order, as the first signal does.
    func ask() { asked.yield(SIGTERM) }

    /// Waits for the first signal, or for whoever asks.
    func wait() async {
        for await _ in first { return }
    }

    /// `@unchecked Sendable`: touched on the signals' serial queue alone.
    private final class Counter: @unchecked Sendable {
        var value = 0
    }
}
