import NIOCore
import Testing

@testable import MockAPNsTransport

/// How connections end: by shutdown, by time, and by the client.
@Suite struct EndingTests {
    private static func goAway(last: Int32, _ reason: String = "Shutdown") -> Frame {
        .goAway(last: last, .noError, "{\"reason\":\"\(reason)\"}")
    }

    // MARK: Shutdown

    @Test func `ends an idle connection`() throws {
        let client = try Client()
        try client.send(.headers(5, .push()))
        _ = try client.rest()
        var isEmpty = false
        client.loop.shutDown().assumeIsolated().whenSuccess { isEmpty = true }
        try client.expect(Self.goAway(last: 5))
        try client.expectClosed(.shutdown)
        #expect(isEmpty)
    }

    @Test func `lets streams finish`() throws {
        let client = try Client()
        try client.send(.headers(1, .push()), .headers(3, .push(), end: false), .headers(5, .push(), end: false))
        _ = try client.next()
        var isEmpty = false
        client.loop.shutDown().assumeIsolated().whenSuccess { isEmpty = true }
        try client.expect(Self.goAway(last: 5))
        try client.expectSilence()
        #expect(client.channel.isActive)

        // A new stream is passed over: the client knows from the GOAWAY that it was not processed.
        try client.send(.headers(7, .push()))
        try client.expectSilence()
        try client.send(.data(3, "{}"))
        try client.expect(.headers(3, .status(200)))
        #expect(client.channel.isActive)
        #expect(!isEmpty)
        try client.send(.data(5, "{}"))
        try client.expect(.headers(5, .status(200)))
        try client.expectClosed(.shutdown)
        #expect(isEmpty)
        #expect(client.recorder.requests.map(\.streamID) == [1, 3, 5])
    }

    @Test func `sends two GOAWAY frames if that is chosen`() throws {
        let client = try Client(options: .with { $0.repeatsGoAway = true })
        _ = client.loop.shutDown()
        try client.expect(Self.goAway(last: 0), .goAway(last: 0, .noError, ""))
        try client.expectClosed(.shutdown)
    }

