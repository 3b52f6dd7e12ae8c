import MockAPNsRules
import NIOCore

@testable import MockAPNs
@testable import MockAPNsTransport
@testable import MockAPNsWorld

/// HTTP/2 from a client in clear text, into a session that judges pushes by the real rules.
///
/// The first byte of an input is flags, the second says where reads end. With `Flags.framed` the rest is frames as
/// type, flags, stream and length in a byte each, and a payload; otherwise it is what comes over the wire.
enum HTTP2Fuzz {
    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let framed = Flags(rawValue: 1)
        static let greets = Flags(rawValue: 2)
        static let authenticated = Flags(rawValue: 4)
        static let goesAwayOverLimit = Flags(rawValue: 8)
        static let endsOnErrors = Flags(rawValue: 32)
    }

    static func run(_ bytes: [UInt8]) throws {
        guard bytes.count > 2 else { return }
        let flags = Flags(rawValue: bytes[0])
        var wire = flags.contains(.greets) ? preface : []
        wire += flags.contains(.framed) ? framed(bytes[2...]) : Array(bytes[2...])
        let whole = try Conversation(setUp(flags))
        try whole.hear(wire[...])
        let pieces = try Conversation(setUp(flags))
        let drained = try Conversation(setUp(flags))
        for piece in cut(wire, by: bytes[1]) {
            try pieces.hear(piece)
            try drained.hear(piece)
            try drained.drain()
        }
        // What is answered must not depend on how bytes arrive, as long as nothing is sent meanwhile.
        try require(
            whole.said == pieces.said || whole.failure == .notHTTP2,
            "in one read: \(whole.said); in several: \(pieces.said)")
        for conversation in [whole, pieces, drained] { try conversation.end(after: wire.count) }
    }

    // MARK: Inputs

    private static let preface =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 0, 4, 1, 0, 0, 0, 0]

    private static func framed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var wire: [UInt8] = []
        var rest = bytes
        while rest.count >= 4 {
            let head = Array(rest.prefix(4))
            let payload = rest.dropFirst(4).prefix(Int(head[3]))
            wire += [0, 0, UInt8(payload.count), head[0], head[1], 0, 0, 0, head[2]] + payload
            rest = rest.dropFirst(4 + payload.count)
        }
        return wire
    }

    /// Cuts bytes into pieces whose lengths follow from a seed.
    private static func cut(_ bytes: [UInt8], by seed: UInt8) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var state = UInt32(seed) &+ 1
        var at = 0
        while at < bytes.count {
            state = state &* 1_664_525 &+ 1_013_904_223
            let length = 1 + Int(state >> 16) % (seed < 64 ? 32 : 512)
            pieces.append(bytes[at..<min(at + length, bytes.count)])
            at += length
        }
        return pieces
    }

    private static func setUp(_ flags: Flags) -> Conversation.SetUp {
        var options = TransportOptions()
        options.maxConcurrentStreams = 8
        if flags.contains(.goesAwayOverLimit) { options.overLimit = .goAway }
        var rules = RuleOptions()
        rules.authentication = .wellformed
        rules.errorLimit = flags.contains(.endsOnErrors) ? 2 : 0
        return Conversation.SetUp(options: options, rules: rules, isAuthenticated: flags.contains(.authenticated))
    }
}

/// A session, and what it says and is told.
private final class Conversation {
    struct SetUp {
        let options: TransportOptions
        let rules: RuleOptions
        let isAuthenticated: Bool
    }

    private let setUp: SetUp
    private let pool = H2StreamPool()
    private let responder: NotingResponder
    private let session: H2Session
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    /// What was sent and is not a whole frame yet.
    private var unread: [UInt8] = []
    private var sentBytes = 0

    init(_ setUp: SetUp) throws {
        self.setUp = setUp
        let worker = FuzzWorld.worker(of: FuzzWorld.make(setUp.rules))
        let connection = ConnectionInfo(id: 1, listener: 0, remoteAddress: "127.0.0.1:1", tls: nil)
        responder = NotingResponder(worker.connectionOpened(connection), worker)
        session = try H2Session(
            options: setUp.options, pool: pool, responder: responder, isAuthenticated: setUp.isAuthenticated, now: now)
    }

    /// The requests that were answered or turned away, in this order.
    var said: [String] { responder.said }
    var failure: CloseReason.Code? { session.failure?.code }

    func hear(_ bytes: ArraySlice<UInt8>) throws {
        bytes.withUnsafeBufferPointer { session.receive($0, now: now) }
        session.readCompleted()
        try check()
    }

    /// Takes what the session has to say.
    func drain() throws {
        while let output = session.nextOutput() {
            unread += output
            sentBytes += output.count
            try check()
        }
        session.publishNews()
        try takeFrames()
    }

    /// Lets everything time out, and ends the session.
    func end(after received: Int) throws {
        try drain()
        // As much as an answer to every few bytes takes; a peer cannot make the server say more than that.
        try require(sentBytes <= 8_192 + 64 * received, "\(sentBytes) bytes sent for \(received)")
        for seconds in [61, 31, 31] {
            guard !session.isFinished else { break }
            now = now + .seconds(Int64(seconds))
            session.tick(now: now)
            session.readCompleted()
            try check()
            try drain()
        }
        let isIdle = session.isFinished || session.liveStreams == 0
        try require(isIdle, "\(session.liveStreams) streams are open after every time-out")
        session.close(because: CloseReason(.closedByPeer, "the end of the input"))
        try require(session.liveStreams == 0 && pool.inUse == 0, "\(pool.inUse) streams are left at the end")
        try require(responder.closings == 1, "told \(responder.closings) times of one ending")
    }

    private func check() throws {
        try require(pool.inUse == session.liveStreams, "\(pool.inUse) of \(session.liveStreams) streams in use")
        // A limit binds once it is acknowledged, so there may be as many as the highest one allows.
        try require(
            session.liveStreams <= Int(setUp.options.maxConcurrentStreams), "\(session.liveStreams) streams at once")
    }

    /// Takes whole frames out of what was sent.
    private func takeFrames() throws {
        while unread.count >= 9 {
            let length = Int(unread[0]) << 16 | Int(unread[1]) << 8 | Int(unread[2])
            try require(length <= 16_384, "a frame of \(length) bytes")
            try require(unread[3] <= 9, "a frame of type \(unread[3])")
            guard unread.count >= 9 + length else { break }
            unread.removeFirst(9 + length)
        }
    }
}

/// Passes everything on to the real responder, and notes it.
private final class NotingResponder: ConnectionResponder {
    private let responder: any ConnectionResponder
    /// Kept alive, as a connection's loop does.
    private let worker: Worker
    private(set) var said: [String] = []
    private(set) var closings = 0

    init(_ responder: any ConnectionResponder, _ worker: Worker) {
        self.responder = responder
        self.worker = worker
    }

    var isAuthenticated: Bool { responder.isAuthenticated }

    func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response {
        let response = responder.respond(to: request, streamID: streamID, after: idle)
        said.append("\(streamID): \(response.status), \(request.fields.count) headers, \(request.bodyLength) bytes")
        return response
    }

    func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem) {
        responder.refused(request, streamID: streamID, because: problem)
        said.append("\(streamID): \(problem.text)")
    }

    var watchesIdleness: Bool { responder.watchesIdleness }

    func idle(for time: TimeAmount) -> WireFault? { responder.idle(for: time) }

    func readCompleted() { responder.readCompleted() }

    func goAwaySent(code: UInt32) { responder.goAwaySent(code: code) }

    func closed(because reason: CloseReason) {
        closings += 1
        responder.closed(because: reason)
    }
}
