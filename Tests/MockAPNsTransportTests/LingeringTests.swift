import NIOCore
import Testing

@testable import MockAPNsTransport

/// What is said at the end of a connection reaches a client that is still sending, or has stopped sending.
@Suite struct LingeringTests {
    private func client(_ options: TransportOptions = .lifted, tls: TLSPeer.Setup? = nil) throws -> Client {
        let client = try Client(options: options, tls: tls)
        client.wire.hasTwoSides = true
        return client
    }

    // MARK: The server ends

    @Test(arguments: [nil, TLSPeer.Setup()]) func `reads on until the client hangs up`(tls: TLSPeer.Setup?) throws {
        let client = try client(tls: tls)
        try client.send(.headers(1, .push()))
        var isEmpty = false
        client.loop.shutDown().assumeIsolated().whenSuccess { isEmpty = true }
        try client.expect(.headers(1, .status(200)), .goAway(last: 1, .noError, "{\"reason\":\"Shutdown\"}"))
        #expect(client.wire.isOutputClosed)
        #expect(client.tls?.isEnded != false)
        // The responder has heard of the end; the socket is what is left.
        #expect(client.recorder.closeReason?.code == .shutdown)
        let reads = client.wire.reads
        for stream: Int32 in [3, 5, 7] {
            try client.send(.headers(stream, .push()))
            client.askToRead()
        }
        #expect(client.wire.reads == reads + 3)
        #expect(client.channel.isActive)
        #expect(!isEmpty)
        client.hangUp()
        #expect(isEmpty)
        try client.expectClosed(.shutdown)
        #expect(client.recorder.requests.map(\.streamID) == [1])
        #expect(client.recorder.events.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }

    @Test func `closes at the linger limit if the client does not`() throws {
        let client = try client()
        _ = client.loop.shutDown()
        client.advance(.seconds(1))
        #expect(client.channel.isActive)
        client.advance(.seconds(2))
        #expect(!client.channel.isActive)
        #expect(client.recorder.handshakeFailure == nil)
    }

    @Test func `discards at most the chosen number of bytes before it closes`() throws {
        let client = try client(.with { $0.lingerBytes = 1_000 })
        _ = client.loop.shutDown()
        try client.send(bytes: [UInt8](repeating: 0, count: 1_000))
        #expect(client.channel.isActive)
        try client.send(bytes: [0])
        #expect(!client.channel.isActive)
    }

    /// A client that writes everything before it reads must get as far as reading.
    @Test func `reads on while its last bytes wait`() throws {
        let client = try client()
        try client.send(.headers(1, .push()))
        client.setWritable(false)
        client.askToRead()
        let reads = client.wire.reads
        client.loop.closeAll()
        #expect(client.wire.reads == reads + 1)
        client.askToRead()
        #expect(client.wire.reads == reads + 2)
    }

    @Test func `a second shutdown closes connections that are still ending`() throws {
        let client = try client()
        client.loop.closeAll()
        #expect(client.channel.isActive)
        client.loop.closeAll()
        try client.expectSilence()
        #expect(!client.channel.isActive)
    }

    /// A request that has not ended when time is up may be sent again.
    @Test func `refuses requests that have not ended`() throws {
        let client = try client()
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()))
        client.loop.closeAll()
        try client.expect(.headers(3, .status(200)), .reset(1, .refusedStream))
        try client.expectSilence()
        #expect(client.wire.isOutputClosed)
        #expect(client.recorder.refusals.isEmpty)
    }

    // MARK: The client ends

    /// TLS's goodbye comes in the same read as the requests before it.
    @Test func `answers what came before GOAWAY`() throws {
        let client = try client(tls: .init())
        let tls = try #require(client.tls)
        let requests = stride(from: Int32(1), to: 20, by: 2).map { Frame.headers($0, .push()) }
        try client.sendRaw(tls.encrypt(requests.flatMap(\.encoded)) + tls.farewell())
        for stream in stride(from: Int32(1), to: 20, by: 2) { try client.expect(.headers(stream, .status(200))) }
        #expect(tls.isEnded)
        #expect(client.wire.isOutputClosed)
        #expect(client.recorder.closeReason?.description == "closed-by-peer: the peer ended TLS")
        // Nothing that is said after a goodbye counts.
        try client.sendRaw([1, 2, 3])
        #expect(client.recorder.requests.count == 10)
    }

    @Test(arguments: [nil, TLSPeer.Setup()]) func `answers a client that has ended its side`(tls: TLSPeer.Setup?) throws
    {
        let client = try client(tls: tls)
        client.setWritable(false)
        try client.send(.headers(1, .push()), .headers(3, .push()), .headers(5, .push(), end: false))
        client.endOutput()
        #expect(client.channel.isActive)
        client.setWritable(true)
        try client.expect(.headers(1, .status(200)), .headers(3, .status(200)))
        try client.expectSilence()
        #expect(client.wire.isOutputClosed)
        #expect(client.recorder.closeReason?.description == "closed-by-peer: the peer closed the connection")
    }

    /// An answer that a fault holds back is waited for, but not for ever: the client may be gone.
    @Test(arguments: [(TimeAmount.seconds(1), true), (.hours(1), false)])
    func `waits for an answer that a fault holds back`(delay: TimeAmount, isAnswered: Bool) throws {
        let client = try client()
        client.recorder.faults[1] = WireFault(delay: delay)
        try client.send(.headers(1, .push()))
        client.endOutput()
        #expect(!client.wire.isOutputClosed)
        client.advance(.seconds(3))
        if isAnswered { try client.expect(.headers(1, .status(200))) }
        try client.expectSilence()
        #expect(client.wire.isOutputClosed)
        #expect(client.recorder.closeReason?.code == .closedByPeer)
    }

    /// An answer behind a window that the client cannot open any more is not waited for.
    @Test func `does not wait for a window`() throws {
        let client = try Client(greets: false)
        client.wire.hasTwoSides = true
        client.recorder.answer = .rejected(400, "BadTopic")
        try client.greet([Frame.Setting(4, 0)])
        try client.send(.headers(1, .push()))
        client.endOutput()
        try client.expect(.headers(1, .status(400), end: false))
        #expect(client.wire.isOutputClosed)
    }

    @Test func `ends with a client that is gone during the handshake`() throws {
        let client = try Client(tls: .init(), fault: .handshakeDelay(.hours(1)), greets: false)
        client.endOutput()
        #expect(!client.channel.isActive)
        #expect(client.recorder.handshakeFailure?.code == .closedByPeer)
    }

    // MARK: Streams

    private func tooLarge(_ client: Client) throws {
        client.recorder.answer = .rejected(413, "PayloadTooLarge")
        try client.send(.headers(1, .push(), end: false), .data(1, "12345678901", end: false))
        try client.expect(.headers(1, .status(413), end: false), .data(1, "{\"reason\":\"PayloadTooLarge\"}"))
        try client.expectSilence()
        client.recorder.answer = .accepted
    }

    private static let small = TransportOptions.with {
        $0.streamsBeforeAuthentication = 1_000
        $0.maxBodyAwaited = 10
        $0.lingerBytes = 1_000
    }

    /// A client that hears the answer early and ends its request has done nothing wrong.
    @Test func `accepts the rest of a request that was answered early`() throws {
        let client = try client(Self.small)
        try tooLarge(client)
        try client.send(.data(1, [UInt8](repeating: 0x61, count: 1_000), end: false), .data(1, "", end: true))
        try client.expectSilence()
        client.advance(.seconds(60))
        try client.expectAlive(stream: 3)
    }

    /// Without the reset, curl 7.88 sometimes waits for the end of its stream forever.
    @Test func `resets a request that ends early after its answer`() throws {
        let client = try client(Self.small)
        client.recorder.answer = .rejected(413, "PayloadTooLarge")
        let headers = [Frame.Field].push(Frame.Field("content-length", "100"))
        try client.send(.headers(1, headers, end: false), .data(1, "12345678901", end: false))
        try client.expect(.headers(1, .status(413), end: false), .data(1, "{\"reason\":\"PayloadTooLarge\"}"))
        try client.send(.data(1, "x", end: false), .data(1, "", end: true))
        try client.expect(.reset(1, .protocolError))
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    @Test func `stops a request that goes on for long`() throws {
        let client = try client(Self.small)
        try tooLarge(client)
        try client.send(.data(1, [UInt8](repeating: 0x61, count: 1_000), end: false))
        try client.expectSilence()
        try client.send(.data(1, "x", end: false), .data(1, "x", end: false))
        try client.expect(.reset(1, .noError))
        try client.expectAlive(stream: 3)
    }

    @Test func `stops a request that does not end`() throws {
        let client = try client(Self.small)
        try tooLarge(client)
        client.advance(.seconds(1))
        try client.expectSilence()
        client.advance(.seconds(2))
        try client.expect(.reset(1, .noError))
        try client.expectAlive(stream: 3)
    }
}

extension ConnectionFault {
    fileprivate static func handshakeDelay(_ time: TimeAmount) -> ConnectionFault {
        var fault = ConnectionFault()
        fault.handshake = .delay(time.nanoseconds / 1_000)
        return fault
    }
}
