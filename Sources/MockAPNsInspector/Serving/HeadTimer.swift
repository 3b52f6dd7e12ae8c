internal import NIOCore

/// A request that did not arrive in time.
enum RequestTimeout: Error {
    case head
    case body
}

/// Limits the time in which the head of a request has to arrive: from its first byte, however slowly the others follow.
///
/// The first handler of a connection, because what is not a request yet is seen by no other.
final class HeadTimer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Stage {
        case betweenRequests
        case head
        case body
    }

    private let limit: TimeAmount
    private var stage = Stage.betweenRequests
    private var deadline: Scheduled<Void>?

    init(limit: TimeAmount) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if stage == .betweenRequests { stage = .head }
        context.fireChannelRead(data)
        // Most heads are complete by now.
        guard stage == .head, deadline == nil else { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            context.fireErrorCaught(RequestTimeout.head)
        }
    }

    /// The head of a request is complete.
    func headArrived() {
        stage = .body
        stop()
    }

    /// A request is complete.
    func requestEnded() { stage = .betweenRequests }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func stop() {
        deadline?.cancel()
        deadline = nil
    }
}
