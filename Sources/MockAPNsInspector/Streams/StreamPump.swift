internal import HummingbirdCore
internal import NIOCore

/// Carries events from a source to a client until one of them, or the server, ends the stream.
struct StreamPump: Sendable {
    private enum Happening: Sendable {
        case events([ServerSentEvent]?)
        case heartbeatDue
        case stopped
    }

    let source: any EventSource
    let stop: StreamStop
    /// The time between two comments that show that the stream is alive.
    let heartbeat: Duration

    /// Sends; returns when the end has been sent.
    ///
    /// One event waits for the one before to be taken by the connection, so a client that does not read makes
    /// nothing grow here.
    ///
    /// - Throws: what the connection has against being written to, or `CancellationError` when the client is gone.
    func run(_ writer: inout some ResponseBodyWriter) async throws {
        if source.opening.isEmpty { try await writer.write(ByteBuffer(bytes: ServerSentEvent.greeting)) }
        try await write(source.opening, to: &writer)
        let end = try await withThrowingTaskGroup(of: Happening.self) { group in
            defer { group.cancelAll() }
            group.addTask { [source] in .events(await source.next()) }
            group.addTask { [stop] in
                await stop.wait()
                return .stopped
            }
            group.addTask { try await pause() }
            while let happening = try await group.next() {
                // A client that is gone, or a server that goes down, has precedence over whatever else happened.
                switch (stop.cause, happening) {
                case (.clientGone, _): throw CancellationError()
                case (.shutdown, _): return ServerSentEvent.End.shutdown
                case (.namespaceGone, _): return ServerSentEvent.End.namespaceDeleted
                case (nil, .events(let events?)):
                    try await write(events, to: &writer)
                    group.addTask { [source] in .events(await source.next()) }
                case (nil, .events(nil)):
                    // The task that this runs in was cancelled, and the source with it.
                    try Task.checkCancellation()
                    return source.end
                case (nil, .heartbeatDue):
                    try await writer.write(ByteBuffer(bytes: ServerSentEvent.heartbeat))
                    group.addTask { try await pause() }
                case (nil, .stopped): throw CancellationError()
                }
            }
            return source.end
        }
        try await write([.closed(end)], to: &writer)
    }

    private func pause() async throws -> Happening {
        try await Task.sleep(for: heartbeat)
        return .heartbeatDue
    }

    private func write(_ events: [ServerSentEvent], to writer: inout some ResponseBodyWriter) async throws {
        for event in events { try await writer.write(ByteBuffer(bytes: event.bytes)) }
    }
}
