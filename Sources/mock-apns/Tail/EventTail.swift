internal import MockAPNsAPI
internal import NIOCore

/// Follows the events of a server, and connects again when a connection breaks.
struct EventTail {
    /// How long a server may be unreachable.
    static let longestAbsence = TimeAmount.seconds(30)
    /// The time between two attempts to connect.
    static let pause = Duration.milliseconds(500)

    let client: APIClient
    let printsText: Bool

    /// The number of the last event received.
    private var last: UInt64 = 0

    init(client: APIClient, printsText: Bool) { (self.client, self.printsText) = (client, printsText) }

    /// Prints events until the reader closes the output.
    mutating func run(query: [(name: String, value: String?)], after: UInt64?) async throws {
        // The position is known before the first event, so a connection that breaks early loses nothing.
        let now = try await position()
        last = after ?? now
        var request = APIRequest("GET", ["events"], query: query + [("after", "\(last)")])
        while true {
            var reading = Reading(last: last, printsText: printsText)
            do {
                let refusal = try await client.stream(request) { reading.take($0) }
                if let refusal { return try client.check(refusal) }
                guard let end = reading.end else { return }
                throw client.address.connectionEnded(end)
            } catch let failure as CommandFailure where failure.status == .unreachable && reading.end == nil {
                try Task.checkCancellation()
                last = reading.last
                try await reconnect(after: failure)
            }
            request = APIRequest("GET", ["events"], query: query)
            request.lastEventID = "\(last)"
        }
    }

    /// The events of one connection.
    private struct Reading {
        var last: UInt64
        let printsText: Bool
        /// The reason why the server ended the stream; `nil` when it did not.
        var end: String?

        /// Prints an event.
        ///
        /// - Returns: whether to continue; `false` when the output is closed or the stream ends.
        mutating func take(_ event: ServerSentEvent) -> Bool {
            if let id = event.id.flatMap({ UInt64($0) }) { last = id }
            switch event.name {
            case "gap":
                Console.standard.note(Self.missed(event))
                return true
            case "closed":
                end = event.text("reason") ?? "closed"
                return false
            default:
                let line = EventLine(event: event)
                return Console.standard.answer(printsText ? line.text : line.json)
            }
        }

        private static func missed(_ event: ServerSentEvent) -> String {
            if let from = event.text("from"), let to = event.text("to") {
                return "events \(from) to \(to) skipped: they are no longer stored"
            }
            if let missed = event.text("missed") {
                return "\(missed) events skipped: they came faster than they were read"
            }
            return "events skipped"
        }
    }

    /// The number of the newest event.
    private func position() async throws -> UInt64 {
        let response = try await client.ask(APIRequest("GET", ["seq"]), timeout: .seconds(5))
        return try response.decoded(as: SequenceShape.self).seq
    }

    /// Waits until the server responds again.
    private mutating func reconnect(after failure: CommandFailure) async throws {
        Console.standard.note("\(failure.message); reconnecting")
        let deadline = NIODeadline.now() + Self.longestAbsence
        while true {
            do {
                let now = try await position()
                if now < last {
                    Console.standard.note("the server was restarted; its events follow from the first one")
                    last = 0
                }
                return
            } catch let again as CommandFailure {
                guard again.status == .unreachable, NIODeadline.now() < deadline else { throw again }
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}
