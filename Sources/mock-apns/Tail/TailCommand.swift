internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import NIOCore

struct TailCommand: ClientTask {
    static let configuration = command(
        "Print events as they happen, until Ctrl-C.",
        discussion: """
            Each line has the time on the server's clock, where the event has one, the number and the name. A broken \
            connection is made again and continues after the last event; missed events are reported on standard \
            error. With --json each line is an event: {"event","id","data"}.
            """, examples: "mock-apns tail --types 'push.*' -q 'is:rejected'",
        #"mock-apns tail --json | jq -c 'select(.event == "push.delivered") | .data.request.payload'"#)

    @Option("search", "Only pushes that match this search, as 'type:alert is:rejected'.", name: .shortAndLong)
    var query: String?

    @Option("types", "Only these events, as 'push.*,device.*'; repeatable.") var types: [String] = []

    @Option("seq", "Start after this number. (default: the newest event)") var after: UInt64?

    func run(_ client: ClientOptions) async throws {
        let types = types.isEmpty ? nil : types.joined(separator: ",")
        try await StopSignals.run({
            let tail = EventTail(client: try client.api.client(), printsText: client.printsText)
            try await tail.run(query: [("types", types), ("q", query)], after: after)
        }) {
            // Without anything to write, a closed output would go unnoticed.
            while !SystemFacts.isOutputClosed { try await Task.sleep(for: .milliseconds(250)) }
        }
    }
}

/// Follows the events of a server, and connects again when a connection breaks.
struct EventTail {
    /// How long a server may be unreachable.
    static let longestAbsence = TimeAmount.seconds(30)
    static let pause = Duration.milliseconds(500)

    let client: APIClient
    let printsText: Bool

    func run(query: [(name: String, value: String?)], after: UInt64?) async throws {
        // The position is known before the first event, so a connection that breaks early loses nothing.
        let now = try await position()
        var last = after ?? now
        var request = APIRequest("GET", ["events"], query: query + [("after", "\(last)")])
        while true {
            // The reason why the server ended the stream; `nil` when it did not.
            var end: String?
            do {
                try await client.stream(request) { event in
                    last = event.id.flatMap { UInt64($0) } ?? last
                    switch event.name {
                    case "gap": Console.note(Self.missed(event))
                    case "closed": end = event.text("reason") ?? "closed"
                    // It ends when the reader of the output has closed it.
                    default: return Console.answer(printsText ? event.summary : event.json)
                    }
                    return end == nil
                }
                guard let end else { return }
                throw client.address.connectionEnded(end)
            } catch let failure as CommandFailure where failure.status == .unreachable && end == nil {
                try Task.checkCancellation()
                Console.note("\(failure.message); reconnecting")
            }
            if try await positionAgain() < last {
                Console.note("the server was restarted; its events follow from the first one")
                last = 0
            }
            request = APIRequest("GET", ["events"], query: query).with(\.lastEventID, "\(last)")
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
        return try await client.ask(request).decoded(as: SequenceShape.self) { $0.seq }
    }

    /// The position of the server as soon as it responds again.
    private func positionAgain() async throws -> UInt64 {
        let deadline = NIODeadline.now() + Self.longestAbsence
        while true {
            do { return try await position() } catch let failure as CommandFailure where failure.status == .unreachable
            {
                guard NIODeadline.now() < deadline else { throw failure }
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}

/// An event as a line, and why a push was rejected below it.
extension ServerSentEvent {
    /// The members with the time of events that are not about a push.
    private static let times = [
        "connection.opened": "openedAt", "connection.closed": "closedAt", "feedback.added": "unregisteredAt",
        "clock.changed": "now",
    ]

    var summary: String {
        let push =
            name.hasPrefix("push.")
            ? try? decoded(as: PushShape.self) {
                (time: self.time(of: $0), subject: self.subject(of: $0), why: $0.verdict.hint)
            } : nil
        let time = Self.timeOfDay(push?.time ?? Self.times[name].flatMap(text) ?? "")
        let space = String(repeating: " ", count: max(0, 14 - name.count))
        let start: [any CellText] = [
            time.styled(.secondary), (id.map { "#\($0)" } ?? "").styled(.secondary), name + space,
        ]
        let line = Terminal.output.line(start + (push?.subject ?? activity ?? [subject]))
        guard name == "push.responded", let why = push?.why else { return line }
        return line + "\n" + Terminal.output.paragraph(why, indent: 6)
    }

    private func time(of push: APIObject<PushShape>) -> String? {
        push.delivery.timeline.last { "push.\($0.event)" == name && "\($0.seq)" == id }?.at
    }

    /// The time of day to the millisecond, in UTC; as many spaces for an event without a time.
    private static func timeOfDay(_ time: String) -> String {
        let clock = time.drop { $0 != "T" }.dropFirst().prefix(12)
        return clock.count == 12 ? String(clock) : String(repeating: " ", count: 12)
    }

    var json: String {
        let words = [name.json, id.json].map { String(decoding: $0.text, as: UTF8.self) }
        return "{\"event\":\(words[0]),\"id\":\(words[1]),\"data\":\(line)}"
    }

    private func subject(of push: APIObject<PushShape>) -> [any CellText] {
        let outcome: StyledText =
            switch name {
            case "push.responded": push.verdict.answer.styled(.of(status: push.verdict.status))
            case "push.delivered": push.reaction
            case "push.ignored": (push.delivery.ignored?.text ?? "").styled(.caution)
            default: "".styled(nil)
            }
        return [push.id, outcome] + push.subject
    }

    /// The device, the Live Activity and why something happened to it.
    private var activity: [any CellText]? {
        guard name.hasPrefix("activity.") else { return nil }
        return try? decoded(as: ActivityEventShape.self) { event in
            let step = event.step
            let words = [
                event.label ?? step.device, step.id, event.activity?.attributesType, step.push ?? step.reason,
                name == "activity.token" ? event.activity?.token.map { TerminalText.token($0) } : nil,
            ]
            return [words.compactMap(\.self).joined(separator: "  ")]
        }
    }

    private var subject: String {
        let token = text("token").map { TerminalText.token($0) }
        let others = ["name", "remote", "fault", "topic", "bundleId", "id"].lazy.compactMap { text($0) }
        let words = [
            text("label") ?? token ?? others.first, text("push"), text("state"), text("mode"), text("now"),
            text("cause"), text("closeDetail"), text("epoch").map { "epoch \($0)" },
        ].compactMap { $0 }
        return words.isEmpty ? data : words.joined(separator: "  ")
    }
}
