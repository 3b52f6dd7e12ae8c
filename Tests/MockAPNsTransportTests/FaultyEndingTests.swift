import MockAPNsRules
import NIOCore
import Testing

@testable import MockAPNsTransport

/// What faults make of a connection: ends without a word, and idle connections.
@Suite struct FaultyEndingTests {
    // MARK: Without a word

    @Test(arguments: [FaultAction.Break.rst, .fin], [nil, TLSPeer.Setup()]) func `ends instead of answering`(
        connection: FaultAction.Break, tls: TLSPeer.Setup?
    ) throws {
        let client = try Client(striking: [3: WireFault(connection: connection)], tls: tls)
        try client.send(.headers(1, .push()), .headers(3, .push()), .headers(5, .push()))
        try client.expect(.headers(1, .status(200)))
        #expect(client.tls?.isEnded != true)
        try client.expectClosed(.fault)
        #expect(client.recorder.requests.map(\.streamID) == [1, 3])
        #expect(client.recorder.events.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }

    /// What was to be said before is said first, also where the socket takes nothing for now.
    @Test func `ends when the socket has taken the rest`() throws {
        let client = try Client(striking: [3: WireFault(connection: .rst)])
        client.setWritable(false)
        try client.send(.headers(1, .push()), .headers(3, .push()))
        #expect(client.channel.isActive)
        client.setWritable(true)
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
    }

    @Test(arguments: [FaultAction.Break.rst, .fin]) func `ends after answering`(connection: FaultAction.Break) throws {
        let client = try Client(striking: [
            1: WireFault(goAway: .shutdown(.current, .never), connection: connection, answers: true)
        ])
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(200)), .goAway(last: 1, .noError, FaultAction.GoAway.text))
        try client.expectClosed(.fault)
    }

    /// Closing a channel drops what it has not sent yet.
    @Test func `waits for its last bytes`() throws {
        let client = try Client(striking: [1: WireFault(connection: .rst, answers: true)])
        client.wire.hold()
        try client.send(.headers(1, .push()))
        #expect(client.channel.isActive)
        client.wire.release()
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
    }

    @Test func `closes after the limit if the client does not read`() throws {
        let client = try Client(striking: [1: WireFault(connection: .rst, answers: true)])
        client.wire.hold()
        try client.send(.headers(1, .push()))
        client.advance(.seconds(31))
        #expect(!client.channel.isActive)
        #expect(client.recorder.closeReason?.code == .fault)
        #expect(client.loop.streams.inUse == 0)
    }

    @Test(arguments: [FaultAction.Break.stall, .blackhole], [nil, TLSPeer.Setup()])
    func `sends nothing more but keeps the connection open`(connection: FaultAction.Break, tls: TLSPeer.Setup?) throws {
        let client = try Client(striking: [1: WireFault(connection: connection)], tls: tls)
        try client.send(.headers(1, .push()), .headers(3, .push()))
        let reads = client.wire.reads
        client.askToRead()
        #expect(client.wire.reads == (connection == .stall ? reads : reads + 1))
        try client.send(.headers(5, .push()), .ping([1, 2, 3, 4, 5, 6, 7, 8]))
        client.advance(.hours(3))
        client.setWritable(false)
        client.setWritable(true)
        #expect(client.wire.reads == (connection == .stall ? reads : reads + 1))
        try client.expectSilence()
        #expect(client.channel.isActive)
        #expect(client.recorder.requests.map(\.streamID) == [1])
        client.hangUp()
        #expect(client.tls?.isEnded != true)
        try client.expectClosed(.fault)
    }

    @Test(arguments: [FaultAction.Break.stall, .blackhole]) func `is not waited for when it is silent`(
        connection: FaultAction.Break
    ) throws {
        let client = try Client(striking: [1: WireFault(connection: connection)], tls: .init())
        try client.send(.headers(1, .push()))
        var isEmpty = false
        client.loop.shutDown().assumeIsolated().whenSuccess { isEmpty = true }
        #expect(isEmpty)
        try client.expectSilence()
        #expect(client.tls?.isEnded == false)
        try client.expectClosed(.fault)
    }

    @Test(arguments: [FaultAction.Break.stall, .blackhole]) func `says GOAWAY and falls silent`(
        connection: FaultAction.Break
    ) throws {
        let client = try Client(striking: [
            3: WireFault(goAway: .shutdown(.current, .drain), connection: connection, answers: true)
        ])
        try client.send(.headers(1, .push(), end: false))
        try client.send(.headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: 3, .noError, FaultAction.GoAway.text))
        try client.send(.data(1, "{}"))
        client.advance(.hours(1))
        try client.expectSilence()
        #expect(client.channel.isActive)
        client.hangUp()
        try client.expectClosed(.fault)
    }

    @Test func `falls silent later`() throws {
        let client = try Client(striking: [1: WireFault(delay: .seconds(3), connection: .blackhole)])
        try client.send(.headers(1, .push()))
        try client.expectAlive(stream: 3, besides: 1)
        client.advance(.seconds(3))
        try client.send(.headers(5, .push()))
        try client.expectSilence()
        #expect(client.channel.isActive)
    }

    // MARK: Idle connections

    @Test func `the rule is told how long the connection was idle`() throws {
        let client = try Client()
        client.advance(.seconds(3))
        try client.send(.headers(1, .push(), end: false))
        client.advance(.seconds(4))
        try client.send(.headers(3, .push()))
        client.advance(.seconds(5))
        try client.send(.data(1, "{}"))
        client.advance(.seconds(6))
        try client.send(.headers(5, .push()))
        #expect(client.recorder.idleTimes == [.seconds(7), .zero, .seconds(6)])
    }

    @Test(arguments: FaultAction.Break.allCases) func `a fault can end an idle connection`(
        connection: FaultAction.Break
    ) throws {
        let client = try Client()
        var asked: [TimeAmount] = []
        client.recorder.whileIdle = { time in
            asked.append(time)
            return time >= .seconds(5) ? WireFault(connection: connection) : nil
        }
        client.advance(.milliseconds(2_500))
        try client.expectAlive(stream: 1)
        client.advance(.seconds(5))
        #expect(client.channel.isActive)
        client.advance(.seconds(1))
        #expect(
            asked.map(\.nanoseconds).map { $0 / 1_000_000 } == [1_000, 2_000, 500, 1_500, 2_500, 3_500, 4_500, 5_500])
        try client.expectSilence()
        let isOpen = connection == .stall || connection == .blackhole
        #expect(client.channel.isActive == isOpen)
        client.advance(.seconds(60))
        #expect(asked.count == 8)
        if isOpen { client.hangUp() }
        try client.expectClosed(.fault)
    }

    @Test func `does not call open streams idle`() throws {
        let client = try Client()
        client.recorder.faults[1] = WireFault(delay: .seconds(20))
        try client.send(.headers(1, .push()))
        client.recorder.whileIdle = { _ in WireFault(connection: .rst) }
        client.advance(.seconds(19))
        try client.expectSilence()
        #expect(client.channel.isActive)
        client.advance(.seconds(1))
        try client.expect(.headers(1, .status(200)))
        client.advance(.seconds(1))
        try client.expectClosed(.fault)
    }

    @Test(arguments: [FaultAction.GoAway.Close.never, .drain, .now]) func `says GOAWAY to idle connections`(
        close: FaultAction.GoAway.Close
    ) throws {
        let client = try Client()
        try client.expectAlive(stream: 5)
        var count = 0
        client.recorder.whileIdle = { _ in
            count += 1
            return count == 2 ? WireFault(goAway: .shutdown(.previous, close)) : nil
        }
        client.advance(.seconds(3))
        try client.expect(.goAway(last: 3, .noError, FaultAction.GoAway.text))
        if close == .never { try client.expectAlive(stream: 7) } else { try client.expectClosed(.fault) }
    }
}
