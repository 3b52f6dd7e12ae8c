import NIOCore
import Testing

@testable import MockAPNsTransport

/// HEADERS and DATA on streams that are closed (RFC 9113, sections 5.1 and 5.1.1).
@Suite struct ClosedStreamTests {
    enum Outcome {
        case endsConnection(Frame.ErrorCode)
        case resetsStream(Int32)
        case isDiscarded
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let outcome: Outcome
        /// What the client sends; each group in a read of its own, after the answer to the one before.
        let groups: [[Frame]]

        init(_ description: String, _ outcome: Outcome, _ groups: [Frame]...) {
            testDescription = description
            self.outcome = outcome
            self.groups = groups
        }
    }

    private static func open(_ stream: Int32) -> Frame { .headers(stream, .push(), end: false) }
    private static func push(_ stream: Int32) -> Frame { .headers(stream, .push()) }
    private static let trailers = Frame.headers(1, [Frame.Field("x-trailer", "1")])
    /// A request that the server resets although its body is still to come.
    private static let malformed = Frame.headers(1, .push(Frame.Field("Upper", "1")), end: false)
    /// As many resets as are remembered, and one more.
    private static let manyResets = (0...Int32(ResetStreams.capacity)).flatMap { number -> [Frame] in
        [.headers(2 * number + 1, .push(Frame.Field("Upper", "1")), end: false)]
    }

    /// The rows with a number in brackets are cases of h2spec's http2 chapter.
    static let cases = [
        // Half-closed (remote): nghttp2's own answers.
        Case(
            "DATA after the end, in the same read [5.1/5]", .endsConnection(.streamClosed), [push(1), .data(1, "test")]),
        Case("HEADERS after the end, in the same read [5.1/6]", .endsConnection(.streamClosed), [push(1), push(1)]),
        Case(
            "CONTINUATION after the end [5.1/7]", .endsConnection(.protocolError),
            [push(1), .continuation(1, [], isLast: true)]),
        // Closed by the client's reset.
        Case(
            "DATA after the client's reset [5.1/8]", .resetsStream(1), [open(1), .reset(1, .cancel), .data(1, "test")]),
        Case("HEADERS after the client's reset [5.1/9]", .resetsStream(1), [open(1), .reset(1, .cancel), push(1)]),
        Case(
            "CONTINUATION after the client's reset [5.1/10]", .endsConnection(.protocolError),
            [open(1), .reset(1, .cancel), .continuation(1, [], isLast: true)]),
        Case(
            "DATA in a read after the client's reset", .resetsStream(1), [open(1)], [.reset(1, .cancel)],
            [.data(1, "x")]),
        Case(
            "trailers after the client's reset, and a newer stream", .resetsStream(1),
            [open(1), .reset(1, .cancel), push(3)], [trailers]),
        // Closed by both sides' END_STREAM.
        Case("DATA after the answer [5.1/11]", .endsConnection(.streamClosed), [push(1)], [.data(1, "test")]),
        Case("HEADERS after the answer [5.1/12]", .endsConnection(.streamClosed), [push(1)], [push(1)]),
        Case(
            "CONTINUATION after the answer [5.1/13]", .endsConnection(.protocolError), [push(1)],
            [.continuation(1, [], isLast: true)]),
        Case("DATA on an older stream", .endsConnection(.streamClosed), [push(1)], [push(3)], [.data(1, "test")]),
        Case("empty DATA after the answer", .endsConnection(.streamClosed), [push(1)], [.data(1, "")]),
        // Lower ids than the newest.
        Case("a lower id [5.1.1/2]", .endsConnection(.protocolError), [push(5), push(3)]),
        Case("a lower id, in another read", .endsConnection(.protocolError), [push(5)], [push(3)]),
        Case("a lower id that was used", .endsConnection(.protocolError), [push(1)], [push(5)], [push(1)]),
        Case("DATA on a stream that was left out", .endsConnection(.streamClosed), [push(5)], [.data(3, "x")]),
        // What section 5.1 allows on closed streams.
        Case("PRIORITY on a closed stream", .isDiscarded, [push(1)], [.priority(1)]),
        Case("WINDOW_UPDATE on a closed stream", .isDiscarded, [push(1)], [.windowUpdate(1, by: 1)]),
        Case("RST_STREAM on a closed stream", .isDiscarded, [push(1)], [.reset(1, .noError)]),
        // What the client may have sent before it saw the server's reset.
        Case("DATA after the server's reset", .isDiscarded, [malformed], [.data(1, "{}")]),
        Case("trailers after the server's reset", .isDiscarded, [malformed], [.data(1, "{}", end: false), trailers]),
        Case("both sides' resets", .isDiscarded, [malformed], [.reset(1, .cancel), .data(1, "{}")]),
        Case("a reset longer ago than is remembered", .isDiscarded, manyResets, [.data(1, "{}")]),
        Case("the last reset that is remembered", .isDiscarded, manyResets, [.data(3, "{}")]),
        // What is no closed stream.
        Case("trailers of an open stream", .isDiscarded, [open(1)], [.data(1, "{}", end: false)], [trailers]),
    ]

    @Test(arguments: cases) func `a frame on a closed stream is answered as RFC 9113 says`(row: Case) throws {
        let client = try Client()
        var heard: [Frame] = []
        for group in row.groups {
            try client.send(group)
            heard = try client.rest()
        }
        switch row.outcome {
        case .endsConnection(let code):
            guard case .goAway(_, code, let detail) = heard.last else {
                Issue.record("\(heard) does not end with a GOAWAY of \(code)")
                return
            }
            #expect(!detail.isEmpty)
            try client.expectClosed(.protocolError)
        case .resetsStream(let stream):
            #expect(heard.last == .reset(stream, .streamClosed))
            #expect(heard.count { if case .reset = $0 { true } else { false } } == 1)
            // Only the first such frame is answered.
            try client.send(.data(stream, "more"))
            try client.expectSilence()
            try client.expectAlive(stream: 1_001)
        case .isDiscarded:
            #expect(!heard.contains { if case .goAway = $0 { true } else { false } })
            try client.expectAlive(stream: 1_001)
        }
    }

    @Test func `discards the bodies of refused streams`() throws {
        let client = try Client(options: .with { $0.maxConcurrentStreams = 1 })
        try client.send(Self.open(1), Self.open(3), Self.open(5))
        #expect(try client.rest() == [.reset(3, .refusedStream), .reset(5, .refusedStream)])
        try client.send(.data(3, "{}"), .data(5, "{}"), .data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectAlive(stream: 7)
    }

    @Test func `discards the body of a request that took too long`() throws {
        let client = try Client()
        try client.send(Self.open(1))
        client.advance(.seconds(61))
        try client.expect(.reset(1, .cancel))
        try client.send(.data(1, "{}"))
        try client.expectAlive(stream: 3)
    }

    /// A GOAWAY names the last stream that is served; frames on later ones are discarded.
    @Test func `discards what comes after a GOAWAY`() throws {
        let client = try Client()
        try client.send(Self.open(1))
        client.channel.embeddedEventLoop.execute { _ = client.loop.shutDown() }
        client.channel.embeddedEventLoop.run()
        _ = try client.rest()
        try client.send(Self.open(3), .data(3, "{}", end: false), .data(3, "{}"))
        #expect(!(try client.rest().contains { if case .goAway(_, .streamClosed, _) = $0 { true } else { false } }))
        #expect(client.channel.isActive)
        try client.send(.data(1, "{}"))
        try client.expect(.headers(1, .status(200)))
        try client.expectClosed(.shutdown)
    }
}
