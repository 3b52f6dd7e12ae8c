import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Event streams with `maxRate`: how many events they send per second, and what they leave out.
struct EventPaceTests {
    @Test func `a stream sends its rate of events, then pauses until the second is over`() {
        let start = ContinuousClock.now
        var pace = EventPace(most: 5, window: .seconds(1))
        #expect(pace.left == 5)
        #expect(pace.pause(at: start) == nil)
        pace.reported(3)
        #expect(pace.pause(at: start + .milliseconds(100)) == nil)
        #expect(pace.left == 2)
        pace.reported(2)
        #expect(pace.left == 0)
        #expect(pace.pause(at: start + .milliseconds(200)) == start + .seconds(1))
        #expect(pace.left == 5)
        // There is no pause if the second is already over.
        #expect(pace.pause(at: start + .milliseconds(1_001)) == nil)
        pace.reported(5)
        #expect(pace.pause(at: start + .milliseconds(2_002)) == nil)
        #expect(pace.left == 5)
    }

    /// Reads until the event with this number has been sent, or is part of a gap.
    private func read(
        _ feed: EventFeed, upTo last: UInt64
    ) async throws -> (told: [UInt64], gaps: [ClosedRange<UInt64>]) {
        var told: [UInt64] = []
        var gaps: [ClosedRange<UInt64>] = []
        while max(told.last ?? 0, gaps.last?.upperBound ?? 0) < last {
            for event in try #require(await feed.next()).events {
                if let id = event.id {
                    told.append(id)
                } else {
                    #expect(event.name == "gap")
                    gaps.append(try number(event, "from")...(try number(event, "to")))
                }
            }
        }
        return (told, gaps)
    }

    private func number(_ event: ServerSentEvent, _ name: String) throws -> UInt64 {
        let value = try #require(event.data[name])
        return try #require(UInt64(String(decoding: value.text, as: UTF8.self)))
    }

    private func feed(_ most: Int, in fixture: Fixture) -> EventFeed {
        var filter = EventFeed.Filter()
        filter.types = Set(EventType.types(of: "push.*") ?? [])
        filter.maxRate = most
        return EventFeed(filter, after: 0, in: fixture.subject, window: .milliseconds(20))
    }

    @Test func `events above the rate are left out and reported as a gap`() async throws {
        try await withFixture { fixture in
            let feed = feed(5, in: fixture)
            defer { feed.close() }
            for _ in 0..<100 { fixture.publish(PushDraft()) }
            let (told, gaps) = try await read(feed, upTo: 300)
            #expect(!gaps.isEmpty)
            #expect(told == told.sorted())
            #expect(Set(told + gaps.flatMap { Array($0) }) == Set(1...300))
            // After the flood, every event is sent again.
            fixture.publish(PushDraft())
            #expect(try await read(feed, upTo: 303) == ([301, 302, 303], []))
        }
    }

    @Test func `events that fit into the next second are only delayed`() async throws {
        try await withFixture { fixture in
            let feed = feed(10, in: fixture)
            defer { feed.close() }
            for _ in 0..<4 { fixture.publish(PushDraft()) }
            let (told, gaps) = try await read(feed, upTo: 12)
            #expect(told == Array(1...12))
            #expect(gaps.isEmpty)
        }
    }

    @Test(arguments: ["0", "1001", "-1", "x", ""]) func `a rate must be 1 to 1,000`(text: String) async throws {
        try await withFixture { fixture in
            let answer = await fixture.get("/api/v1/events?maxRate=\(text)")
            #expect(answer.status == 400)
            #expect(answer.text("detail")?.contains("expected a whole number from 1 to 1000") == true)
        }
    }

    /// More turns make it likelier that the stream waits before it is cancelled.
    @Test(arguments: [0, 10, 1_000]) func `a stream that waits for its next second ends when it is cancelled`(
        turns: Int
    ) async throws {
        try await withFixture { fixture in
            var filter = EventFeed.Filter()
            filter.maxRate = 1
            let feed = EventFeed(filter, after: 0, in: fixture.subject, window: .seconds(3_600))
            defer { feed.close() }
            fixture.publish(PushDraft())
            #expect(await feed.next()?.events.count == 1)
            let waiting = Task { await feed.next() }
            for _ in 0..<turns { await Task.yield() }
            waiting.cancel()
            #expect(await waiting.value == nil)
        }
    }
}
