internal import MockAPNsVerifying
internal import NIOCore

/// Sends events from a source to a client until one of them, or the server, ends the stream.
struct StreamPump: Sendable {
    private enum Happening: Sendable {
        case events(ByteBuffer?)
        case heartbeatDue
        case stopped
    }

    let source: any EventSource
    let stop: StopSignal
    /// The time between two comments that keep the stream alive.
    let heartbeat: Duration
    /// Where events are read and rendered.
    let threads: AnswerThreads
    /// Writes to the client, and returns when the operating system has taken the bytes.
    let write: @Sendable (ByteBuffer) async throws -> Void

    /// Returns when the end has been sent; throws if writing fails, and `CancellationError` if the client has left.
    ///
    /// Each batch is written after the previous one was taken, so memory does not grow if a client does not read.
    func run() async throws {
        try await write(ByteBuffer(bytes: source.opening?.bytes ?? ServerSentEvent.greeting))
        let reason = try await withThrowingTaskGroup(of: Happening.self) { group in
            defer { group.cancelAll() }
            group.addTask(executorPreference: threads, operation: read)
            group.addTask { [stop] in
                await stop.wait()
                return .stopped
            }
            group.addTask { try await pause() }
            while let happening = try await group.next() {
                // A client that has left, or a server that stops, has precedence.
                switch (stop.cause, happening) {
                case (.clientGone, _), (nil, .stopped): throw CancellationError()
                case (.shutdown, _): return "shutdown"
                case (.namespaceGone, _): return "namespace-deleted"
                case (nil, .events(let text?)):
                    try await write(text)
                    group.addTask(executorPreference: threads, operation: read)
                case (nil, .events(nil)):
                    // The source also ends if this task was cancelled.
                    try Task.checkCancellation()
                    return source.ending
                case (nil, .heartbeatDue):
                    try await write(ByteBuffer(bytes: ServerSentEvent.heartbeat))
                    group.addTask { try await pause() }
                }
            }
            throw CancellationError()
        }
        try await write(ByteBuffer(bytes: ServerSentEvent.closed(reason).bytes))
    }

    /// Waits for the next events and keeps only their text, so the values are free while it is written.
    private func read() async -> Happening { .events(await source.next()?.buffer) }

    private func pause() async throws -> Happening {
        try await Task.sleep(for: heartbeat)
        return .heartbeatDue
    }
}
