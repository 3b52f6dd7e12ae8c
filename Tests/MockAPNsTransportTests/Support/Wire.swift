import NIOCore

/// Stands where the socket would: notes when bytes leave and when more are asked for.
final class Wire: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How often the handler asked for more bytes.
    private(set) var reads = 0
    /// Whether bytes stay here, as they do when the peer's socket takes no more.
    private(set) var isHeld = false
    /// Whether the server's side of the socket may be closed alone, as with a real one; else that closes all of it.
    var hasTwoSides = false
    /// Whether the server has closed its side.
    private(set) var isOutputClosed = false
    private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
    private var context: ChannelHandlerContext?
    private let recorder: Recorder

    init(recorder: Recorder) { self.recorder = recorder }

    /// Takes no more bytes.
    func hold() { isHeld = true }

    /// Lets go of what was held, and of everything after.
    func release() {
        isHeld = false
        guard let context else { return }
        for write in held { context.write(write.data, promise: write.promise) }
        held = []
        context.flush()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for write in held { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        held = []
    }

    func read(context: ChannelHandlerContext) {
        reads += 1
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        recorder.note(.written)
        if isHeld { held.append((data, promise)) } else { context.write(data, promise: promise) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, hasTwoSides else {
            context.close(mode: mode, promise: promise)
            return
        }
        isOutputClosed = true
        promise?.succeed()
    }
}
