import MockAPNs
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// `GET /api/v1/events` over real connections.
struct EventStreamTests {
    /// The number of an event, or the numbers of a gap.
    private func numbers(_ block: EventClient.Block?) -> ClosedRange<UInt64>? {
        guard case .event(let name, let id, let data)? = block else { return nil }
        guard name == "gap" else { return id.flatMap { UInt64($0) }.map { $0...$0 } }
        guard let from = data?.text(["from"]).flatMap({ UInt64($0) }),
            let to = data?.text(["to"]).flatMap({ UInt64($0) })
        else { return nil }
        return from...to
    }

    @Test func `a client that comes back misses nothing`() async throws {
        try await withInspector { server, _, port in
            let fixture = Fixture(of: server)
            let first = try await EventClient("/api/v1/events?types=push.*", port: port)
            #expect(first.head.lowercased().contains("\r\ncontent-type: text/event-stream"))
            fixture.publish(PushDraft())
            #expect(numbers(try await first.nextEvent()) == 1...1)
            await first.leave()
            fixture.publish(PushDraft())
            let second = try await EventClient("/api/v1/events?types=push.*", port: port, headers: ["Last-Event-ID: 1"])
            for number: UInt64 in 2...6 { #expect(numbers(try await second.nextEvent()) == number...number) }
        }
    }

    @Test func `each of 1,000 pushes is sent once`() async throws {
        try await withInspector { server, _, port in
            let fixture = Fixture(of: server)
            let clients = [
                try await EventClient("/api/v1/events?types=push.*", port: port),
                try await EventClient("/api/v1/events?types=push.received", port: port),
            ]
            let publishing = Task {
                for number in 0..<1_000 where number % 8 == 0 {
                    fixture.publish(Array(repeating: PushDraft(), count: 8))
                    if number % 64 == 0 { await Task.yield() }
                }
            }
            for expected: UInt64 in 1...3_000 {
                let seen = numbers(try await clients[0].nextEvent())
                guard seen == expected...expected else {
                    Issue.record("expected \(expected), saw \(String(describing: seen))")
                    break
                }
            }
            for expected in stride(from: UInt64(1), to: 3_000, by: 3) {
                let seen = numbers(try await clients[1].nextEvent())
                guard seen == expected...expected else {
                    Issue.record("expected \(expected), saw \(String(describing: seen))")
                    break
                }
            }
            await publishing.value
        }
    }

    @Test func `a client that reads late gets every event, or a gap`() async throws {
        var configuration = Configuration()
        configuration.journal.records = 40
        try await withInspector(configuration: configuration) { server, _, port in
            let fixture = Fixture(of: server)
            var draft = PushDraft()
            draft.body =
                Array(#"{"aps":{"alert":""#.utf8) + Array(repeating: UInt8(ascii: "x"), count: 3_900)
                + Array(#""}}"#.utf8)
            let client = try await EventClient("/api/v1/events?types=push.*", port: port, readsLate: true)
            // Some 30 MB of events, which no socket holds, and of which the journal keeps the last.
            for _ in 0..<1_000 {
                fixture.publish(draft)
                await Task.yield()
            }
            let last = fixture.journal.extent.lastSeq
            var (known, gaps) = (UInt64(0), 0)
            while known < last, let next = numbers(try await client.nextEvent()) {
                #expect(next.lowerBound <= known + 1, "\(known + 1) was never told of")
                if next.lowerBound < next.upperBound { gaps += 1 } else { #expect(next.lowerBound > known) }
                known = max(known, next.upperBound)
            }
            #expect(known == last)
            #expect(gaps > 0)
        }
    }

    @Test func `a server that stops ends the stream, and HEAD begins none`() async throws {
        try await withInspector { _, inspector, port in
            let client = try await EventClient("/api/v1/events", port: port)
            let head = try await HTTPClient.ask("/api/v1/events", port: port, method: "HEAD")
            #expect(head.status == 200)
            #expect(head["content-type"] == "text/event-stream")
            try await inspector.stop(grace: .seconds(3_600))
            #expect(try await client.next() == .event("closed", id: nil, data: ["reason": "shutdown"]))
            #expect(try await client.next() == nil)
        }
    }
}
