import Synchronization

@testable import MockAPNsInspector

/// Events that a test makes, with a note of what the stream asked for.
final class ScriptedEvents: EventSource {
    let opening: ServerSentEvent?

    private let events: AsyncStream<[ServerSentEvent]>
    private let send: AsyncStream<[ServerSentEvent]>.Continuation
    private let closings: AsyncStream<Void>
    private let closing: AsyncStream<Void>.Continuation
    private let taken = Mutex(0)
    private let timesClosed = Mutex(0)

    init(opening: ServerSentEvent? = nil) {
        self.opening = opening
        (events, send) = AsyncStream.makeStream()
        (closings, closing) = AsyncStream.makeStream()
    }

    /// How many events the stream has taken.
    var takenCount: Int { taken.withLock { $0 } }
    /// How often the stream said that it is over.
    var closeCount: Int { timesClosed.withLock { $0 } }

    func add(_ events: ServerSentEvent...) { send.yield(events) }
    func finish() { send.finish() }

    func next() async -> EventBatch? {
        var iterator = events.makeAsyncIterator()
        let events = await iterator.next()
        taken.withLock { $0 += events?.count ?? 0 }
        return events.map(EventBatch.init)
    }

    func close() {
        timesClosed.withLock { $0 += 1 }
        closing.yield()
    }

    /// Returns when the stream has said that it is over.
    func untilClosed() async { for await _ in closings { return } }

    /// A route that streams these events.
    var route: Route { Route("GET", "/test/events") { _ in .events(self) } }
}
