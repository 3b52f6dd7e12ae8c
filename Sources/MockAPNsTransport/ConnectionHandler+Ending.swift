internal import MockAPNsRules
internal import NIOCore

/// How a connection ends in good order: everything is said, the client reads it, then the socket is closed.
extension ConnectionHandler {
    /// The end of a connection.
    struct Ending {
        let reason: CloseReason
        /// Since when it waits: for its last bytes to leave or, once it lingers, for the client to hang up.
        var since: NIODeadline
        /// Whether TLS says no goodbye.
        var isMute = false
        /// Whether it is the client's to end the connection, whenever that may be.
        var isLasting = false
        /// Whether everything said has left, and nothing is missing but the client's end.
        var isLingering = false
        /// How many bytes have come since, and were thrown away.
        var discarded = 0
    }

    /// Lets the connection end after the streams it has.
    func goAway() {
        guard let context, !isClosed else { return }
        if let ending {
            if ending.isLasting { close(because: ending.reason) }
            return
        }
        guard let session else {
            close(because: CloseReason(.shutdown, "the server stopped during the handshake"))
            return
        }
        session.goAway(reason: .shutdown, because: Self.shuttingDown)
        drain(context)
    }

    /// Ends the connection as soon as everything said has left.
    func end(because reason: CloseReason, _ context: ChannelHandlerContext) {
        guard ending == nil, !isClosed else { return }
        ending = Ending(reason: reason, since: context.eventLoop.now)
        tls?.shutdown()
        if isReadHeld {
            isReadHeld = false
            read(context: context)
        }
        afterLastBytes(context) { self.linger() }
    }

    /// Ends the connection with the streams it has; closes it if it is ending already.
    func endNow(because reason: CloseReason) {
        guard let context, !isClosed else { return }
        guard ending == nil, let session else {
            close(because: reason)
            return
        }
        session.departure = reason
        session.refuseUnfinished()
        drain(context)
        end(because: reason, context)
    }

    /// Calls back when everything said has left, or never will.
    func afterLastBytes(_ context: ChannelHandlerContext, _ use: @escaping () -> Void) {
        let last = tls?.takeOutbound() ?? context.channel.allocator.buffer(capacity: 0)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in use() }
        context.writeAndFlush(wrapOutboundOut(last), promise: sent)
    }

    /// Ends the server's side of the socket, and reads on until the client ends its own.
    ///
    /// A socket that is closed with something unread in it, or to which something comes after that, sends a reset,
    /// and that takes from the client what it has not read yet.
    private func linger() {
        guard let context, !isClosed, let reason = ending?.reason else { return }
        ending?.isLingering = true
        ending?.since = context.eventLoop.now
        letGo(because: reason)
        // Closes the socket where the client has ended its side already.
        context.close(mode: .output, promise: nil)
    }

    /// Throws away what comes while the connection ends.
    func discard(_ count: Int) {
        guard var ending, !ending.isLasting else { return }
        ending.discarded += count
        self.ending = ending
        if ending.discarded > loop.options.lingerBytes { close(because: ending.reason) }
    }

    /// Whether an ending takes too long.
    func isOverdue(_ ending: Ending, at now: NIODeadline) -> Bool {
        let patience = ending.isLingering ? loop.options.lingerTimeout : loop.options.stallTimeout
        return !ending.isLasting && now - ending.since >= patience
    }
}
