import Foundation
import TestSupport

/// A client that blocks its thread, for what a client on an event loop cannot see.
///
/// `@unchecked Sendable`: one thread at a time uses it.
final class BlockingClient: @unchecked Sendable {
    private let socket: Socket
    private var heard: ArraySlice<UInt8> = []
    private var decoder = HeaderCompression.Decoder()
    private var nextStream: Int32 = 1
    private var settings = 0
    /// The streams whose answers are complete.
    private var ended: Set<Int32> = []
    /// The statuses read, by stream.
    private(set) var statuses: [Int32: String] = [:]
    /// The lowest stream that a GOAWAY has called the last.
    private(set) var last = Int32.max

    /// Connects and sends the preface.
    init(port: Int) throws {
        socket = try Socket(to: port)
        try write(FrameCoder.greeting)
    }

    /// Connects, and sends one push, whose answer lets the server take many streams.
    ///
    /// The system keeps so little for it that the server must read for the client to go on writing.
    init(port: Int, _ push: Push) throws {
        socket = try Socket(to: port, options: [SO_SNDBUF: 8_192])
        try write(FrameCoder.greeting + request(push))
        // The second SETTINGS may come with the answer or after it.
        while ended.isEmpty || settings < 2 { guard try hear(socket.receive()) else { throw Socket.Failure("recv") } }
    }

    /// Writes the pushes, then reads until the server ends the connection, and gives up at the first error.
    ///
    /// That is how an answer gets lost when the server closes a socket too early: a client on an event loop reads what
    /// has come before it looks at an error.
    ///
    /// - Returns: whether the end came in good order.
    func sendAll(_ pushes: [Push]) -> Bool {
        // The server waits for the client's end.
        defer { socket.end() }
        do {
            for push in pushes { try write(request(push)) }
            while try hear(socket.receive()) {}
            return true
        } catch { return false }
    }

    /// Sends a push and asks its socket without pause for the end of its answer, which it hears within microseconds.
    ///
    /// A client on an event loop is woken later, by when a server that does things in the wrong order has put
    /// them right.
    ///
    /// - Returns: what `look` said the moment the last bytes of the answer had arrived.
    func send<Result>(_ push: Push, _ look: () -> Result) throws -> Result {
        let stream = nextStream
        try write(request(push))
        while true {
            guard let bytes = try socket.poll() else {
                sched_yield()
                continue
            }
            let seen = look()
            try hear(bytes)
            if ended.remove(stream) != nil { return seen }
        }
    }

    private func request(_ push: Push) -> [UInt8] {
        let stream = nextStream
        nextStream += 2
        let headers = HeaderCompression.encode(push.fields)
        return FrameCoder.encode(.headers, flags: 4, stream: stream, payload: headers)
            + FrameCoder.encode(.data, flags: 1, stream: stream, payload: Array(push.body.utf8))
    }

    private func write(_ bytes: [UInt8]) throws { guard socket.send(bytes) else { throw Socket.Failure("send") } }

    /// Takes in what has come; `false` when that is nothing.
    @discardableResult private func hear(_ bytes: [UInt8]) throws -> Bool {
        heard += bytes
        while let frame = FrameCoder.take(from: &heard) {
            switch frame.kind {
            case .headers:
                let fields = try decoder.decode(frame.payload)
                statuses[frame.stream] = fields.first { $0.name == ":status" }?.value
            case .goAway: last = min(last, Int32(bitPattern: frame.number(at: 0)))
            case .settings where !frame.isAcknowledgement:
                settings += 1
                try write(FrameCoder.encode(.settings, flags: 1))
            default: break
            }
            if frame.kind == .headers || frame.kind == .data, frame.hasEndStream { ended.insert(frame.stream) }
        }
        return !bytes.isEmpty
    }
}
