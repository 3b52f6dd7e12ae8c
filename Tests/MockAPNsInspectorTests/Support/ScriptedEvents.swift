import Synchronization

@testable import MockAPNsInspector

/// Events that a test makes, with a note of what the stream asked for.
final class ScriptedEvents: EventSource {
    let opening: ServerSentEvent?

    private struct Script {
        var batches: [[ServerSentEvent]] = []
        var isOver = false
        var call: (@Sendable () -> Void)?
    }

    private let script = Mutex(Script())
    private let closings: AsyncStream<Void>
    private let closing: AsyncStream<Void>.Continuation
    private let taken = Mutex(0)
    private let timesClosed = Mutex(0)

    init(opening: ServerSentEvent? = nil) {
        self.opening = opening
        (closings, closing) = AsyncStream.makeStream()
    }

    /// How many events the stream has taken.
    var takenCount: Int { taken.withLock { $0 } }
    /// How often the stream said that it is over.
    var closeCount: Int { timesClosed.withLock { $0 } }

    func add(_ events: ServerSentEvent...) { change { $0.batches.append(events) } }
    func finish() { change { $0.isOver = true } }

    private func change(_ change: (inout Script) -> Void) {
        let call = script.withLock { script in
            change(&script)
            return script.call.take()
        }
        call?()
    }

    func poll() async -> EventPoll {
        let (events, isOver) = script.withLock { script in
            (script.batches.isEmpty ? nil : script.batches.removeFirst(), script.isOver)
        }
        taken.withLock { $0 += events?.count ?? 0 }
        return events.map { .events(EventBatch($0)) } ?? (isOver ? .over : .nothing)
    }

    func whenReady(_ call: @escaping @Sendable () -> Void) {
        let isReady = script.withLock { script in
            let isReady = !script.batches.isEmpty || script.isOver
            if !isReady { script.call = call }
            return isReady
        }
        if isReady { call() }
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

extension EventSource {
    /// Waits for the next events; `nil` if there will be no more, or the task was cancelled.
    func next() async -> EventBatch? {
        while !Task.isCancelled {
            switch await poll() {
            case .events(let batch): return batch
            case .over: return nil
            case .nothing:
                let (changes, change) = AsyncStream<Void>.makeStream()
                whenReady { change.finish() }
                for await _ in changes {}
            }
        }
        return nil
    }
}
