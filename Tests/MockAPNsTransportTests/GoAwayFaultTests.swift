import MockAPNsRules
import NIOCore
import Testing

@testable import MockAPNsTransport

/// GOAWAY frames of faults, in every form.
@Suite struct GoAwayFaultTests {
    static let lastStreams: [(FaultAction.GoAway.LastStream, Int32, Int32)] = [
        (.answered, 5, 5), (.current, 5, 5), (.previous, 5, 3), (.previous, 1, 0), (.zero, 5, 0),
        (.max, 5, 0x7fff_ffff),
    ]

    /// Whatever stream it names: the connection goes on, and so do streams after it.
    @Test(arguments: lastStreams) func `sends GOAWAY and goes on`(
        lastStream: FaultAction.GoAway.LastStream, stream: Int32, named: Int32
    ) throws {
        let client = try Client(striking: [
            stream: WireFault(goAway: .shutdown(lastStream, .never, code: .enhanceYourCalm))
        ])
        try client.send(.headers(stream, .push()))
        try client.expect(
            .headers(stream, .status(200)), .goAway(last: named, .enhanceYourCalm, FaultAction.GoAway.text))
        for later: Int32 in [7, 9, 2_001] { try client.expectAlive(stream: later) }
        try client.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
        try client.expect(.pong([1, 2, 3, 4, 5, 6, 7, 8]))
        client.advance(.hours(1))
        try client.expectAlive(stream: 3_001)
        _ = client.loop.shutDown()
        // RFC 9113, section 6.8: a second frame must not name a higher stream than the first.
        try client.expect(.goAway(last: min(named, 3_001), .noError, "{\"reason\":\"Shutdown\"}"))
        try client.expectClosed(.shutdown)
    }

    /// What was answered or will be is not called unprocessed, wherever the fault struck.
    @Test func `names the highest stream that is answered`() throws {
        let client = try Client(striking: [1: WireFault(goAway: .shutdown(.answered, .drain))])
        try client.send(.headers(1, .push()), .headers(3, .push()), .headers(5, .push(), end: false))
        try client.expect(
            .headers(1, .status(200)), .headers(3, .status(200)), .goAway(last: 5, .noError, FaultAction.GoAway.text))
        try client.send(.headers(7, .push()), .data(5, "{}"))
        try client.expect(.headers(5, .status(200)))
        try client.expectClosed(.fault)
        #expect(client.recorder.requests.map(\.streamID) == [1, 3, 5])
    }

    /// Where nothing is answered after the frame, what has not been answered may be sent again.
    @Test func `refuses streams that are open when it closes at once`() throws {
        let client = try Client(striking: [1: WireFault(goAway: .shutdown(.answered, .now))])
        try client.send(
            .headers(1, .push()), .headers(3, .push(), end: false), .headers(5, .push()),
            .headers(7, .push(), end: false))
        try client.expect(
            .headers(1, .status(200)), .headers(5, .status(200)), .reset(7, .refusedStream), .reset(3, .refusedStream),
            .goAway(last: 5, .noError, FaultAction.GoAway.text))
        try client.expectClosed(.fault)
        #expect(client.recorder.requests.map(\.streamID) == [1, 5])
    }

    /// What the fault called unprocessed is answered all the same, also when the server stops.
    @Test func `answers what is above a GOAWAY`() throws {
        let client = try Client(striking: [1: WireFault(goAway: .shutdown(.current, .never))])
        try client.send(.headers(1, .push()), .headers(3, .push(), end: false))
        try client.expect(.headers(1, .status(200)), .goAway(last: 1, .noError, FaultAction.GoAway.text))
        _ = client.loop.shutDown()
        try client.expect(.goAway(last: 1, .noError, FaultAction.GoAway.text))
        try client.send(.data(3, "{}"), .headers(5, .push()))
        try client.expect(.headers(3, .status(200)))
        try client.expectClosed(.shutdown)
    }

    /// The server stops while a fault lets the connection end after streams that it takes on.
    @Test func `stops taking streams when the server stops`() throws {
        let client = try Client(striking: [1: WireFault(goAway: .shutdown(.max, .drain))])
        try client.send(.headers(1, .push()), .headers(3, .push(), end: false))
        try client.expect(.headers(1, .status(200)), .goAway(last: .max, .noError, FaultAction.GoAway.text))
        _ = client.loop.shutDown()
        try client.expect(.goAway(last: 3, .noError, FaultAction.GoAway.text))
        try client.send(.headers(5, .push()), .data(3, "{}"))
        try client.expect(.headers(3, .status(200)))
        try client.expectClosed(.fault)
    }

    @Test(arguments: lastStreams) func `sends GOAWAY and closes`(
        lastStream: FaultAction.GoAway.LastStream, stream: Int32, named: Int32
    ) throws {
        let client = try Client(striking: [stream: WireFault(goAway: .shutdown(lastStream, .now))], tls: .init())
        try client.send(.headers(stream, .push()))
        try client.expect(.headers(stream, .status(200)), .goAway(last: named, .noError, FaultAction.GoAway.text))
        #expect(client.tls?.isEnded == true)
        try client.expectClosed(.fault)
    }

