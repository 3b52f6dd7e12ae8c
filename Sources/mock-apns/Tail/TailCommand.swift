internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import NIOCore

struct TailCommand: AsyncParsableCommand {
    static let configuration = command(
        "Print events as they happen, until Ctrl-C.",
        discussion: """
            A broken connection is made again and continues after the last event; missed events are reported on \
            standard error. With --json each line is an event: {"event","id","data"}.
            """,
        examples: "mock-apns tail --types 'push.*' -q 'is:rejected'",
        #"mock-apns tail --json | jq -c 'select(.event == "push.delivered") | .data.request.payload'"#
    )

    @Option(
        "search",
        "Only pushes that match this search, as 'type:alert is:rejected'.",
        name: .shortAndLong
    )
    var query: String?

    @Option("types", "Only these events, as 'push.*,device.*'; repeatable.")
    var types: [String] = []

    @Option("seq", "Start after this number. (default: the newest event)")
    var after: UInt64?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        try await StopSignals.run(follow) {
            // Without anything to write, a closed output would go unnoticed.
            while !SystemFacts.isOutputClosed { try await Task.sleep(for: .milliseconds(250)) }
        }
    }

    @Sendable private func follow() async throws {
        let tail = EventTail(client: try client.api.client(), printsText: client.printsText)
        let types = types.isEmpty ? nil : types.joined(separator: ",")
        try await tail.run(query: [("types", types), ("q", query)], after: after)
    }
}

/// Follows the events of a server, and connects again when a connection breaks.
final class EventTail {
    /// How long a server may be unreachable.
    static let longestAbsence = TimeAmount.seconds(30)
    static let pause = Duration.milliseconds(500)

    private let client: APIClient
    private let printsText: Bool
    /// The number of the last event.
    private var last: UInt64 = 0
    /// The reason why the server ended the stream; `nil` when it did not.
    private var end: String?

    init(client: APIClient, printsText: Bool) { (self.client, self.printsText) = (client, printsText) }

    func run(query: [(name: String, value: String?)], after: UInt64?) async throws {
        // The position is known before the first event, so a connection that breaks early loses nothing.
        let now = try await position()
        last = after ?? now
        var request = APIRequest("GET", ["events"], query: query + [("after", "\(last)")])
        while true {
            do {
                let refusal = try await client.stream(request, take)
                if let refusal { return try client.check(refusal, to: request) }
                guard let end else { return }
                throw client.address.connectionEnded(end)
            } catch let failure as CommandFailure where failure.status == .unreachable && end == nil {
                try Task.checkCancellation()
                try await reconnect(after: failure)
            }
            request = APIRequest("GET", ["events"], query: query).with(\.lastEventID, "\(last)")
        }
    }

    /// Prints an event, and returns whether to continue: not when the output is closed or the stream ends.
    private func take(_ event: ServerSentEvent) -> Bool {
        if let id = event.id.flatMap({ UInt64($0) }) { last = id }
        switch event.name {
        case "gap":
            Console.note(Self.missed(event))
            return true
        case "closed":
            end = event.text("reason") ?? "closed"
            return false
        default:
            let line = EventLine(event: event)
            return Console.answer(printsText ? line.text : line.json)
        }
    }

    private static func missed(_ event: ServerSentEvent) -> String {
        if let from = event.text("from"), let to = event.text("to") {
            return "events \(from) to \(to) skipped: they are no longer stored"
        }
        return event.text("missed").map { "\($0) events skipped: they came faster than they were read" }
            ?? "events skipped"
    }

    private func position() async throws -> UInt64 {
        let request = APIRequest("GET", ["seq"]).with(\.timeout, .seconds(5))
        return try await client.ask(request).decoded(as: SequenceShape.self).seq
    }

    private func reconnect(after failure: CommandFailure) async throws {
        Console.note("\(failure.message); reconnecting")
        let deadline = NIODeadline.now() + Self.longestAbsence
        while true {
            do {
                if try await position() >= last { return }
                Console.note("the server was restarted; its events follow from the first one")
                last = 0
                return
            } catch let again as CommandFailure {
                guard again.status == .unreachable, NIODeadline.now() < deadline else { throw again }
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}

struct EventLine {
    let event: ServerSentEvent

    var text: String {
        let name = event.name + String(repeating: " ", count: max(0, 14 - event.name.count))
        let number = event.id.map { "#\($0)" } ?? ""
        return TerminalText.plain("\(number)  \(name)  \(subject)")
    }

    var json: String {
        let id = event.id.map(\.json) ?? .null
        let head = JSONValue.string(event.name).text + Array(",\"id\":".utf8) + id.text
        return "{\"event\":\(String(decoding: head, as: UTF8.self)),\"data\":\(event.line)}"
    }

    private var subject: String {
        if event.name.hasPrefix("push."), let push = try? event.decoded(as: PushShape.self) {
            return "\(push.id)\(outcome(of: push))  \(push.subject)"
        }
        let token = event.text("token").map { TerminalText.token($0) }
        let words = [
            event.text("label") ?? token ?? event.text("name") ?? event.text("remote"), event.text("state"),
            event.text("mode"), event.text("now"), event.text("cause"), event.text("closeDetail"),
            event.text("epoch").map { "epoch \($0)" },
        ].compactMap { $0 }
        return words.isEmpty
            ? APIObject<PushSummaryShape>.cut(event.data, 160) : words.joined(separator: "  ")
    }

    private func outcome(of push: APIObject<PushShape>) -> String {
        switch event.name {
        case "push.responded": "  \(push.verdict.answer)"
        case "push.delivered": push.reaction
        default: ""
        }
    }
}
