/// A stream of which only the headers are wanted.
struct NoEvents: EventSource {
    let opening: [ServerSentEvent] = []
    let end = ServerSentEvent.End.forgotten

    func next() async -> EventBatch? { nil }
    func close() {}
}
