internal import DequeModule
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1

/// The parts of a connection's requests, for the task that answers them.
///
/// Has no task: it starts one when something arrives and none is there.
final class RequestParts: Sendable {
    /// The parts that are kept until they are taken; the connection is read no further meanwhile.
    fileprivate static let most = 8

    private struct State {
        var parts: Deque<HTTPServerRequestPart> = []
        /// Why there will be no more parts; `nil` without `isOver` if there may be more.
        var failure: (any Error)?
        var isOver = false
        /// Whether reading goes on when there is room.
        var isHeld = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Answers what arrives, unless a task does.
        var serve: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    /// Calls `serve` once, when there is something to take: at once, or later.
    func whenReady(_ serve: @escaping @Sendable () -> Void) {
        let isReady = state.withLockedValue { state in
            if !state.parts.isEmpty || state.isOver { return true }
            state.serve = serve
            return false
        }
        if isReady { serve() }
    }

    /// Waits for the next part; `nil` when the client has closed its side.
    ///
    /// Throws what is wrong with the request, after the parts before it. Only one task may wait.
    func next() async throws -> HTTPServerRequestPart? {
        while true {
            let (part, isOver, failure, continues) = state.withLockedValue { state in
                let part = state.parts.popFirst()
                let continues = state.isHeld && state.parts.count < Self.most
                if continues { state.isHeld = false }
                return (part, state.isOver, state.failure, continues)
            }
            if continues { channel.read() }
            if let part { return part }
            if let failure {
                state.withLockedValue { $0.failure = nil }
                throw failure
            }
            if isOver { return nil }
            await withCheckedContinuation { waiter in
                let isReady = state.withLockedValue { state in
                    if !state.parts.isEmpty || state.isOver { return true }
                    state.waiter = waiter
                    return false
                }
                if isReady { waiter.resume() }
            }
        }
    }

    fileprivate func add(_ part: HTTPServerRequestPart) { change { if !$0.isOver { $0.parts.append(part) } } }

    fileprivate func finish(_ failure: (any Error)? = nil) {
        change { state in
            guard !state.isOver else { return }
            (state.isOver, state.failure) = (true, failure)
        }
    }

    /// The connection is closed: there is nobody to answer.
    fileprivate func close() {
        change { state in
            state.serve = nil
            state.isOver = true
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let (waiter, serve) = state.withLockedValue { state in
            change(&state)
            return (state.waiter.take(), state.serve.take())
        }
        waiter?.resume()
        serve?()
    }

    /// Whether the connection may be read; if not, it is read when there is room.
    fileprivate func mayRead() -> Bool {
        state.withLockedValue { state in
            state.isHeld = state.parts.count >= Self.most
            return !state.isHeld
        }
    }
}

/// Hands the parts of requests to the task that answers them; the last handler of a connection.
final class RequestReader: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never

    private let parts: RequestParts

    init(_ parts: RequestParts) { self.parts = parts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { parts.add(unwrapInboundIn(data)) }

    func read(context: ChannelHandlerContext) { if parts.mayRead() { context.read() } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { parts.finish(error) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { parts.finish() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        parts.close()
        context.fireChannelInactive()
    }
}
