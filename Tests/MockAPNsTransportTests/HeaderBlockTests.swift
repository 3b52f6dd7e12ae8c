import NIOCore
import Testing

@testable import MockAPNsTransport

/// Bounds on header lists: announced, enforced, and out of reach of tricks with compression and continuation.
@Suite struct HeaderBlockTests {
    @Test(arguments: [0, 1]) func `accepts header lists of up to 8,000 bytes`(over: Int) throws {
        let client = try Client()
        let headers = [Frame.Field].push().filled(to: 8_000 + over)
        try client.send(.headers(1, headers))
        try client.expect(.headers(1, .status(over == 0 ? 200 : 431)))
        #expect(client.recorder.requests.count == 1 - over)
        #expect(client.recorder.refusals.count == over)
        if over > 0 {
            let refusal = try #require(client.recorder.refusals.first)
            #expect(refusal.problem == .headerListTooLarge)
            #expect(refusal.problem.status == 431)
            #expect(refusal.request.streamID == 1)
            // What came before the field that was one too many is there to see.
            #expect(refusal.request.fields == .push())
            #expect(client.recorder.events.suffix(2) == [.readCompleted, .written])
        }
        try client.expectAlive(stream: 3)
    }

    /// Some clients hear no answer before they have sent their body.
    @Test func `answers 431 only after the body has arrived`() throws {
        let client = try Client()
        try client.send(.headers(1, .push().filled(to: 9_000), end: false))
        try client.send(.data(1, "{\"aps\":", end: false))
        try client.expectSilence()
        try client.send(.data(1, "{}}"))
        try client.expect(.headers(1, .status(431)))
        try client.expectAlive(stream: 3)
        #expect(client.recorder.requests.map(\.streamID) == [3])
    }

    @Test func `does not count trailers as headers`() throws {
        let client = try Client()
        try client.send(
            .headers(1, .push().filled(to: 8_000), end: false), .data(1, "{}", end: false),
            .headers(1, [Frame.Field("x-trailer", String(repeating: "t", count: 9_000))]))
        try client.expect(.headers(1, .status(200)))
        try client.expectAlive(stream: 3)
    }

    /// A request whose header block comes in a HEADERS frame and `count` CONTINUATION frames.
    private func continued(_ stream: Int32, count: Int, of block: [UInt8]? = nil) -> [Frame] {
        let block = block ?? HPACK.encode(.push())
        let size = block.count / (count + 1) + 1
        let pieces = (0...count).map { Array(block.dropFirst($0 * size).prefix(size)) }
        return [.block(stream, pieces[0], flags: Frame.Flag.endStream)]
            + (1...count).map { .continuation(stream, pieces[$0], isLast: $0 == count) }
    }

