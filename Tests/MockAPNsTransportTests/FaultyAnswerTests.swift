import MockAPNsRules
import NIOCore
import Testing

@testable import MockAPNsTransport

/// Faults of answers, on the wire: late, slow, reset, and with bodies that are not what they should be.
@Suite struct FaultyAnswerTests {
    private let body = "{\"reason\":\"BadDeviceToken\"}"

    /// A client whose streams 1, 3, … are answered with these faults, the first one on stream 1.
    private func client(
        _ faults: WireFault?..., answer: Recorder.Answer = .accepted, options: TransportOptions = .lifted,
        greets: Bool = true
    ) throws -> Client {
        let client = try Client(options: options, greets: greets)
        client.recorder.answer = answer
        for (place, fault) in faults.enumerated() { client.recorder.faults[Int32(2 * place + 1)] = fault }
        return client
    }

    // MARK: Delay

    @Test func `delays one answer while others are sent`() throws {
        let client = try client(WireFault(delay: .seconds(5)))
        let before = client.recorder.events.count
        try client.send(.headers(1, .push(Frame.Field("apns-id", "one")), end: false), .data(1, "{}"))
        try client.expectSilence()
        // It is judged, and shown, at once.
        #expect(client.recorder.events.dropFirst(before) == [.request(1), .readCompleted])
        // The memory of the other streams is taken and given back while the first one waits.
        for stream: Int32 in [3, 5, 7] {
            try client.send(.headers(stream, .push(Frame.Field("apns-id", "other"))))
            try client.expect(.headers(stream, .status(200, Frame.Field("apns-id", "other"))))
        }
        client.advance(.milliseconds(4_999))
        try client.expectSilence()
        client.advance(.milliseconds(1))
        try client.expect(.headers(1, .status(200, Frame.Field("apns-id", "one"))))
        try client.expectAlive(stream: 9)
    }

    /// Nothing that the client leaves unread keeps the answer back, so no time-out counts.
    @Test func `an answer may be delayed for an hour without a time-out`() throws {
        let client = try client(WireFault(delay: .hours(1)), answer: .rejected(400, "BadDeviceToken"))
        try client.send(.headers(1, .push()))
        client.advance(.minutes(59))
        try client.expectSilence()
        client.advance(.minutes(1))
        try client.expect(.headers(1, .status(400), end: false), .data(1, body))
        // From there on, it does.
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    @Test func `answers in the order of their delays`() throws {
        let client = try client(
            WireFault(delay: .seconds(3)), WireFault(delay: .seconds(1)), WireFault(delay: .seconds(2)),
            WireFault(delay: .seconds(1)))
        try client.send((0..<5).map { .headers(2 * $0 + 1, .push()) })
        try client.expect(.headers(9, .status(200)))
        for streams: [Int32] in [[3, 7], [5], [1]] {
            try client.expectSilence()
            client.advance(.seconds(1))
            let answers = try client.rest()
            #expect(answers == streams.map { .headers($0, .status(200)) })
        }
        try client.expectAlive(stream: 11)
    }

    /// The nearer one comes while the farther one is waited for.
    @Test func `sends the answer that is due first, whichever was delayed first`() throws {
        let client = try client(WireFault(delay: .seconds(30)), WireFault(delay: .seconds(1)))
        try client.send(.headers(1, .push()))
        client.advance(.seconds(5))
        try client.send(.headers(3, .push()))
        client.advance(.seconds(1))
        try client.expect(.headers(3, .status(200)))
        client.advance(.seconds(24))
        try client.expect(.headers(1, .status(200)))
        try client.expectAlive(stream: 5)
    }

    @Test func `forgets the answer to what the client cancels`() throws {
        let client = try client(
            WireFault(delay: .seconds(5), goAway: .now), WireFault(delay: .seconds(6)),
            answer: .rejected(400, "BadDeviceToken"))
        try client.send(.headers(1, .push()), .headers(3, .push()))
        try client.send(.reset(1, .cancel))
        #expect(client.loop.streams.inUse == 1)
        client.advance(.seconds(6))
        try client.expect(.headers(3, .status(400), end: false), .data(3, body))
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 5)
    }

    @Test func `forgets the answer when the client hangs up`() throws {
        let client = try client(WireFault(delay: .seconds(5)), WireFault(bytesPerSecond: 1))
        try client.send(.headers(1, .push()), .headers(3, .push()))
        client.hangUp()
        try client.expectClosed(.closedByPeer)
        client.advance(.hours(1))
        #expect(client.recorder.requests.count == 2)
    }

