import NIOCore
import Testing

@testable import MockAPNsTransport

/// Frames that cost their sender nothing: a burst is borne, one more ends the connection, time forgives.
@Suite struct FloodTests {
    struct Flood: CustomTestStringConvertible, Sendable {
        let name: String
        let options: @Sendable (inout FrameAllowance, FrameAllowance.Bound) -> Void
        /// The frames that are there before the flood.
        var opening: [Frame] = []
        /// The frames of the n-th drop of the flood.
        let drop: @Sendable (Int) -> [Frame]
        var testDescription: String { name }
    }

    private static let bound = FrameAllowance.Bound(burst: 10, perSecond: 2)

    static let floods = [
        Flood(name: "RST_STREAM frames", options: { $0.resets = $1 }) {
            let stream = Int32(2 * $0 + 101)
            return [.headers(stream, .push(), end: false), .reset(stream, .cancel)]
        },
        Flood(name: "RST_STREAM frames", options: { $0.resets = $1 }) {
            let stream = Int32(2 * $0 + 101)
            return [.headers(stream, .push()), .reset(stream, .cancel)]
        },
        Flood(name: "RST_STREAM frames", options: { $0.resets = $1 }, opening: [.headers(99, .push())]) { _ in
            [.reset(99, .cancel)]
        }, Flood(name: "PING frames", options: { $0.pings = $1 }) { _ in [.ping([0, 0, 0, 0, 0, 0, 0, 0])] },
        Flood(name: "SETTINGS frames", options: { $0.settings = $1 }) { _ in [.settings([])] },
        Flood(name: "PRIORITY frames", options: { $0.idleFrames = $1 }) { _ in [.priority(101)] },
        Flood(name: "WINDOW_UPDATE frames", options: { $0.idleFrames = $1 }) { _ in [.windowUpdate(0, by: 1)] },
        Flood(
            name: "WINDOW_UPDATE frames", options: { $0.idleFrames = $1 }, opening: [.headers(99, .push(), end: false)]
        ) { _ in [.windowUpdate(99, by: 1)] },
        // On a stream that is gone nghttp2 passes over the frame without a word.
        Flood(name: "WINDOW_UPDATE frames", options: { $0.idleFrames = $1 }, opening: [.headers(99, .push())]) { _ in
            [.windowUpdate(99, by: 1)]
        },
        Flood(name: "empty DATA frames", options: { $0.idleFrames = $1 }, opening: [.headers(99, .push(), end: false)])
        { _ in [.data(99, "", end: false)] },
        Flood(name: "empty DATA frames", options: { $0.idleFrames = $1 }, opening: [.headers(99, .push(), end: false)])
        { _ in [.raw(type: Frame.Kind.data, flags: Frame.Flag.padded, stream: 99, [1, 0])] },
        Flood(name: "PING frames", options: { $0.pings = $1 }) { _ in [.pong([0, 0, 0, 0, 0, 0, 0, 0])] },
        Flood(name: "unknown frames", options: { $0.idleFrames = $1 }) { _ in
            [.raw(type: 0xbe, flags: 0xff, stream: 0, [1, 2, 3])]
        },
        Flood(name: "unknown frames", options: { $0.idleFrames = $1 }, opening: [.headers(99, .push())]) { _ in
            [.raw(type: 0x10, flags: 0, stream: 99, [])]
        },
        // Without an open stream, the first one ends the connection.
        Flood(name: "GOAWAY frames", options: { $0.idleFrames = $1 }, opening: [.headers(99, .push(), end: false)]) {
            _ in [.goAway(last: 0, .noError, "")]
        },
        Flood(
            name: "small DATA frames", options: { $0.idleFrames = $1 },
            opening: [.headers(99, .push(), end: false), .data(99, "{", end: false)]
        ) { _ in [.data(99, " ", end: false)] },
        Flood(
            name: "discarded frames", options: { $0.idleFrames = $1 },
            opening: [.headers(99, .push(Frame.Field("Upper", "1")), end: false)]
        ) { _ in [.data(99, "{}", end: false)] },
        Flood(
            name: "discarded frames", options: { $0.idleFrames = $1 },
            opening: [.headers(99, .push(Frame.Field("Upper", "1")), end: false)]
        ) { _ in [.headers(99, [Frame.Field("x-trailer", "1")])] },
        Flood(name: "malformed requests", options: { $0.malformed = $1 }) {
            [.headers(Int32(2 * $0 + 101), .push(Frame.Field("Upper", "1")))]
        },
        // nghttp2 finds these only when the body has ended.
        Flood(name: "malformed requests", options: { $0.malformed = $1 }) {
            [.headers(Int32(2 * $0 + 101), .push(Frame.Field("content-length", "7")))]
        },
        // Stream errors of requests that have been answered already, or never were.
        Flood(name: "malformed requests", options: { $0.malformed = $1 }) {
            let stream = Int32(2 * $0 + 101)
            return [.headers(stream, .push()), .windowUpdate(stream, by: .max >> 1)]
        },
    ]

