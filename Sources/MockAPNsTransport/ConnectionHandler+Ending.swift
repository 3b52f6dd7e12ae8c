internal import MockAPNsRules
internal import NIOCore

/// The orderly end of a connection: send everything, let the client read it, then close the socket.
extension ConnectionHandler {
    /// Ends the connection after its open streams.
    func goAway() {
        guard let context else { return }
        let unfinished = CloseReason(.shutdown, "the server stopped during the handshake")
        guard let open = openOrClose(because: unfinished) else { return }
        open.session.goAway(reason: .shutdown, because: Self.shuttingDown)
        drain(context)
    }

    /// Ends the connection as soon as all output is sent.
    func end(because reason: CloseReason, _ context: ChannelHandlerContext) {
        guard let open else { return }
        state = .ending(.init(open, because: reason, at: context.eventLoop.now))
        tls?.shutdown()
        readIfHeld(context)
        afterLastBytes(context) { self.linger() }
    }

    /// Ends the connection and its streams; closes it immediately if it is already ending.
    func endNow(because reason: CloseReason) {
        guard let context, let open else {
            close(because: reason)
            return
        }
        open.session.endNow(because: reason)
        drain(context)
        end(because: reason, context)
    }

    /// Calls `use` when all output is sent, or can no longer be sent.
    func afterLastBytes(_ context: ChannelHandlerContext, _ use: @escaping () -> Void) {
        let last = tls?.takeOutbound() ?? context.channel.allocator.buffer(capacity: 0)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in use() }
        context.writeAndFlush(wrapOutboundOut(last), promise: sent)
    }

    /// Half-closes the socket, and keeps reading until the client closes its side.
    ///
    /// Closing a socket with unread input, or receiving input afterwards, sends a TCP reset, and then the
    /// client loses data that it has not read yet.
    private func linger() {
        guard let context, case .ending(let ending) = state, let session = ending.session else { return }
        (ending.session, ending.since) = (nil, context.eventLoop.now)
        session.close(because: ending.reason)
        tls = nil
        // Closes the socket completely if the client has already closed its side.
        context.close(mode: .output, promise: nil)
    }

    /// Discards input while the connection is ending.
    func discard(_ count: Int, in ending: ConnectionState.Ending) {
        ending.discarded += count
        if !ending.isLasting, ending.discarded > loop.options.lingerBytes { close(because: ending.reason) }
    }
}
