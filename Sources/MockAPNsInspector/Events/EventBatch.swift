internal import NIOConcurrencyHelpers
internal import NIOCore

/// Events that are sent together; their text is made once, however many streams send them.
struct EventBatch: Sendable {
    /// The text, once somebody has asked for it.
    private final class Text: Sendable {
        let buffer = NIOLockedValueBox<ByteBuffer?>(nil)
    }

    let events: [ServerSentEvent]
    private let text = Text()

    init(_ events: [ServerSentEvent]) { self.events = events }

    /// The events as they are sent; all copies share these bytes.
    var buffer: ByteBuffer {
        text.buffer.withLockedValue { buffer in
            if let buffer { return buffer }
            let made = ByteBuffer(bytes: events.flatMap(\.bytes))
            buffer = made
            return made
        }
    }
}

extension EventBatch: RandomAccessCollection, ExpressibleByArrayLiteral {
    var startIndex: Int { 0 }
    var endIndex: Int { events.count }

    subscript(position: Int) -> ServerSentEvent { events[position] }

    init(arrayLiteral elements: ServerSentEvent...) { self.init(elements) }
}
