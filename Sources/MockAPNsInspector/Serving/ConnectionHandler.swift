internal import NIOCore
internal import NIOHTTP1

/// Closes a connection that is idle, and notes when its client leaves.
///
/// Follows `IdleStateHandler` in the pipeline. A connection is not idle while a request that has been read to its end is
/// being answered.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    private let connections: OpenConnections
    private var isReading = false
    private var unanswered = 0

    init(_ connections: OpenConnections) { self.connections = connections }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: (isReading, unanswered) = (true, unanswered + 1)
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed as ChannelEvent: connections.clientLeft(context.channel)
        case is IdleStateHandler.IdleStateEvent where isReading || unanswered <= 0:
            context.close(promise: nil)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }
}
