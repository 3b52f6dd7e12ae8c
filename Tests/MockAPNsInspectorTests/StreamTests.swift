import MockAPNs
import MockAPNsFormats
import MockAPNsVerifying
import NIOCore
import NIOEmbedded
import Testing

@testable import MockAPNsInspector

/// Streams of events over a real connection, with events that the test makes.
struct StreamTests {
    private static let calm = APISettings(idle: .seconds(60), heartbeat: .seconds(3_600))

    private func event(_ number: Int, size: Int = 0) -> ServerSentEvent {
        ServerSentEvent(
            name: "push", id: UInt64(number),
            data: ["number": JSONValue(number), "filling": .string(String(repeating: "x", count: size))])
    }

    private func block(_ number: Int) -> EventClient.Block {
        .event("push", id: "\(number)", data: ["number": JSONValue(number), "filling": ""])
    }

    private func closed(_ reason: String) -> EventClient.Block {
        .event("closed", id: nil, data: ["reason": .string(reason)])
    }

    @Test func `events are sent one by one, and the stream ends with its source`() async throws {
        let events = ScriptedEvents(opening: ServerSentEvent(name: "connected", data: ["a": "b\nc"]))
        try await withInspector(routes: [events.route], settings: Self.calm) { _, _, port in
            let client = try await EventClient("/test/events", port: port)
            #expect(client.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let head = client.head.lowercased()
            for header in [
                "content-type: text/event-stream", "cache-control: no-store", "x-mock-apns-seq: 0",
                "server: mock-apns/1.2.3", "transfer-encoding: chunked",
            ] { #expect(head.contains("\r\n\(header)"), "\(header)") }
            #expect(!head.contains("content-length"))

            #expect(try await client.next() == .event("connected", id: nil, data: ["a": "b\nc"]))
            for number in 1...3 {
                events.add(event(number))
                #expect(try await client.next() == block(number))
            }
            events.add(event(4), event(5))
            events.finish()
            #expect(try await client.next() == block(4))
            #expect(try await client.next() == block(5))
            #expect(try await client.next() == closed("forgotten"))
            #expect(try await client.next() == nil)
            #expect(await client.isComplete)
            await events.untilClosed()
            #expect(events.closeCount == 1)
        }
    }

    @Test func `streams beyond the limit are refused`() async throws {
        let events = ScriptedEvents(opening: event(0))
        var settings = Self.calm
        settings.streams = 1
        try await withInspector(routes: [events.route], settings: settings) { _, _, port in
            let client = try await EventClient("/test/events", port: port)
            #expect(try await client.next() == block(0))
            let refused = try await HTTPClient.ask("/test/events", port: port)
            #expect(refused.status == 503)
            #expect(refused.text("type") == "urn:mock-apns:problem:too-many-streams")
            #expect(refused["Retry-After"] == "1")
            await events.untilClosed()
            #expect(events.closeCount == 1)
            await client.leave()
        }
    }

    @Test(arguments: HeldConnection.Departure.allCases) func `a client that leaves ends the stream`(
        way: HeldConnection.Departure
    ) async throws {
        let events = ScriptedEvents(opening: event(0))
        try await withInspector(routes: [events.route], settings: Self.calm) { _, _, port in
            let client = try await EventClient("/test/events", port: port)
            #expect(try await client.next() == block(0))
            await client.leave(way)
            await events.untilClosed()
            #expect(events.closeCount == 1)
        }
    }

    @Test(arguments: HeldConnection.Departure.allCases) func `a client that leaves without reading ends the stream`(
        way: HeldConnection.Departure
    ) async throws {
        let events = ScriptedEvents()
        try await withInspector(routes: [events.route], settings: Self.calm) { _, _, port in
            let client = try await EventClient("/test/events", port: port, readsLate: true)
            for number in 0..<200 { events.add(event(number, size: 100_000)) }
            try await untilHeldUp(events, port: port)
            await client.leave(way)
            await events.untilClosed()
        }
    }

    @Test func `a stream without events says at once that it is open`() async throws {
        let (silent, telling) = (ScriptedEvents(), ScriptedEvents(opening: event(1)))
        let routes = [Route("GET", "/test/silent") { _ in .events(silent) }, telling.route]
        try await withInspector(routes: routes, settings: Self.calm) { _, _, port in
            // The head is there before anything has happened.
            let client = try await EventClient("/test/silent", port: port)
            #expect(client.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            silent.finish()
            #expect(try await client.next() == closed("forgotten"))
            #expect(await client.isGreeted)
            let other = try await EventClient("/test/events", port: port)
            #expect(try await other.next() == block(1))
            telling.finish()
            #expect(try await other.next() == closed("forgotten"))
            #expect(await !other.isGreeted)
        }
    }

    @Test func `comments keep a stream alive beyond the idle limit`() async throws {
        let events = ScriptedEvents()
        let settings = APISettings(idle: .seconds(1), heartbeat: .milliseconds(50))
        try await withInspector(routes: [events.route], settings: settings) { _, _, port in
            let idle = try await HeldConnection.open(port: port)
            #expect(try await idle.readToEnd() == "", "the idle time is in force")
            let client = try await patiently { try await EventClient("/test/events", port: port) }
            for _ in 0..<30 { #expect(try await client.next() == .comment(": heartbeat")) }
            events.add(event(1))
            #expect(try await client.nextEvent() == block(1))
            events.finish()
            #expect(try await client.nextEvent() == closed("forgotten"))
        }
    }

    @Test func `a comment comes each 15 seconds, and idle connections have 60`() {
        let settings = APISettings()
        #expect(settings.heartbeat == .seconds(15))
        #expect(settings.idle == .seconds(60))
    }

    @Test func `a stopping server ends every stream with an event`() async throws {
        let all = (0..<3).map { _ in ScriptedEvents() }
        let routes = all.indices.map { number in Route("GET", "/test/\(number)") { _ in .events(all[number]) } }
        try await withInspector(routes: routes, settings: Self.calm) { _, inspector, port in
            var clients: [EventClient] = []
            for number in all.indices { clients.append(try await EventClient("/test/\(number)", port: port)) }
            all[1].add(event(1))
            #expect(try await clients[1].next() == block(1))
            try await inspector.stop(grace: .seconds(3_600))
            for client in clients {
                #expect(try await client.next() == closed("shutdown"))
                #expect(try await client.next() == nil)
                #expect(await client.isComplete)
            }
            #expect(all.map(\.closeCount) == [1, 1, 1])
        }
    }

    @Test func `a stopping server does not wait forever for a client that does not read`() async throws {
        let events = ScriptedEvents()
        try await withInspector(routes: [events.route], settings: Self.calm) { _, inspector, port in
            let client = try await EventClient("/test/events", port: port, readsLate: true)
            for number in 0..<200 { events.add(event(number, size: 100_000)) }
            try await untilHeldUp(events, port: port)
            try await inspector.stop(grace: .milliseconds(50))
            #expect(events.closeCount == 1)
            await client.leave()
        }
    }

    @Test func `a stream that begins while the server stops is refused at once`() {
        let streams = OpenStreams()
        let early = streams.begin()
        let over = streams.begin()
        streams.end(over)
        #expect(early.cause == nil)
        streams.stopAll()
        #expect(early.cause == .shutdown)
        #expect(over.cause == nil)
        #expect(streams.begin().cause == .shutdown)
    }

    @Test func `a client that does not read delays its stream and misses nothing`() async throws {
        let events = ScriptedEvents()
        try await withInspector(routes: [events.route], settings: Self.calm) { _, _, port in
            let client = try await EventClient("/test/events", port: port, readsLate: true)
            // 20 MB, which no socket holds.
            for number in 0..<200 { events.add(event(number, size: 100_000)) }
            try await untilHeldUp(events, port: port)
            events.finish()
            var ids: [String?] = []
            while ids.count < 200, case .event("push", let id, _)? = try await client.next() { ids.append(id) }
            #expect(ids == (0..<200).map { "\($0)" })
            #expect(try await client.next() == closed("forgotten"))
        }
    }

    @Test func `the next events are read only after the last ones were written`() async throws {
        let events = ScriptedEvents()
        for number in 0..<20 { events.add(event(number)) }
        events.finish()
        let (counts, count) = AsyncStream<Int>.makeStream()
        let loop = NIOAsyncTestingEventLoop()
        let pump = StreamPump(source: events, stop: StopSignal(), heartbeat: .hours(1), on: loop, threads: .shared) {
            buffer in
            guard buffer.readableBytesView.starts(with: "event: push".utf8) else {
                return loop.makeSucceededVoidFuture()
            }
            let isTaken = loop.makePromise(of: Void.self)
            Task {
                // Time for a source that is asked too early.
                for _ in 0..<20 { await Task.yield() }
                count.yield(events.takenCount)
                isTaken.succeed()
            }
            return isTaken.futureResult
        }
        let error = await withCheckedContinuation { ended in pump.start(ByteBuffer()) { ended.resume(returning: $0) } }
        #expect(error == nil)
        await loop.shutdownGracefully()
        count.finish()
        #expect(await counts.reduce(into: []) { $0.append($1) } == Array(1...20))
    }

    @Test func `HEAD has only the headers`() async throws {
        let events = ScriptedEvents(opening: event(0))
        try await withInspector(routes: [events.route], settings: Self.calm) { _, _, port in
            let answer = try await HTTPClient.ask("/test/events", port: port, method: "HEAD")
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/event-stream")
            #expect(answer["x-mock-apns-seq"] == "0")
            #expect(answer.body.isEmpty)
            #expect(events.takenCount == 0)
            #expect(events.closeCount == 1)
        }
    }

    /// Asks again when the idle time was over before this process came to ask.
    private func patiently<Value>(_ ask: () async throws -> Value) async throws -> Value {
        for _ in 0..<20 { if let answer = try? await ask() { return answer } }
        return try await ask()
    }

    /// Returns when the stream takes no more of 200 events of 100 kB, because nobody reads them.
    ///
    /// Every question goes over the event loop of the stream, after what was to be written before it.
    private func untilHeldUp(_ events: ScriptedEvents, port: Int) async throws {
        var (count, rounds) = (-1, 0)
        while rounds < 40 {
            _ = try await HTTPClient.ask("/nowhere", port: port)
            rounds = events.takenCount == count ? rounds + 1 : 0
            count = events.takenCount
        }
        #expect((1..<100).contains(count), "no socket holds 10 MB for this client")
    }
}
