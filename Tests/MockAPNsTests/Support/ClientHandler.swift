import NIOCore

/// The client's end of one connection; lives on its event loop.
///
/// Speaks frames, not HTTP: a test decides what is sent, and hears everything that comes back.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Why a stream or a connection gave no answer.
    enum Failure: Error, Equatable {
        /// RST_STREAM, with its error code.
        case reset(UInt32)
        /// The connection ended.
        case closed
    }

    /// A GOAWAY frame.
    struct GoAway: Sendable, Equatable {
        let lastStream: Int32
        let code: UInt32
        let debug: String
    }

    let loop: any EventLoop
    private var context: ChannelHandlerContext?
    private var heard: ArraySlice<UInt8> = []
    private var decoder = HeaderCompression.Decoder()
    private var nextStream: Int32 = 1
    private var replies: [Int32: Reply] = [:]
    private var waiting: [Int32: EventLoopPromise<Reply>] = [:]
    private var pings: [EventLoopPromise<Void>] = []

    /// The parameters of every SETTINGS frame, by identifier.
    private(set) var settings: [[UInt32: UInt32]] = []
    private(set) var goAways: [GoAway] = []
    /// Succeeds with the first GOAWAY.
    let goneAway: EventLoopPromise<GoAway>
    /// Called with each answer as it is heard, before anything else happens.
    var onReply: ((Int32, Reply) -> Void)?

    init(eventLoop: any EventLoop) {
        loop = eventLoop
        goneAway = eventLoop.makePromise()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { send(FrameCoder.greeting) }
    }

    func channelActive(context: ChannelHandlerContext) { send(FrameCoder.greeting) }

    func channelInactive(context: ChannelHandlerContext) { end() }

    /// A connection that never came about ends with this alone.
    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        guard context != nil else { return }
        context = nil
        for promise in waiting.values { promise.fail(Failure.closed) }
        for promise in pings { promise.fail(Failure.closed) }
        (waiting, pings) = ([:], [])
        goneAway.fail(Failure.closed)
    }

    /// A server that stops may well reset what it has not read.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard += unwrapInboundIn(data).readableBytesView
        while let frame = FrameCoder.take(from: &heard) {
            do { try hear(frame) } catch { context.fireErrorCaught(error) }
        }
    }

    private func hear(_ frame: FrameCoder.Frame) throws {
        switch frame.kind {
        case .headers:
            guard frame.hasEndHeaders else { throw HeaderCompression.Malformed(detail: "CONTINUATION") }
            var reply = Reply()
            for field in try decoder.decode(frame.payload) {
                if field.name == ":status" { reply.status = Int(field.value) ?? 0 } else { reply.headers.append(field) }
            }
            replies[frame.stream] = reply
            if frame.hasEndStream { finish(frame.stream) }
        case .data:
            replies[frame.stream]?.body += String(decoding: frame.payload, as: UTF8.self)
            if frame.hasEndStream { finish(frame.stream) }
        case .reset: waiting.removeValue(forKey: frame.stream)?.fail(Failure.reset(frame.number(at: 0)))
        case .settings where !frame.isAcknowledgement:
            let entries = stride(from: 0, to: frame.payload.count, by: 6).map {
                (frame.number(at: $0, length: 2), frame.number(at: $0 + 2))
            }
            settings.append(Dictionary(entries, uniquingKeysWith: { $1 }))
            send(FrameCoder.encode(.settings, flags: 1))
        case .ping where frame.isAcknowledgement: if !pings.isEmpty { pings.removeFirst().succeed() }
        case .goAway:
            let goAway = GoAway(
                lastStream: Int32(bitPattern: frame.number(at: 0)), code: frame.number(at: 4),
                debug: String(decoding: frame.payload.dropFirst(8), as: UTF8.self))
            goAways.append(goAway)
            if goAways.count == 1 { goneAway.succeed(goAway) }
        default: break
        }
    }

    private func finish(_ stream: Int32) {
        guard let reply = replies.removeValue(forKey: stream) else { return }
        onReply?(stream, reply)
        waiting.removeValue(forKey: stream)?.succeed(reply)
    }

    // MARK: Saying

    private func send(_ bytes: [UInt8]) {
        guard let context else { return }
        context.writeAndFlush(NIOAny(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    /// The stream of a request that is sent after `others` more.
    func streamAhead(_ others: Int) -> Int32 { nextStream + 2 * Int32(others) }

    /// Sends requests in one write; each stream's answer comes back as a future of its own.
    func send(_ pushes: [Push]) -> [EventLoopFuture<Reply>] {
        var bytes: [UInt8] = []
        let futures = pushes.map { push in
            let (stream, opening, future) = open(push)
            bytes += opening
            if !push.body.isEmpty { bytes += Self.body(of: push, on: stream) }
            return future
        }
        send(bytes)
        return futures
    }

    /// Sends a request's headers and leaves the stream open for `complete`.
    func begin(_ push: Push) -> (stream: Int32, reply: EventLoopFuture<Reply>) {
        let (stream, opening, future) = open(push)
        send(opening)
        return (stream, future)
    }

    /// Sends the body of a request begun before.
    func complete(_ push: Push, on stream: Int32) { send(Self.body(of: push, on: stream)) }

    private func open(_ push: Push) -> (stream: Int32, opening: [UInt8], reply: EventLoopFuture<Reply>) {
        let stream = nextStream
        nextStream += 2
        let promise = loop.makePromise(of: Reply.self)
        if context == nil { promise.fail(Failure.closed) } else { waiting[stream] = promise }
        let flags: UInt8 = push.body.isEmpty ? 5 : 4
        let block = HeaderCompression.encode(push.fields)
        return (stream, FrameCoder.encode(.headers, flags: flags, stream: stream, payload: block), promise.futureResult)
    }

    private static func body(of push: Push, on stream: Int32) -> [UInt8] {
        FrameCoder.encode(.data, flags: 1, stream: stream, payload: Array(push.body.utf8))
    }

    /// Sends PING; the future succeeds with its acknowledgement, which comes after all that was sent before.
    func ping() -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        if context == nil { promise.fail(Failure.closed) } else { pings.append(promise) }
        send(FrameCoder.encode(.ping, payload: Array(repeating: 7, count: 8)))
        return promise.futureResult
    }
}
