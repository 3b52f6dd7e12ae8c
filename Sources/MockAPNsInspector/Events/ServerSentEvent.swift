internal import MockAPNsFormats

/// One event of a stream, as `text/event-stream` writes it.
///
/// https://html.spec.whatwg.org/multipage/server-sent-events.html
struct ServerSentEvent: Equatable, Sendable {
    /// What happened.
    let name: String
    /// The number that a client remembers as the last one it has seen; `nil` leaves that as it is.
    var id: UInt64?
    /// What there is to say about it, as the rest of the API says it.
    let data: JSONValue

    /// Why a stream ends.
    enum End: String, Sendable {
        /// What the stream is about is not there any more.
        case forgotten
        /// The server is going down.
        case shutdown
        /// The namespace has been removed.
        case namespaceDeleted = "namespace-deleted"
    }

    /// What an event is called that stands for others.
    static let gapName = "gap"

    /// The last event of every stream that the server ends.
    static func closed(_ end: End) -> ServerSentEvent {
        ServerSentEvent(name: "closed", data: ["reason": .string(end.rawValue)])
    }

    /// A comment, which clients ignore: who sends it learns whether the connection is still there, and what lies
    /// between does not take it for abandoned.
    static let heartbeat = Array(": heartbeat\n\n".utf8)

    /// A comment with which a stream begins that has nothing to tell yet: with it the head of the answer goes out, for
    /// which many clients wait before they do anything else.
    static let greeting = Array(": open\n\n".utf8)

    /// The event as it is sent; JSON text has no line breaks, so one line holds it.
    var bytes: [UInt8] {
        var bytes = Array("event: \(name)\n".utf8)
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        bytes += data.text
        bytes += "\n\n".utf8
        return bytes
    }
}
