import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// What the journal says is what clients were told, at every moment.
struct JournalingTests {
    /// The clients' loop looks into the journal the moment an answer is heard.
    @Test func `every push is visible before it is answered`() async throws {
        let (connections, streams, each) = (4, 64, 2_500)
        try await withLive({ configuration in
            configuration.threads = 2
            // Every look goes through all that is kept; no push under way leaves a journal of this size.
            configuration.journal = Journal.Capacity(records: 2_000)
        }) { live in
            let token = try TestKey.team.token()
            // One loop, so that no connection runs ahead while another has answers to look at.
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let misses = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<connections {
                    group.addTask {
                        let client = try await Client.connect(to: live.port, on: loop)
                        #expect(try await client.send(Push(token)).status == 200)
                        let looks = try await client.onLoop { handler in
                            Looks(handler, live.journal, token, number, streams: streams, pushes: each)
                        }
                        return try await looks.misses.get()
                    }
                }
                return try await group.reduce([], +)
            }
            #expect(misses == [])
            #expect(live.journal.counters.received == UInt64(connections * (each + 1)))
            #expect(live.journal.counters.accepted == UInt64(connections * (each + 1)))
        }
    }

    /// The same to the microsecond, one push after the other: arrival, answer and delivery.
    @Test func `a push is visible the moment it is answered`() async throws {
        try await withLive { live in
            let (journal, port) = (live.journal, live.port)
            let push = Push(try TestKey.team.token())
            let misses = try await onOwnThread {
                let client = try BlockingClient(port: port)
                return try (1...4_000 as ClosedRange<UInt64>).filter { number in
                    try client.send(push) { journal.extent.lastSeq } < 3 * number
                }
            }
            #expect(misses == [])
            #expect(journal.counters.accepted == 4_000)
        }
    }

    @Test func `counters are exact`() async throws {
        let (connections, streams) = (20, 100)
        try await withLive({ $0.threads = 2 }) { live in
            let token = try TestKey.team.token()
            let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<connections {
                    group.addTask {
                        let client = try await live.connect()
                        #expect(try await client.send(Push(token)).status == 200)
                        // Every third one is refused.
                        let pushes = (0..<streams).map { stream in
                            Push(token, token: stream % 3 == number % 3 ? "not-hex" : Push.token)
                        }
                        return try await client.send(pushes).count { $0.status == 200 } + 1
                    }
                }
                return try await group.reduce(0, +)
            }
            let counters = live.journal.counters
            #expect(counters.received == UInt64(connections * (streams + 1)))
            #expect(counters.accepted == UInt64(accepted))
            var query = PushQuery()
            query.limit = .max
            query.outcomes = [.accepted]
            let page = live.journal.pushes(query)
            #expect(page.matched == accepted)
            // Every request arrived and was answered; every accepted push was delivered to the one device.
            #expect(page.extent.lastSeq == 2 * counters.received + counters.accepted)
            #expect(live.registration(Push.token)?.counters.delivered == UInt32(accepted))
            // Each connection's requests are counted from 1, without a gap.
            query.outcomes = []
            let byConnection = Dictionary(grouping: live.journal.pushes(query).pushes, by: \.connectionID)
            #expect(byConnection.count == connections)
            for records in byConnection.values {
                #expect(records.map(\.requestOnConnection).sorted() == Array(1...UInt32(streams) + 1))
                #expect(records.map(\.streamID).sorted() == (0...Int32(streams)).map { 2 * $0 + 1 })
            }
        }
    }

    @Test func `the record has the request`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token(), ("x-empty", ""), ("apns-priority", "5"), ("x-twice", "1")).with {
                $0.more.append(("x-twice", "2"))
            }
            let record = try #require(live.record(of: try await client.send(push)))
            #expect(record.request.headers.map(\.name) == push.fields.map(\.name))
            let values = record.request.headers.map(\.value)
            #expect(
                values.filter { !$0.hasPrefix("bearer") } == push.fields.map(\.value).filter { !$0.hasPrefix("bearer") }
            )
            #expect(record.request.body == Array(push.body.utf8))
            #expect(record.clockTime == Timestamp(seconds: Live.now))
            #expect(record.streamID == 1)
            #expect(record.requestOnConnection == 1)
            let connection = try #require(record.connection)
            #expect(connection.remoteAddress == "127.0.0.1:\(client.channel.localAddress?.port ?? 0)")
            #expect(connection.tlsVersion == nil && connection.applicationProtocol == nil)
            #expect(connection.closedAt == nil)
        }
    }

    /// Refused by the transport, and recorded all the same.
    @Test func `a header list too large is recorded`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token(), ("x-large", String(repeating: "x", count: 8_000)))
            let reply = try await client.send(push)
            #expect(reply.status == 431)
            let record = try #require(live.journal.push(seq: 1))
            #expect(record.answer.status == 431)
            #expect(record.problem?.contains("SETTINGS_MAX_HEADER_LIST_SIZE") == true)
            #expect(record.verdict.reason == nil)
            let counters = live.journal.counters
            #expect(counters.received == 1 && counters.rejected == 1)
            // The connection goes on, and counts on.
            let next = try await client.send(Push(TestKey.team.token()))
            #expect(live.record(of: next)?.requestOnConnection == 2)
        }
    }
}

/// Keeps streams busy and looks for each push the moment its answer is heard; lives on the connection's loop.
private final class Looks: Sendable {
    /// The ids of answered pushes that were not in the journal.
    let misses: EventLoopFuture<[String]>

    init(_ handler: ClientHandler, _ journal: Journal, _ token: String, _ connection: Int, streams: Int, pushes: Int) {
        let promise = handler.loop.makePromise(of: [String].self)
        misses = promise.futureResult
        var (sent, answered, missed) = (0, 0, [String]())
        // The newest record there was before the push of each stream.
        var before: [Int32: UInt64] = [:]
        var devices: [Int32: DeviceToken] = [:]

        func send(_ count: Int) {
            let range = sent..<min(sent + count, pushes)
            guard !range.isEmpty else { return }
            let newest = journal.extent.lastSeq
            let batch = range.map { number in
                let device = String(1_000_000 * (connection + 1) + number, radix: 16)
                let even = device.count % 2 == 0 ? device : "0" + device
                let stream = handler.streamAhead(number - range.lowerBound)
                before[stream] = newest
                devices[stream] = DeviceToken(hex: even)
                return Push(token, token: even)
            }
            sent = range.upperBound
            _ = handler.send(batch)
        }

        handler.onReply = { stream, reply in
            var query = PushQuery()
            query.after = before.removeValue(forKey: stream) ?? 0
            query.tokens = devices.removeValue(forKey: stream).map { [$0] } ?? []
            let page = journal.pushes(query)
            if page.matched != 1 || page.pushes.first?.answer.id != reply.id { missed.append(reply.id ?? "none") }
            answered += 1
            guard answered == pushes else {
                send(1)
                return
            }
            handler.onReply = nil  // which holds the handler
            promise.succeed(missed)
        }
        send(streams)
    }
}