    /// Bodies in small pieces, as clients that write JSON token by token send them.
    @Test func `accepts small pieces of bodies`() throws {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                $0.frameAllowance.idleFrames = Self.bound
            })
        for round in 0..<100 {
            let stream = Int32(2 * round + 1)
            let body: [Frame] = [.data(stream, "{}", end: false), .data(stream, "")]
            try client.send([.headers(stream, .push(), end: false)] + body)
        }
        #expect(try client.rest().count == 100)
        let pieces = (0..<100).map { _ in Frame.data(201, String(repeating: "x", count: 16), end: false) }
        try client.send([.headers(201, .push(), end: false)] + pieces + [.data(201, "")])
        try client.expect(.headers(201, .status(200)))
        try client.expectAlive(stream: 203)
        // One byte at a time, as long as the largest payload is.
        let patient = try Client()
        let bytes = (0..<5_120).map { _ in Frame.data(1, "x", end: false) }
        try patient.send([.headers(1, .push(), end: false)] + bytes + [.data(1, "")])
        try patient.expect(.headers(1, .status(200)))
        #expect(patient.recorder.requests.first?.body.count == 5_120)
    }

    private static func client(for flood: Flood) throws -> Client {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                flood.options(&$0.frameAllowance, bound)
            })
        // The greeting's SETTINGS frame counts; let it be forgiven.
        client.advance(.seconds(1))
        try client.send(flood.opening)
        _ = try client.rest()
        return client
    }

    private static func isCalmed(_ frame: Frame?, by name: String) -> Bool {
        if case .goAway(_, .enhanceYourCalm, "too many \(name)") = frame { true } else { false }
    }

    @Test(arguments: floods) func `accepts a burst of each kind of frame, and ends the connection with the next`(
        flood: Flood
    ) throws {
        let client = try Self.client(for: flood)
        try client.send((0..<10).flatMap(flood.drop))
        #expect(client.channel.isActive)
        _ = try client.rest()
        try client.send(flood.drop(10))
        #expect(Self.isCalmed(try client.rest().last, by: flood.name))
        try client.expectClosed(.flood)
        #expect(client.recorder.closeReason == CloseReason(.flood, "too many \(flood.name)"))
    }

    @Test(arguments: floods) func `ends a flood in one read`(flood: Flood) throws {
        let client = try Self.client(for: flood)
        try client.send((0..<500).flatMap(flood.drop))
        #expect(Self.isCalmed(try client.rest().last, by: flood.name))
        try client.expectClosed(.flood)
    }

    @Test func `counts malformed requests over the stream limit`() throws {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1
                $0.frameAllowance.malformed = Self.bound
            })
        try client.send(.headers(1, .push(), end: false))
        try client.send((1...30).map { .headers(Int32(2 * $0 + 1), .push()) })
        #expect(try client.rest().count == 30)
        try client.send((31...60).map { .headers(Int32(2 * $0 + 1), .push(Frame.Field("Upper", "1"))) })
        #expect(Self.isCalmed(try client.rest().last, by: "malformed requests"))
        try client.expectClosed(.flood)
    }

    @Test(arguments: floods) func `a burst is available again with time`(flood: Flood) throws {
        let client = try Self.client(for: flood)
        try client.send((0..<10).flatMap(flood.drop))
        for second in 0..<3 {
            client.advance(.seconds(1))
            try client.send((0..<2).flatMap { flood.drop(10 + 2 * second + $0) })
            #expect(client.channel.isActive)
        }
        _ = try client.rest()
        try client.send(flood.drop(16))
        #expect(Self.isCalmed(try client.rest().last, by: flood.name))
        try client.expectClosed(.flood)
    }

    /// The usual bounds, at their edges, and nghttp2's own bounds behind them.
    @Test func `the defaults accept 200 pings, 49 SETTINGS, 20,000 PRIORITY and 500 resets`() throws {
        let client = try Client()
        try client.send((0..<200).map { _ in .ping([0, 0, 0, 0, 0, 0, 0, 0]) })
        try client.send((0..<49).map { _ in .settings([]) })
        try client.send((0..<20_000).map { _ in .priority(99) })
        for round in 0..<500 {
            let stream = Int32(2 * round + 1)
            try client.send(.headers(stream, .push(), end: false), .reset(stream, .cancel))
        }
        #expect(try client.rest().count == 249)
        try client.expectAlive(stream: 2_001)
        try client.send(.reset(2_001, .cancel))
        #expect(Self.isCalmed(try client.next(), by: "RST_STREAM frames"))
        try client.expectClosed(.flood)
    }

    /// nghttp2 has a slower bucket for resets, where it has one: it must not be the one that overflows.
    @Test func `nghttp2's own limit on resets is never reached before ours`() throws {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                $0.frameAllowance.resets = FrameAllowance.Bound(burst: 5_000, perSecond: 50)
            })
        try client.send(
            (0..<5_000).flatMap { round -> [Frame] in
                let stream = Int32(2 * round + 1)
                return [.headers(stream, .push(), end: false), .reset(stream, .cancel)]
            })
        try client.expectAlive(stream: 20_001)
    }

    @Test func `each kind of frame is counted by itself`() throws {
        let client = try Client(
            options: .with {
                $0.streamsBeforeAuthentication = 1_000
                $0.frameAllowance.pings = Self.bound
                $0.frameAllowance.settings = Self.bound
            })
        try client.send((0..<10).map { _ in .ping([0, 0, 0, 0, 0, 0, 0, 0]) })
        try client.send((0..<9).map { _ in .settings([]) })
        _ = try client.rest()
        try client.expectAlive(stream: 1)
    }

    @Test func `ends the connection over too many settings in a frame`() throws {
        let client = try Client()
        try client.send(.settings((0..<33).map { Frame.Setting(UInt16(0x100 + $0), 0) }))
        #expect(try client.rest().contains { if case .goAway = $0 { true } else { false } })
        #expect(!client.channel.isActive)
    }
}