    @Test func `lets the answer leave before the server stops`() throws {
        let client = try client(WireFault(delay: .seconds(5)))
        try client.send(.headers(1, .push()))
        _ = client.loop.shutDown()
        try client.expect(.goAway(last: 1, .noError, "{\"reason\":\"Shutdown\"}"))
        try client.expectSilence()
        client.advance(.seconds(5))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.shutdown)
    }

    @Test func `drops the answer when the server has stopped`() throws {
        let client = try client(WireFault(delay: .seconds(5)))
        try client.send(.headers(1, .push()))
        client.loop.closeAll()
        client.advance(.seconds(5))
        try client.expectClosed(.shutdown)
    }

    @Test func `a delayed answer waits for a full socket`() throws {
        let client = try client(WireFault(delay: .seconds(5)))
        try client.send(.headers(1, .push()))
        client.setWritable(false)
        client.advance(.seconds(6))
        try client.expectSilence()
        client.setWritable(true)
        try client.expect(.headers(1, .status(200)))
        try client.expectAlive(stream: 3)
    }

    @Test func `answers late what was answered early`() throws {
        let client = try client(
            WireFault(delay: .seconds(5)), answer: .rejected(413, "PayloadTooLarge"),
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                $0.maxBodyAwaited = 10
            })
        try client.send(.headers(1, .push(), end: false), .data(1, "12345678901", end: false))
        try client.send(.data(1, "more", end: false))
        client.advance(.seconds(5))
        try client.expect(.headers(1, .status(413), end: false), .data(1, "{\"reason\":\"PayloadTooLarge\"}"))
        client.advance(.seconds(3))
        try client.expect(.reset(1, .noError))
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    @Test func `raises the stream limit with its answer`() throws {
        let client = try client(WireFault(delay: .seconds(1)), answer: .acceptedAndLifted, options: TransportOptions())
        try client.send(.headers(1, .push()))
        try client.send(.headers(3, .push()))
        try client.expect(.reset(3, .refusedStream))
        client.advance(.seconds(1))
        #expect(try client.rest() == [.settings([Frame.Setting(3, 1_000)]), .headers(1, .status(200))])
    }

    /// A thousand at once, given back to the last one.
    @Test func `1,000 answers can be delayed at once`() throws {
        let client = try Client()
        for place: Int32 in 0..<1_000 {
            client.recorder.faults[2 * place + 1] = WireFault(delay: .milliseconds(Int64(place % 100)))
        }
        try client.send((0..<1_000).map { .headers(2 * $0 + 1, .push()) })
        client.advance(.seconds(1))
        #expect(try client.rest().count == 1_000)
        try client.expectAlive(stream: 2_001)
    }

    // MARK: Reset

    static let codes: [Frame.ErrorCode] = [
        .noError, .protocolError, .internalError, .refusedStream, .cancel, .enhanceYourCalm,
    ]

    @Test(arguments: codes) func `resets the stream instead of answering`(code: Frame.ErrorCode) throws {
        let client = try client(WireFault(reset: code.rawValue), answer: .rejected(400, "BadTopic"))
        try client.send(.headers(1, .push(), end: false), .data(1, "{}"))
        try client.expect(.reset(1, code))
        #expect(client.recorder.requests.count == 1)
        #expect(client.recorder.refusals.isEmpty)
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    @Test func `can reset with an unknown code`() throws {
        let client = try client(WireFault(reset: 0xdead_beef))
        try client.send(.headers(1, .push()))
        #expect(throws: FrameReader.Malformed.self) { try client.next() }
        #expect(client.loop.streams.inUse == 0)
    }

    @Test func `resets later`() throws {
        let client = try client(WireFault(delay: .seconds(2), reset: Frame.ErrorCode.cancel.rawValue))
        try client.send(.headers(1, .push()))
        client.advance(.seconds(1))
        try client.expectSilence()
        client.advance(.seconds(1))
        try client.expect(.reset(1, .cancel))
        try client.expectAlive(stream: 3)
    }

    // MARK: Nothing

    @Test func `can leave a request unanswered`() throws {
        let client = try client(WireFault(answers: false))
        try client.send(.headers(1, .push()))
        client.advance(.hours(2))
        try client.expectAlive(stream: 3, besides: 1)
        try client.send(.reset(1, .cancel))
        try client.expectAlive(stream: 5)
    }

    // MARK: Header

    @Test func `adds headers to an answer`() throws {
        let long = String(repeating: "v", count: 5_000)
        let client = try client(
            WireFault(headers: [FaultAction.Header("retry-after", "30"), .init("x-empty", ""), .init("x-long", long)]),
            answer: .rejected(503, "ServiceUnavailable"))
        try client.send(.headers(1, .push()))
        try client.expect(
            .headers(
                1,
                .status(503, Frame.Field("retry-after", "30"), Frame.Field("x-empty", ""), Frame.Field("x-long", long)),
                end: false), .data(1, "{\"reason\":\"ServiceUnavailable\"}"))
        client.recorder.answer = .accepted
        try client.expectAlive(stream: 3)
    }

    /// An answer of several frames, and a GOAWAY that must not come between them.
    @Test func `headers are sent in as many frames as they need`() throws {
        let values = ["1", "2", "3"].map { String(repeating: $0, count: 15_000) }
        let client = try client(
            WireFault(headers: values.map { .init("x-long", $0) }, goAway: .now),
            answer: .rejected(503, "ServiceUnavailable"))
        try client.send(.headers(1, .push()))
        var block: [UInt8] = []
        var isEnded = false
        while !isEnded, case .raw(let type, let flags, 1, let payload) = try client.next() {
            #expect(type == (block.isEmpty ? Frame.Kind.headers : Frame.Kind.continuation))
            block += payload
            isEnded = flags & Frame.Flag.endHeaders != 0
        }
        var decoder = HPACK.Decoder()
        let fields: [Frame.Field] = .status(
            503, .init("x-long", values[0]), .init("x-long", values[1]), .init("x-long", values[2]))
        #expect(try decoder.decode(block) == fields)
        try client.expect(.data(1, "{\"reason\":\"ServiceUnavailable\"}"), .goAway(last: 1, .noError, ""))
        try client.expectClosed(.fault)
    }

    /// They are written behind the request, and may move it.
    @Test func `adds headers to an echo`() throws {
        let long = String(repeating: "v", count: 9_000)
        let client = try client(WireFault(headers: [.init("x-long", long)]))
        try client.send(.headers(1, .push(Frame.Field("apns-id", "one"))))
        try client.expect(.headers(1, .status(200, Frame.Field("apns-id", "one"), Frame.Field("x-long", long))))
        try client.expectAlive(stream: 3)
    }
}

extension FaultAction.GoAway {
    /// A frame that ends the connection at once.
    static let now = Self(lastStream: .current, close: .now)
}