    @Test func `sends two GOAWAY frames`() throws {
        let client = try Client(striking: [
            1: WireFault(goAway: .shutdown(.max, .never)), 3: WireFault(goAway: .shutdown(.current, .now)),
        ])
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(200)), .goAway(last: 0x7fff_ffff, .noError, FaultAction.GoAway.text))
        try client.send(.headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: 3, .noError, FaultAction.GoAway.text))
        try client.expectClosed(.fault)
    }

    @Test(arguments: [0, 1, 16_376, 16_377, 100_000]) func `fills a frame with debug data`(length: Int) throws {
        let debug = String(repeating: "d", count: length)
        let goAway = FaultAction.GoAway(code: .internalError, lastStream: .zero, debug: debug, close: .never)
        let client = try Client(striking: [1: WireFault(goAway: goAway)])
        try client.send(.headers(1, .push()))
        let text = String(repeating: "d", count: min(length, 16_376))
        try client.expect(.headers(1, .status(200)), .goAway(last: 0, .internalError, text))
        try client.expectAlive(stream: 3)
    }

    /// What was answered in the same read has left before.
    @Test func `sends GOAWAY after the answers of the same read`() throws {
        let client = try Client(striking: [5: WireFault(goAway: .shutdown(.current, .now), answers: false)])
        client.recorder.answer = .rejected(400, "BadTopic")
        try client.send((0..<5).map { .headers(2 * $0 + 1, .push()) })
        try client.expect(
            .headers(1, .status(400), end: false), .headers(3, .status(400), end: false),
            .data(1, "{\"reason\":\"BadTopic\"}"), .data(3, "{\"reason\":\"BadTopic\"}"),
            .goAway(last: 5, .noError, FaultAction.GoAway.text))
        try client.expectClosed(.fault)
        // What came after the end has been decided is not looked at.
        #expect(client.recorder.requests.map(\.streamID) == [1, 3, 5])
    }

    @Test func `sends GOAWAY after its own answer`() throws {
        let client = try Client(greets: false)
        client.recorder.answer = .rejected(400, "BadTopic")
        client.recorder.faults[1] = WireFault(goAway: .shutdown(.current, .now))
        try client.greet([Frame.Setting(4, 10)])
        try client.send(.headers(1, .push()))
        try client.expect(.headers(1, .status(400), end: false), .data(1, "{\"reason\":", end: false))
        try client.expectSilence()
        #expect(client.channel.isActive)
        try client.send(.windowUpdate(1, by: 100))
        try client.expect(.data(1, "\"BadTopic\"}"), .goAway(last: 1, .noError, FaultAction.GoAway.text))
        try client.expectClosed(.fault)
    }

    @Test(arguments: [
        WireFault(delay: .seconds(1), reset: 7, goAway: .shutdown(.previous, .now)),
        WireFault(delay: .seconds(1), goAway: .shutdown(.previous, .now), answers: false),
    ]) func `sends GOAWAY after a delay`(fault: WireFault) throws {
        let client = try Client(striking: [1: fault])
        try client.send(.headers(1, .push()))
        try client.expectSilence()
        client.advance(.seconds(1))
        if fault.reset != nil { try client.expect(.reset(1, .refusedStream)) }
        try client.expect(.goAway(last: 0, .noError, FaultAction.GoAway.text))
        try client.expectClosed(.fault)
    }

    @Test func `does not fire for a request that the client cancels`() throws {
        let client = try Client(striking: [1: WireFault(delay: .seconds(1), connection: .rst)])
        try client.send(.headers(1, .push()))
        try client.send(.reset(1, .cancel))
        client.advance(.seconds(1))
        try client.expectAlive(stream: 3)
    }

    @Test func `lets streams end after GOAWAY`() throws {
        let client = try Client(striking: [3: WireFault(goAway: .shutdown(.current, .drain))])
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: 3, .noError, FaultAction.GoAway.text))
        try client.send(.headers(5, .push()))
        try client.expectSilence()
        #expect(client.channel.isActive)
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
        #expect(client.recorder.requests.map(\.streamID) == [3, 1])
    }

    /// A frame that names all streams promises that they are served.
    @Test func `serves new streams after a GOAWAY that names them`() throws {
        let client = try Client(striking: [3: WireFault(goAway: .shutdown(.max, .drain))])
        try client.send(.headers(1, .push(), end: false), .headers(3, .push()))
        try client.expect(.headers(3, .status(200)), .goAway(last: .max, .noError, FaultAction.GoAway.text))
        try client.send(.headers(5, .push()))
        try client.expect(.headers(5, .status(200)))
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.fault)
    }

    @Test func `waits for the socket to take the GOAWAY`() throws {
        let client = try Client(striking: [1: WireFault(goAway: .shutdown(.zero, .now))])
        client.setWritable(false)
        try client.send(.headers(1, .push()))
        #expect(client.channel.isActive)
        try client.send(.headers(3, .push()))
        client.setWritable(true)
        try client.expect(
            .headers(1, .status(200)), .headers(3, .status(200)), .goAway(last: 0, .noError, FaultAction.GoAway.text))
        try client.expectClosed(.fault)
    }
}
