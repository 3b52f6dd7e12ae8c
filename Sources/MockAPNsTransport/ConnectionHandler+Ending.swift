internal import MockAPNsRules
internal import NIOCore

/// The orderly end of a connection: send everything, let the client read it, then close the socket.
extension ConnectionHandler {
    /// The state of a connection that is ending.
    struct Ending {
        let reason: CloseReason
        /// Since when it has been waiting: for its output to be sent or, when lingering, for the client to
        /// close.
        var since: NIODeadline
        /// Whether TLS sends no close_notify.
        var isMute = false
        /// Whether the connection stays open until the client closes it.
        var isLasting = false
        /// Whether all output is sent, and only the client's close is missing.
        var isLingering = false
        /// The bytes received and discarded since then.
        var discarded = 0
    }

    /// Ends the connection after its open streams.
    func goAway() {
        guard let context, !isClosed else { return }
        let unfinished = CloseReason(.shutdown, "the server stopped during the handshake")
        guard let session = sessionOrClose(because: unfinished) else { return }
        session.goAway(reason: .shutdown, because: Self.shuttingDown)
        drain(context)
    }

    /// Ends the connection as soon as all output is sent.
    func end(because reason: CloseReason, _ context: ChannelHandlerContext) {
        guard ending == nil, !isClosed else { return }
        ending = Ending(reason: reason, since: context.eventLoop.now)
        tls?.shutdown()
        readIfHeld(context)
        afterLastBytes(context) { self.linger() }
    }

    /// Ends the connection and its streams; closes it immediately if it is already ending.
    func endNow(because reason: CloseReason) {
        guard let context, !isClosed else { return }
        guard ending == nil, let session else {
            close(because: reason)
            return
        }
        session.endNow(because: reason)
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
        guard let context, !isClosed, let reason = ending?.reason else { return }
        ending?.isLingering = true
        ending?.since = context.eventLoop.now
        letGo(because: reason)
        // Closes the socket completely if the client has already closed its side.
        context.close(mode: .output, promise: nil)
    }

    /// Discards input while the connection is ending.
    func discard(_ count: Int) {
        ending?.discarded += count
        guard let ending, !ending.isLasting, ending.discarded > loop.options.lingerBytes else { return }
        close(because: ending.reason)
    }

    /// Whether the end takes longer than allowed.
    func isOverdue(_ ending: Ending, at now: NIODeadline) -> Bool {
        let timeout = ending.isLingering ? loop.options.lingerTimeout : loop.options.stallTimeout
        return !ending.isLasting && now - ending.since >= timeout
    }
}