    @Test func `ends what is left at once`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false), .headers(3, .push(), end: false))
        _ = client.loop.shutDown()
        client.loop.closeAll()
        #expect(!client.channel.isActive)
        #expect(client.recorder.closeReason?.code == .shutdown)
        #expect(client.loop.streams.inUse == 0)
    }

    @Test func `ends connections that come during shutdown`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false))
        _ = client.loop.shutDown()
        let late = ConnectionHandler(
            loop: client.loop, info: ConnectionInfo(id: 8, listener: 0, remoteAddress: "late", tls: nil), tls: nil,
            now: client.channel.embeddedEventLoop.now)
        let channel = try client.another(late)
        var reader = FrameReader()
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            reader.append(Array(buffer.readableBytesView))
        }
        guard case .settings = try reader.next() else {
            Issue.record("no SETTINGS")
            return
        }
        let frame = try reader.next()
        #expect(frame == Self.goAway(last: 0))
        #expect(!channel.isActive)
    }

    /// Closing a channel drops what it has not sent yet; the last answers must not go that way.
    @Test func `waits for its last bytes`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false))
        _ = client.loop.shutDown()
        try client.expect(Self.goAway(last: 1))
        client.wire.hold()
        try client.send(.data(1, "{}"))
        try client.expectSilence()
        #expect(client.channel.isActive)
        client.wire.release()
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.shutdown)
    }

    @Test func `closes 30 seconds after a shutdown if the client does not read`() throws {
        let client = try Client()
        client.wire.hold()
        _ = client.loop.shutDown()
        #expect(client.channel.isActive)
        client.advance(.seconds(29))
        #expect(client.channel.isActive)
        client.advance(.seconds(2))
        #expect(!client.channel.isActive)
        #expect(client.recorder.closeReason?.code == .shutdown)
    }

    // MARK: Errors

    /// Streams of the same read, which no GOAWAY could have told the client about, are not looked at either: the
    /// client will send them again.
    @Test func `ends when an answer says so`() throws {
        let client = try Client()
        client.recorder.answer = .custom { _, stream in
            Response(
                status: 400, headers: (nil, nil, nil), body: [], liftsStreamLimit: false, endsConnection: stream == 5)
        }
        try client.send(
            .headers(1, .push(), end: false), .headers(3, .push()), .headers(5, .push()), .headers(7, .push()),
            .headers(9, .push(), end: false), .data(9, "{}"), .priority(11))
        try client.expect(.headers(3, .status(400)), .headers(5, .status(400)), .goAway(last: 5, .noError, ""))
        try client.expectSilence()
        try client.send(.headers(11, .push()), .data(1, "{}"))
        try client.expect(.headers(1, .status(400)))
        try client.expectClosed(.tooManyErrors)
        #expect(client.recorder.requests.map(\.streamID) == [3, 5, 1])
    }

    /// The GOAWAY waits in a full socket while more requests come.
    @Test func `serves no request that arrives while a GOAWAY waits for the socket`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false))
        client.setWritable(false)
        _ = client.loop.shutDown()
        try client.send(.headers(3, .push()))
        client.setWritable(true)
        try client.expect(Self.goAway(last: 1))
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.shutdown)
        #expect(client.recorder.requests.map(\.streamID) == [1])
    }

    // MARK: Time

    @Test func `ends the idle connection`() throws {
        let client = try Client(options: .with { $0.idleTimeout = .minutes(5) })
        client.advance(.minutes(4))
        try client.expectAlive(stream: 1)
        client.advance(.seconds(299))
        try client.expectSilence()
        client.advance(.seconds(2))
        try client.expect(Self.goAway(last: 1, "IdleTimeout"))
        try client.expectClosed(.idle)
    }

    @Test func `does not call an open request idle`() throws {
        let client = try Client(options: .with { $0.idleTimeout = .seconds(20) })
        client.advance(.seconds(19))
        try client.send(.headers(1, .push(), end: false))
        client.advance(.seconds(19))
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        #expect(client.channel.isActive)
    }

    @Test func `an idle connection stays open without an idle limit`() throws {
        let client = try Client()
        client.advance(.hours(2))
        try client.expectAlive(stream: 1)
    }

    @Test func `resets the request that does not end`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false), .data(1, "{", end: false))
        client.advance(.seconds(30))
        try client.send(.headers(3, .push(), end: false))
        client.advance(.seconds(29))
        try client.expectSilence()
        let before = client.recorder.events.count
        client.advance(.seconds(2))
        try client.expect(.reset(1, .cancel))
        try client.expectSilence()
        #expect(client.recorder.events.dropFirst(before).prefix(2) == [.refused(1, .timedOut), .readCompleted])
        #expect(client.recorder.refusals.first?.request.body == [UInt8(ascii: "{")])
        // What was on its way already is nobody's mistake.
        try client.send(.data(1, "}"))
        try client.send(.data(3, "{}"))
        try client.expect(.headers(3, .status(200)))
        try client.expectAlive(stream: 5)
    }

    // MARK: The client

    @Test func `records that the client has closed the connection`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false))
        client.hangUp()
        try client.expectClosed(.closedByPeer)
        #expect(client.recorder.events.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }

    @Test(arguments: [1, 8, 9, 10, 40]) func `notices the client gone in the middle of a frame`(length: Int) throws {
        let client = try Client()
        try client.send(bytes: Array(Frame.headers(1, .push()).encoded.prefix(length)))
        client.hangUp()
        try client.expectClosed(.closedByPeer)
        #expect(client.recorder.requests.isEmpty)
    }

    @Test func `ends after the client's GOAWAY`() throws {
        let client = try Client()
        try client.send(.headers(1, .push(), end: false), .goAway(last: 0, .noError, "bye"))
        #expect(client.channel.isActive)
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.closedByPeer)
    }

    @Test func `gives back every stream`() throws {
        let client = try Client()
        try client.send((0..<300).map { .headers(2 * $0 + 1, .push().filled(to: 4_000), end: false) })
        #expect(client.loop.streams.inUse == 300)
        client.hangUp()
        #expect(client.loop.streams.inUse == 0)
    }

    @Test func `an error of the channel is recorded as ioError`() throws {
        let client = try Client()
        client.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))
        client.channel.embeddedEventLoop.run()
        #expect(client.recorder.closeReason?.code == .ioError)
        #expect(!client.channel.isActive)
    }
}