    /// What HPACK made of the fields, however many frames they came in.
    @Test(arguments: [0, 1, 5]) func `counts the bytes of a header block`(continuations: Int) throws {
        let client = try Client()
        let block = HPACK.encode(.push())
        if continuations == 0 {
            try client.send(.block(1, block))
        } else {
            try client.send(continued(1, count: continuations, of: block))
        }
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.map(\.headerBlockLength) == [block.count])
        // A body, other frames and trailers do not count.
        try client.send(.block(3, block, flags: Frame.Flag.endHeaders))
        try client.send(.data(3, "{}", end: false), .headers(3, [Frame.Field("x-trailer", "t")]))
        try client.expect(.headers(3, .status(200)))
        #expect(client.recorder.requests.map(\.headerBlockLength) == [block.count, block.count])
    }

    /// RFC 9113, section 6.2: a byte that says how much padding there is, five of priority, the block, the padding.
    @Test func `does not count padding and priority`() throws {
        let client = try Client()
        let block = HPACK.encode(.push())
        let flags = Frame.Flag.endStream | Frame.Flag.endHeaders
        let padding = [UInt8](repeating: 0, count: 7)
        try client.send(.block(1, [7] + block + padding, flags: flags | Frame.Flag.padded))
        try client.expect(.headers(1, .status(200)))
        try client.send(.block(3, [0, 0, 0, 0, 15] + block, flags: flags | Frame.Flag.priority))
        try client.expect(.headers(3, .status(200)))
        let both = flags | Frame.Flag.padded | Frame.Flag.priority
        try client.send(.block(5, [7, 0, 0, 0, 0, 15] + block + padding, flags: both))
        try client.expect(.headers(5, .status(200)))
        #expect(client.recorder.requests.map(\.headerBlockLength) == [block.count, block.count, block.count])
    }

    @Test(arguments: [1, 8, 9, 16]) func `accepts up to 16 CONTINUATION frames per block`(count: Int) throws {
        let client = try Client()
        try client.send(continued(1, count: count))
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.first?.fields == .push())
        // They are counted for one block at a time.
        try client.send(continued(3, count: count))
        try client.expect(.headers(3, .status(200)))
        try client.expectAlive(stream: 5)
    }

    @Test func `ends the connection after more than 16 CONTINUATION frames`() throws {
        let client = try Client()
        try client.send(continued(1, count: 17))
        try client.expect(.goAway(last: 1, .enhanceYourCalm, "more than 16 CONTINUATION frames"))
        try client.expectClosed(.flood)
        #expect(client.recorder.requests.isEmpty)
    }

    @Test func `ends the connection over empty continuations`() throws {
        let client = try Client()
        let block = HPACK.encode(.push())
        try client.send(.block(1, block, flags: Frame.Flag.endStream))
        for _ in 0..<16 { try client.send(.continuation(1, [], isLast: false)) }
        try client.expectSilence()
        try client.send(.continuation(1, [], isLast: false))
        try client.expect(.goAway(last: 1, .enhanceYourCalm, "more than 16 CONTINUATION frames"))
        try client.expectClosed(.flood)
    }

    /// nghttp2 does not tell of CONTINUATION frames in a block that it skips; its own limit must hold there.
    @Test func `ends the connection over continuations of a refused block`() throws {
        let client = try Client()
        let block = HPACK.encode([Frame.Field("connection", "close")])
        try client.send(.block(1, block, flags: Frame.Flag.endStream))
        for _ in 0..<1_100 where client.channel.isActive { try client.send(.continuation(1, [], isLast: false)) }
        #expect(try client.rest().contains { if case .goAway(_, .enhanceYourCalm, _) = $0 { true } else { false } })
        try client.expectClosed(.flood)
    }

    @Test func `refuses anything between continuations`() throws {
        let client = try Client()
        try client.send(.block(1, HPACK.encode(.push()), flags: Frame.Flag.endStream), .ping([0, 0, 0, 0, 0, 0, 0, 0]))
        try client.expectGoAway(.protocolError)
        try client.expectClosed(.protocolError)
    }

    /// One long field in the dynamic table, then one byte for each time it is meant.
    private func bomb(repeats: Int) -> [UInt8] {
        HPACK.encode(.push()) + HPACK.indexed(Frame.Field("x", String(repeating: "b", count: 4_000)))
            + [UInt8](repeating: 0x80 | 62, count: repeats)
    }

    @Test func `answers 431 to a header block that expands a little over the limit`() throws {
        let client = try Client()
        try client.send(.block(1, bomb(repeats: 100)))
        try client.expect(.headers(1, .status(431)))
        try client.expectAlive(stream: 3)
    }

    @Test func `ends the connection after a header block that expands far over the limit`() throws {
        let client = try Client()
        try client.send(.block(1, bomb(repeats: 10_000)))
        try client.expect(.goAway(last: 1, .enhanceYourCalm, "a header list of more than 524288 bytes"))
        try client.expectClosed(.flood)
        #expect(client.recorder.requests.isEmpty)
    }

    @Test func `ends the connection over a bomb on a refused stream`() throws {
        let client = try Client(options: TransportOptions())
        try client.send(.headers(1, .push(), end: false))
        try client.send(.block(3, bomb(repeats: 10_000)))
        guard case .goAway(_, .enhanceYourCalm, _) = try client.rest().last else {
            Issue.record("no GOAWAY")
            return
        }
        try client.expectClosed(.flood)
    }

    @Test func `ends the connection over a broken block`() throws {
        let client = try Client()
        try client.send(.block(1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
        try client.expectGoAway(.compressionError)
        try client.expectClosed(.protocolError)
    }
}
