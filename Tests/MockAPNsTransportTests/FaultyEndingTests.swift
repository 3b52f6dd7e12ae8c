import NIOCore
import Testing

@testable import MockAPNsTransport

/// What faults make of a connection: GOAWAY in every form, and ends without a word.
@Suite struct FaultyEndingTests {
    private static let text = "{\"reason\":\"Shutdown\"}"

    private static func goAway(
        _ lastStream: WireFault.GoAway.LastStream,
        _ close: WireFault.GoAway.Close,
        code: Frame.ErrorCode = .noError
    ) -> WireFault.GoAway {
        WireFault.GoAway(
            code: code.rawValue,
            lastStream: lastStream,
            debugData: Array(text.utf8),
            close: close
        )
    }

    private func client(
        _ faults: [Int32: WireFault],
        options: TransportOptions = .lifted,
        tls: TLSPeer.Setup? = nil
    ) throws -> Client {
        let client = try Client(options: options, tls: tls)
        client.recorder.faults = faults
        return client
    }

    // MARK: GOAWAY

    static let lastStreams: [(WireFault.GoAway.LastStream, Int32, Int32)] = [
        (.current, 5, 5), (.previous, 5, 3), (.previous, 1, 0), (.zero, 5, 0), (.max, 5, 0x7fff_ffff),
    ]

    /// Whatever stream it names: the connection goes on, and so do streams after it.
    @Test(arguments: lastStreams)
    func saysGoAwayAndGoesOn(lastStream: WireFault.GoAway.LastStream, stream: Int32, named: Int32) throws {
        let client = try client([
            stream: WireFault(goAway: Self.goAway(lastStream, .never, code: .enhanceYourCalm))
        ])
        try client.send(.headers(stream, .push()))
        try client.expect(
            .headers(stream, .status(200)),
            .goAway(last: named, .enhanceYourCalm, Self.text)
        )
        for later: Int32 in [7, 9, 2_001] { try client.expectAlive(stream: later) }
        try client.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
        try client.expect(.pong([1, 2, 3, 4, 5, 6, 7, 8]))
        client.advance(.hours(1))
        try client.expectAlive(stream: 3_001)
        _ = client.loop.shutDown()
        try client.expect(.goAway(last: 3_001, .noError, "{\"reason\":\"Shutdown\"}"))
        try client.expectClosed(.shutdown)
    }

    @Test(arguments: lastStreams)
    func saysGoAwayAndCloses(lastStream: WireFault.GoAway.LastStream, stream: Int32, named: Int32) throws {
        let client = try client([stream: WireFault(goAway: Self.goAway(lastStream, .now))], tls: .init())
        try client.send(.headers(stream, .push()))
        try client.expect(.headers(stream, .status(200)), .goAway(last: named, .noError, Self.text))
        #expect(client.tls?.isEnded == true)
        try client.expectClosed(.fault)
    }

