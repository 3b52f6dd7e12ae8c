internal import NIOConcurrencyHelpers
internal import NIOCore

/// The connections to the API and what is being answered on them, so that stopping can wait for the answers and
/// end the connections.
///
/// All connections must be of one event loop.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Whether the client has closed its side.
        var hasLeft = false
        var onLeave: (@Sendable () -> Void)?
    }

    private struct State {
        /// Requests without an answer, and writes that the operating system has not taken.
        var unfinished = 0
        var all: [ObjectIdentifier: Connection] = [:]
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// A request has come.
    func requestBegan() { change(by: 1) }

    /// Its answer has been handed to the connection, or given up.
    ///
    /// Handing over only queues the answer on the event loop. Behind it in the queue, the end of the request cannot
    /// overtake the beginning of the writing.
    func requestEnded() { eventLoop.execute { self.change(by: -1) } }

    private func change(by difference: Int) {
        let waiter = state.withLockedValue { state in
            state.unfinished += difference
            return state.unfinished == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Returns when every answer is written; for one caller.
    func waitUntilIdle() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLockedValue { state in
                if state.unfinished > 0 { state.waiter = waiter }
                return state.unfinished == 0
            }
            if isIdle { waiter.resume() }
        }
    }

    /// Ends every connection, whatever happens on it; requests being answered end with theirs.
    func closeAll() {
        for connection in state.withLockedValue({ Array($0.all.values) }) {
            connection.channel.close(promise: nil)
        }
    }

    /// Says when the client closes its side of a connection, or has done so; once, until another `notify` is given.
    ///
    /// Not by the library's own means: it takes the end of a request that has been read for a mistake of the
    /// program.
    func onLeave(of channel: any Channel, _ notify: (@Sendable () -> Void)?) {
        let id = ObjectIdentifier(channel)
        let hasLeft = state.withLockedValue { state in
            state.all[id]?.onLeave = notify
            return state.all[id]?.hasLeft ?? true
        }
        if hasLeft { notify?() }
    }

    private func left(_ id: ObjectIdentifier, isGone: Bool) {
        let notify = state.withLockedValue { state in
            state.all[id]?.hasLeft = true
            let notify = state.all[id]?.onLeave.take()
            if isGone { state.all[id] = nil }
            return notify
        }
        notify?()
    }

    /// A handler that notes the connection it is added to, and what is written to it.
    func makeHandler() -> any RemovableChannelHandler { Handler(self) }

    private final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = Any
        typealias OutboundIn = Any

        private let connections: OpenConnections

        init(_ connections: OpenConnections) { self.connections = connections }

        func handlerAdded(context: ChannelHandlerContext) {
            let channel = context.channel
            let id = ObjectIdentifier(channel)
            connections.state.withLockedValue { $0.all[id] = Connection(channel: channel) }
            channel.closeFuture.whenComplete { [connections] _ in connections.left(id, isGone: true) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed? = event as? ChannelEvent {
                connections.left(ObjectIdentifier(context.channel), isGone: false)
            }
            context.fireUserInboundEventTriggered(event)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let written = promise ?? context.eventLoop.makePromise()
            connections.change(by: 1)
            written.futureResult.whenComplete { [connections] _ in connections.change(by: -1) }
            context.write(data, promise: written)
        }
    }
}
