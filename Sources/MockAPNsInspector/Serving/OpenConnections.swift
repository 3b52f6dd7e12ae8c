internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1

/// The connections to the API, and which of them are answering a request.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        var isAnswering = false
        /// Whether the client has closed its side.
        var hasLeft = false
        var onLeave: (@Sendable () -> Void)?
    }

    private struct State {
        var isStopping = false
        var all: [ObjectIdentifier: Connection] = [:]
        /// The connections, and what is done for one that may be closed already.
        var uses = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = NIOLockedValueBox(State())

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        beginUse()
        let isStopping = state.withLockedValue { state in
            state.all[id] = Connection(channel: channel)
            return state.isStopping
        }
        channel.closeFuture.whenComplete { _ in
            self.clientLeft(channel)
            self.state.withLockedValue { $0.all[id] = nil }
            self.endUse()
        }
        if isStopping { channel.close(promise: nil) }
    }

    /// `untilUnused` waits for `endUse`.
    func beginUse() { state.withLockedValue { $0.uses += 1 } }

    func endUse() {
        let waiter = state.withLockedValue { state in
            state.uses -= 1
            return state.uses == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Returns when all connections are closed, and nothing is done for them any more.
    func untilUnused() async {
        await withCheckedContinuation { waiter in
            let isUnused = state.withLockedValue { state in
                if state.uses > 0 { state.waiter = waiter }
                return state.uses == 0
            }
            if isUnused { waiter.resume() }
        }
    }

    /// Keeps a connection open until `requestEnded`, except at the end of the grace period.
    func requestBegan(on channel: any Channel) {
        state.withLockedValue { $0.all[ObjectIdentifier(channel)]?.isAnswering = true }
    }

    /// Returns whether the connection may take another request.
    func requestEnded(on channel: any Channel) -> Bool {
        state.withLockedValue { state in
            state.all[ObjectIdentifier(channel)]?.isAnswering = false
            return !state.isStopping
        }
    }

    /// Closes the connections on which no request is being answered, or all; the others take no more requests.
    func stop(all: Bool = false) {
        let closing = state.withLockedValue { state in
            state.isStopping = true
            return state.all.values.filter { all || !$0.isAnswering }
        }
        for connection in closing { connection.channel.close(promise: nil) }
    }

    /// Calls a function once the client has closed its side; `nil` cancels that.
    func onLeave(of channel: any Channel, _ notify: (@Sendable () -> Void)?) {
        let id = ObjectIdentifier(channel)
        let hasLeft = state.withLockedValue { state in
            state.all[id]?.onLeave = notify
            return state.all[id]?.hasLeft ?? true
        }
        if hasLeft { notify?() }
    }

    /// The client has closed its side.
    func clientLeft(_ channel: any Channel) {
        let notify = state.withLockedValue { state in
            state.all[ObjectIdentifier(channel)]?.hasLeft = true
            return state.all[ObjectIdentifier(channel)]?.onLeave.take()
        }
        notify?()
    }
}

/// Closes a connection that is idle, and notes when its client leaves.
///
/// Follows `IdleStateHandler` in the pipeline. A connection is not idle from the head of a request to the end of its
/// response: the body has a time limit of its own, whose end the client is told of.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    private let connections: OpenConnections
    private let timer: HeadTimer
    private var unanswered = 0

    init(_ connections: OpenConnections, _ timer: HeadTimer) { (self.connections, self.timer) = (connections, timer) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            timer.headArrived()
        case .body: break
        case .end: timer.requestEnded()
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
        case is IdleStateHandler.IdleStateEvent where unanswered <= 0: context.close(promise: nil)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }
}