    @Test func saysGoAwayTwice() throws {
        let client = try client([
            1: WireFault(goAway: Self.goAway(.max, .never)),
            3: WireFault(goAway: Self.goAway(.current, .now)),
        ])
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(200)), .goAway(last: 0x7fff_ffff, .noError, Self.text))
        try client.send(.headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: 3, .noError, Self.text))
        try client.expectClosed(.fault)
    }

    @Test(arguments: [0, 1, 16_376, 16_377, 100_000])
    func fillsAFrameWithDebugData(length: Int) throws {
        let debugData = [UInt8](repeating: 0x64, count: length)
        let goAway = WireFault.GoAway(code: 2, lastStream: .zero, debugData: debugData, close: .never)
        let client = try client([1: WireFault(goAway: goAway)])
        try client.send(.headers(1, .push()))
        let text = String(repeating: "d", count: min(length, 16_376))
        try client.expect(.headers(1, .status(200)), .goAway(last: 0, .internalError, text))
        try client.expectAlive(stream: 3)
    }

    /// What was answered in the same read has left before.
    @Test func saysGoAwayAfterWhatIsSaid() throws {
        let client = try client([5: WireFault(goAway: Self.goAway(.current, .now), answers: false)])
        client.recorder.answer = .rejected(400, "BadTopic")
        try client.send((0..<5).map { .headers(2 * $0 + 1, .push()) })
        try client.expect(
            .headers(1, .status(400), end: false),
            .headers(3, .status(400), end: false),
            .data(1, "{\"reason\":\"BadTopic\"}"),
            .data(3, "{\"reason\":\"BadTopic\"}"),
            .goAway(last: 5, .noError, Self.text)
        )
        try client.expectClosed(.fault)
        // What came after the end has been decided is not looked at.
        #expect(client.recorder.requests.map(\.streamID) == [1, 3, 5])
    }

    @Test func saysGoAwayAfterItsAnswerHasLeft() throws {
        let client = try Client(greets: false)
        client.recorder.answer = .rejected(400, "BadTopic")
        client.recorder.faults[1] = WireFault(goAway: Self.goAway(.current, .now))
        try client.greet([Frame.Setting(4, 10)])
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(400), end: false), .data(1, "{\"reason\":", end: false))
        try client.expectSilence()
        #expect(client.channel.isActive)
        try client.send(.windowUpdate(1, by: 100))
        try client.expect(.data(1, "\"BadTopic\"}"), .goAway(last: 1, .noError, Self.text))
        try client.expectClosed(.fault)
    }

    @Test(arguments: [
        WireFault(delay: .seconds(1), reset: 7, goAway: goAway(.previous, .now)),
        WireFault(delay: .seconds(1), goAway: goAway(.previous, .now), answers: false),
    ])
    func saysGoAwayLater(fault: WireFault) throws {
        let client = try client([1: fault])
        try client.send(.headers(1, .push()))
        try client.expectSilence()
        client.advance(.seconds(1))
        if fault.reset != nil { try client.expect(.reset(1, .refusedStream)) }
        try client.expect(.goAway(last: 0, .noError, Self.text))
        try client.expectClosed(.fault)
    }

    @Test func spareTheClientThatCancels() throws {
        let client = try client([1: WireFault(delay: .seconds(1), connection: .rst)])
        try client.send(.headers(1, .push()))
        try client.send(.reset(1, .cancel))
        client.advance(.seconds(1))
        try client.expectAlive(stream: 3)
    }

    @Test func letsStreamsEndAfterGoAway() throws {
        let client = try client([3: WireFault(goAway: Self.goAway(.current, .drain))])
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: 3, .noError, Self.text))
        try client.send(.headers(5, .push()))
        try client.expectSilence()
        #expect(client.channel.isActive)
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
        #expect(client.recorder.requests.map(\.streamID) == [3, 1])
    }

    /// A frame that names all streams promises that they are served.
    @Test func servesNewStreamsAfterAGoAwayThatNamesThem() throws {
        let client = try client([3: WireFault(goAway: Self.goAway(.max, .drain))])
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: .max, .noError, Self.text))
        try client.send(.headers(5, .push()))
        try client.expect(.headers(5, .status(200)))
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
    }

    @Test func waitsForTheSocketToTakeTheGoAway() throws {
        let client = try client([1: WireFault(goAway: Self.goAway(.zero, .now))])
        client.setWritable(false)
        try client.send(.headers(1, .push()))
        #expect(client.channel.isActive)
        try client.send(.headers(3, .push()))
        client.setWritable(true)
        try client.expect(
            .headers(1, .status(200)),
            .headers(3, .status(200)),
            .goAway(last: 0, .noError, Self.text)
        )
        try client.expectClosed(.fault)
    }

    // MARK: Without a word

    @Test(arguments: [WireFault.Connection.rst, .fin], [nil, TLSPeer.Setup()])
    func endsInsteadOfAnswering(connection: WireFault.Connection, tls: TLSPeer.Setup?) throws {
        let client = try client([3: WireFault(connection: connection)], tls: tls)
        try client.send(.headers(1, .push()), .headers(3, .push()), .headers(5, .push()))
        try client.expect(.headers(1, .status(200)))
        #expect(client.tls?.isEnded != true)
        try client.expectClosed(.fault)
        #expect(client.recorder.requests.map(\.streamID) == [1, 3])
        #expect(client.recorder.events.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }

    /// What was to be said before is said first, also where the socket takes nothing for now.
    @Test func endsWhenTheSocketHasTakenTheRest() throws {
        let client = try client([3: WireFault(connection: .rst)])
        client.setWritable(false)
        try client.send(.headers(1, .push()), .headers(3, .push()))
        #expect(client.channel.isActive)
        client.setWritable(true)
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
    }

    @Test(arguments: [WireFault.Connection.rst, .fin])
    func endsAfterAnswering(connection: WireFault.Connection) throws {
        let client = try client([
            1: WireFault(goAway: Self.goAway(.current, .never), connection: connection, answers: true)
        ])
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(200)), .goAway(last: 1, .noError, Self.text))
        try client.expectClosed(.fault)
    }

    /// Closing a channel drops what it has not sent yet.
    @Test func waitsForItsLastBytes() throws {
        let client = try client([1: WireFault(connection: .rst, answers: true)])
        client.wire.hold()
        try client.send(.headers(1, .push()))
        #expect(client.channel.isActive)
        client.wire.release()
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
    }

    @Test func doesNotWaitForEver() throws {
        let client = try client([1: WireFault(connection: .rst, answers: true)])
        client.wire.hold()
        try client.send(.headers(1, .push()))
        client.advance(.seconds(31))
        #expect(!client.channel.isActive)
        #expect(client.recorder.closeReason?.code == .fault)
        #expect(client.loop.streams.inUse == 0)
    }

    @Test(arguments: [WireFault.Connection.stall, .blackhole], [nil, TLSPeer.Setup()])
    func fallsSilent(connection: WireFault.Connection, tls: TLSPeer.Setup?) throws {
        let client = try client([1: WireFault(connection: connection)], tls: tls)
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

    @Test(arguments: [WireFault.Connection.stall, .blackhole])
    func isNotWaitedForWhenItIsSilent(connection: WireFault.Connection) throws {
        let client = try client([1: WireFault(connection: connection)], tls: .init())
        try client.send(.headers(1, .push()))
        var isEmpty = false
        client.loop.shutDown().assumeIsolated().whenSuccess { isEmpty = true }
        #expect(isEmpty)
        try client.expectSilence()
        #expect(client.tls?.isEnded == false)
        try client.expectClosed(.fault)
    }

    @Test(arguments: [WireFault.Connection.stall, .blackhole])
    func saysGoAwayAndFallsSilent(connection: WireFault.Connection) throws {
        let client = try client([
            3: WireFault(goAway: Self.goAway(.current, .drain), connection: connection, answers: true)
        ])
        try client.send(.headers(1, .push(), end: false))
        try client.send(.headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: 3, .noError, Self.text))
        try client.send(.data(1, "{}"))
        client.advance(.hours(1))
        try client.expectSilence()
        #expect(client.channel.isActive)
        client.hangUp()
        try client.expectClosed(.fault)
    }

    @Test func fallsSilentLater() throws {
        let client = try client([1: WireFault(delay: .seconds(3), connection: .blackhole)])
        try client.send(.headers(1, .push()))
        try client.expectAlive(stream: 3, besides: 1)
        client.advance(.seconds(3))
        try client.send(.headers(5, .push()))
        try client.expectSilence()
        #expect(client.channel.isActive)
    }

    // MARK: Idle connections

    @Test func tellsHowLongItWasIdle() throws {
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

    @Test(arguments: WireFault.Connection.allCases)
    func strikesIdleConnections(connection: WireFault.Connection) throws {
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
            asked.map(\.nanoseconds).map { $0 / 1_000_000 }
                == [1_000, 2_000, 500, 1_500, 2_500, 3_500, 4_500, 5_500]
        )
        try client.expectSilence()
        let isOpen = connection == .stall || connection == .blackhole
        #expect(client.channel.isActive == isOpen)
        client.advance(.seconds(60))
        #expect(asked.count == 8)
        if isOpen { client.hangUp() }
        try client.expectClosed(.fault)
    }

    @Test func doesNotCallOpenStreamsIdle() throws {
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

    @Test(arguments: [WireFault.GoAway.Close.never, .drain, .now])
    func saysGoAwayToIdleConnections(close: WireFault.GoAway.Close) throws {
        let client = try Client()
        try client.expectAlive(stream: 5)
        var count = 0
        client.recorder.whileIdle = { _ in
            count += 1
            return count == 2 ? WireFault(goAway: Self.goAway(.previous, close)) : nil
        }
        client.advance(.seconds(3))
        try client.expect(.goAway(last: 3, .noError, Self.text))
        if close == .never {
            try client.expectAlive(stream: 7)
        } else {
            try client.expectClosed(.fault)
        }
    }
}
