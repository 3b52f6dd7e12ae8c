/// Where the events of a stream come from; for one client.
protocol EventSource: Sendable {
    /// What is sent at once.
    var opening: [ServerSentEvent] { get }

    /// Waits for the next events.
    ///
    /// It is asked again once the connection has taken those before, so what comes meanwhile waits here, and a
    /// source that makes events faster than somebody reads them has to keep a bound.
    ///
    /// - Returns: the events, or `nil` when there will be no more. A cancelled task gets `nil`.
    func next() async -> EventBatch?

    /// What `closed` gives as the reason when there are no more events.
    var end: ServerSentEvent.End { get }

    /// The stream is over, in whatever way; said once.
    func close()
}

/// A stream of which only the headers are wanted.
struct NoEvents: EventSource {
    let opening: [ServerSentEvent] = []
    let end = ServerSentEvent.End.forgotten

    func next() async -> EventBatch? { nil }
    func close() {}
}
