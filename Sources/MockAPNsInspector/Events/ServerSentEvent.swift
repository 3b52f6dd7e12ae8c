internal import MockAPNsFormats
internal import NIOCore

/// One event of a stream, as `text/event-stream` writes it.
///
/// https://html.spec.whatwg.org/multipage/server-sent-events.html
struct ServerSentEvent: Equatable, Sendable {
    let name: String
    /// The number that the client remembers as the last one; `nil` leaves that unchanged.
    var id: UInt64?
    let data: JSONValue

    /// The name of an event in place of missed ones.
    static let gapName = "gap"

    /// The last event of every stream that the server ends.
    static func closed(_ reason: String) -> ServerSentEvent {
        ServerSentEvent(name: "closed", data: ["reason": .string(reason)])
    }

    /// A comment, which clients ignore: it detects broken connections, and keeps proxies from closing idle ones.
    static let heartbeat = Array(": heartbeat\n\n".utf8)

    /// A comment at the start of a stream without events, so that the headers are sent: many clients wait for them.
    static let greeting = Array(": open\n\n".utf8)

    /// The event as it is sent; JSON text has no line breaks.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the event as it is sent.
    func write(to bytes: inout [UInt8]) {
        bytes += "event: \(name)\n".utf8
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        data.write(to: &bytes)
        bytes += "\n\n".utf8
    }
}

/// Events that are sent together.
struct EventBatch: Sendable {
    let events: [ServerSentEvent]
    /// The events as they are sent; made once for all streams that send them, because copies share it.
    let buffer: ByteBuffer

    init(_ events: [ServerSentEvent]) {
        self.events = events
        var bytes: [UInt8] = []
        for event in events { event.write(to: &bytes) }
        buffer = ByteBuffer(bytes: bytes)
    }
}

/// What a source of events has.
enum EventPoll: Sendable {
    case events(EventBatch)
    /// Nothing yet.
    case nothing
    /// Nothing, and there will be no more.
    case over
}

/// The source of a stream's events, for one client.
protocol EventSource: Sendable {
    /// The event to send at once; read once.
    var opening: ServerSentEvent? { get }
    /// Why there will be no more events, in the last one.
    var ending: String { get }

    /// Reads and renders the next events; `over` if the task was cancelled.
    ///
    /// Called again once the connection has taken the previous ones. Meanwhile the source stores new events, so it needs
    /// a limit.
    func poll() async -> EventPoll

    /// Calls a function once, when `poll` may have something: at once, or later, replacing an earlier one.
    func whenReady(_ call: @escaping @Sendable () -> Void)

    /// The stream has ended; called once.
    func close()
}

extension EventSource {
    /// What the events are about was deleted.
    var ending: String { "forgotten" }
}

/// A stream for a request that wants only the headers.
struct NoEvents: EventSource {
    let opening: ServerSentEvent? = nil

    func poll() async -> EventPoll { .over }
    func whenReady(_ call: @escaping @Sendable () -> Void) { call() }
    func close() {}
}
