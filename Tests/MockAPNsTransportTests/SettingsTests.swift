import NIOCore
import Testing

@testable import MockAPNsTransport

/// What the server announces, and the stream limit that follows from it.
@Suite struct SettingsTests {
    private let raised = Frame.settings([Frame.Setting(3, 1_000)])

    @Test func `sends its SETTINGS before the client's preface`() throws {
        let client = try Client(options: TransportOptions(), greets: false)
        try client.expect(
            .settings([
                Frame.Setting(1, 4_096), Frame.Setting(3, 1), Frame.Setting(4, 65_535), Frame.Setting(5, 16_384),
                Frame.Setting(6, 8_000),
            ]))
        try client.expectSilence()
        #expect(client.recorder.events.first == .opened(7))
        #expect(client.recorder.connections.first?.listener == 2)
        #expect(client.recorder.connections.first?.remoteAddress == "192.0.2.1:1234")
        #expect(client.recorder.connections.first?.tls == nil)
    }

    @Test func `sends the SETTINGS of its options`() throws {
        let options = TransportOptions.with {
            $0.headerTableSize = 0
            $0.streamsBeforeAuthentication = 500
            $0.initialWindowSize = 1_000
            $0.maxFrameSize = 20_000
            $0.maxHeaderListSize = 4_000
        }
        let client = try Client(options: options, greets: false)
        try client.expect(
            .settings([
                Frame.Setting(1, 0), Frame.Setting(3, 500), Frame.Setting(4, 1_000), Frame.Setting(5, 20_000),
                Frame.Setting(6, 4_000),
            ]))
    }

    @Test func `acknowledges each SETTINGS of the client`() throws {
        let client = try Client()
        try client.send(.settings([Frame.Setting(4, 70_000)]), .settings([]))
        try client.expect(.settingsAck, .settingsAck)
        try client.expectAlive(stream: 1)
    }

    @Test func `serves streams opened before the acknowledgement`() throws {
        let client = try Client(options: TransportOptions(), greets: false)
        _ = try client.next()
        try client.send(bytes: Frame.preface)
        try client.send(
            .settings([]), .headers(1, .push(), end: false), .headers(3, .push(), end: false), .headers(5, .push()))
        try client.expect(.settingsAck, .headers(5, .status(200)))
        try client.send(.settingsAck, .data(3, "{}"), .data(1, "{}"))
        try client.expect(.headers(3, .status(200)), .headers(1, .status(200)))
        try client.expectAlive(stream: 7)
    }

    @Test func `refuses the second stream`() throws {
        let client = try Client(options: TransportOptions())
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()))
        try client.expect(.reset(3, .refusedStream))
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        #expect(client.recorder.requests.map(\.streamID) == [1])
        #expect(client.recorder.refusals.isEmpty)
        try client.expectAlive(stream: 5)
    }

    @Test func `ignores all later frames of a refused stream`() throws {
        let client = try Client(options: TransportOptions())
        try client.send(.headers(1, .push(), end: false))
        try client.send(.headers(3, .push(), end: false), .data(3, "{}", end: false), .data(3, "{}"))
        try client.expect(.reset(3, .refusedStream))
        try client.send(.data(3, "late"), .headers(3, [Frame.Field("trailer", "t")]))
        try client.expectSilence()
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectAlive(stream: 5)
    }

    @Test func `ends the connection over the limit when told to`() throws {
        let client = try Client(options: .with { $0.overLimit = .goAway })
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()))
        let text = "Maximum active streams violated for this endpoint."
        guard case .goAway(_, .protocolError, text) = try client.next() else {
            Issue.record("no GOAWAY with the text seen in 2016")
            return
        }
        try client.expectClosed(.streamLimit)
    }

    @Test func `raises the limit after an answer that lifts it`() throws {
        let client = try Client(options: TransportOptions())
        client.recorder.answer = .acceptedAndLifted
        // A raised limit holds at once: the client need not wait for the frame that says so.
        try client.send(.headers(1, .push()), .headers(3, .push(), end: false), .headers(5, .push(), end: false))
        #expect(try client.rest() == [raised, .headers(1, .status(200))])
        try client.send(.settingsAck, .data(3, "{}"), .data(5, "{}"))
        try client.expect(.headers(3, .status(200)), .headers(5, .status(200)))
        try client.expectAlive(stream: 7)
    }

    @Test func `refuses the stream after the thousandth`() throws {
        let client = try Client()
        try client.send((0..<1_000).map { .headers(2 * $0 + 1, .push(), end: false) })
        try client.expectSilence()
        try client.send(.headers(2_001, .push()), .headers(2_003, .push()))
        try client.expect(.reset(2_001, .refusedStream), .reset(2_003, .refusedStream))
        try client.send(.data(1, "{}"), .headers(2_005, .push()))
        try client.expect(.headers(1, .status(200)), .reset(2_005, .refusedStream))
        try client.send(.headers(2_007, .push()))
        try client.expect(.headers(2_007, .status(200)))
        #expect(client.loop.streams.inUse == 999)
        client.hangUp()
        try client.expectClosed(.closedByPeer)
    }

    @Test func `does not slow down on errors`() throws {
        let client = try Client()
        client.recorder.answer = .rejected(400, "BadTopic")
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(400), end: false), .data(1, "{\"reason\":\"BadTopic\"}"))
        try client.expectSilence()
    }

    @Test func `ends the connection that never acknowledges`() throws {
        let client = try Client(greets: false)
        _ = try client.next()
        try client.send(bytes: Frame.preface + Frame.settings([]).encoded)
        try client.expect(.settingsAck)
        client.advance(.seconds(9))
        try client.expectSilence()
        client.advance(.seconds(2))
        try client.expect(.goAway(last: 0, .settingsTimeout, "no SETTINGS acknowledgement within 10 s"))
        try client.expectClosed(.settingsTimeout)
    }

    @Test func `disconnects a client that sends nothing for 10 seconds`() throws {
        let client = try Client(greets: false)
        _ = try client.next()
        client.advance(.seconds(11))
        try client.expectGoAway(.settingsTimeout)
        try client.expectClosed(.settingsTimeout)
    }
}
