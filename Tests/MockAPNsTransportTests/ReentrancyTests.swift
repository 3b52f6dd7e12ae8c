import NIOCore
import Testing

@testable import MockAPNsTransport

/// Ends of the session from inside its own callbacks: what has cost other wrappers of nghttp2 dearly.
@Suite struct ReentrancyTests {
    /// The responder may not close the connection while it is called.
    ///
    /// When it does all the same, nothing of the session may be touched after it is gone.
    @Test func `survives a responder that closes the connection`() throws {
        let client = try Client()
        client.recorder.whileResponding = { [channel = client.channel] in channel.close(promise: nil) }
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()), .headers(5, .push()))
        #expect(!client.channel.isActive)
        #expect(client.recorder.requests.map(\.streamID) == [3])
        #expect(client.recorder.closeReason?.code == .closedByPeer)
        #expect(client.loop.streams.inUse == 0)
    }

    @Test func `survives a responder that closes everything`() throws {
        let client = try Client()
        client.recorder.whileResponding = { [loop = client.loop] in loop.closeAll() }
        try client.send(.headers(1, .push(), end: false), .data(1, "{}"), .headers(3, .push()))
        #expect(client.recorder.requests.map(\.streamID) == [1])
        #expect(client.recorder.closeReason?.code == .shutdown)
        #expect(client.loop.streams.inUse == 0)
        #expect(!client.channel.isActive)
    }

    @Test func `survives a responder that shuts down`() throws {
        let client = try Client()
        client.recorder.whileResponding = { [loop = client.loop] in _ = loop.shutDown() }
        try client.send(.headers(1, .push()))
        let answers = try client.rest()
        #expect(answers.contains(.goAway(last: 1, .noError, "{\"reason\":\"Shutdown\"}")))
        #expect(client.recorder.closeReason?.code == .shutdown)
        #expect(client.loop.streams.inUse == 0)
    }

    /// While a request is turned away, from every place that does so.
    @Test(arguments: [
        [Frame.headers(1, .push(Frame.Field("Upper", "1"))), .headers(3, .push())],
        [.headers(1, .push(Frame.Field("apns-id", "\u{1}"))), .headers(3, .push())],
        [.headers(1, .push().filled(to: 9_000)), .headers(3, .push())],
        [.headers(1, .push().filled(to: 9_000), end: false), .data(1, "{}"), .headers(3, .push())],
        [.headers(1, .push(Frame.Field("content-length", "9")), end: false), .data(1, "x")],
    ]) func `survives close during a refusal`(frames: [Frame]) throws {
        let client = try Client()
        client.recorder.whileRefusing = { [channel = client.channel] in channel.close(promise: nil) }
        try client.send(.headers(99, .push(), end: false))
        try client.send(frames.map { $0.moved(by: 100) })
        #expect(client.recorder.refusals.count == 1)
        #expect(client.recorder.requests.isEmpty)
        #expect(!client.channel.isActive)
        #expect(client.loop.streams.inUse == 0)
    }

    @Test func `survives close during a time out`() throws {
        let client = try Client()
        client.recorder.whileRefusing = { [channel = client.channel] in channel.close(promise: nil) }
        try client.send(.headers(1, .push(), end: false), .headers(3, .push(), end: false))
        client.advance(.seconds(61))
        #expect(!client.channel.isActive)
        #expect(client.loop.streams.inUse == 0)
    }

    /// A flood noticed in the middle of a read with answers queued and streams open.
    @Test func `ends a flood with answers queued`() throws {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                $0.frameAllowance.pings = FrameAllowance.Bound(burst: 3, perSecond: 1)
            })
        client.recorder.answer = .rejected(400, "BadTopic")
        var frames: [Frame] = []
        for round in 0..<8 {
            let stream = Int32(4 * round + 1)
            frames += [
                .headers(stream, .push(), end: false), .headers(stream + 2, .push()), .ping([0, 0, 0, 0, 0, 0, 0, 0]),
            ]
        }
        try client.send(frames)
        #expect(client.recorder.requests.map(\.streamID) == [3, 7, 11, 15])
        let said = try client.rest()
        #expect(said.contains(.goAway(last: 15, .enhanceYourCalm, "too many PING frames")))
        #expect(said.contains(.headers(15, .status(400), end: false)))
        try client.expectClosed(.flood)
    }

    @Test func `refuses with GOAWAY in the middle of a block`() throws {
        let client = try Client(options: .with { $0.overLimit = .goAway })
        let block = HPACK.encode(.push())
        try client.send(.headers(1, .push(), end: false))
        try client.send(
            .block(3, Array(block[..<10]), flags: 0), .continuation(3, Array(block[10...]), isLast: true),
            .data(1, "{}"))
        try client.expectGoAway(.protocolError)
        try client.expectClosed(.streamLimit)
        #expect(client.recorder.requests.isEmpty)
    }

    /// The session is dropped with streams open and answers queued; nghttp2 tells of neither.
    @Test func `a dropped session returns its streams and answers`() throws {
        let pool = H2StreamPool()
        let recorder = Recorder()
        recorder.answer = .rejected(400, "BadTopic")
        let responder = recorder.connectionOpened(.none)
        do {
            let session = try H2Session(
                options: .lifted, pool: pool, responder: responder, isAuthenticated: true, now: .uptimeNanoseconds(0))
            let frames: [Frame] = [.settings([]), .headers(1, .push()), .headers(3, .push(), end: false)]
            (Frame.preface + frames.flatMap(\.encoded)).withUnsafeBufferPointer {
                session.receive($0, now: .uptimeNanoseconds(1))
            }
            #expect(pool.inUse == 2)
        }
        #expect(pool.inUse == 0)
        #expect(recorder.closeReason?.code == .internalError)
        // The memory is used again, and carries nothing over.
        let stream = pool.take(id: 5, now: .uptimeNanoseconds(2))
        stream.pointee.withRequest { request in
            #expect(request.fields.isEmpty)
            #expect(request.bodyLength == 0)
        }
        pool.give(back: stream)
    }

    @Test func `reports the end of a connection once`() throws {
        let client = try Client()
        client.loop.closeAll()
        client.loop.closeAll()
        client.hangUp()
        #expect(client.recorder.events.filter { if case .closed = $0 { true } else { false } }.count == 1)
    }
}
