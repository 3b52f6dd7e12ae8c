internal import MockAPNsRules
internal import NIOCore

/// One connection: socket bytes in, TLS, HTTP/2, answers, TLS, socket bytes out.
///
/// Reads are taken in as they come; answers leave once per read batch, after the responder has been told that the
/// batch is complete. While the peer leaves answers unread in its socket, nothing more is read from it.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let loop: TransportLoop
    private let connectionID: UInt64
    private let listener: Int
    private let remoteAddress: String
    private var tls: TLSConnection?
    private var session: H2Session?
    private var context: ChannelHandlerContext?
    /// What a clear-text connection sends.
    private var clearOutbound = ByteBuffer()
    private var openedAt: NIODeadline
    /// Since when the peer's socket has been full.
    private var blockedSince: NIODeadline?
    private var isReadHeld = false
    /// Why the connection ends once its last bytes have left, and since when that is so.
    private var ending: (reason: CloseReason, since: NIODeadline)?
    private var isClosed = false

    init(
        loop: TransportLoop,
        connectionID: UInt64,
        listener: Int,
        remoteAddress: String,
        tls: TLSConnection?,
        now: NIODeadline
    ) {
        self.loop = loop
        self.connectionID = connectionID
        self.listener = listener
        self.remoteAddress = remoteAddress
        self.tls = tls
        openedAt = now
    }

    private static let shuttingDown = CloseReason(.shutdown, "the server is shutting down")

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        if context.channel.isActive { channelActive(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        guard session == nil, tls == nil else { return }
        startSession(context)
        drain(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed, ending == nil else { return }
        unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
            guard let tls else {
                session?.receive(bytes.bindMemory(to: UInt8.self), now: context.eventLoop.now)
                return
            }
            tls.withInbound(bytes) { pump(tls, context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !isClosed, ending == nil else { return }
        session?.readCompleted()
        drain(context)
        // OpenSSL may have words of its own for the peer.
        if let tls, !isClosed { flush(tls, context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard !isClosed else { return }
        if context.channel.isWritable {
            blockedSince = nil
            drain(context)
            if isReadHeld, !isClosed, blockedSince == nil {
                isReadHeld = false
                context.read()
            }
        } else {
            blockedSince = blockedSince ?? context.eventLoop.now
        }
    }

    func read(context: ChannelHandlerContext) {
        if blockedSince == nil { context.read() } else { isReadHeld = true }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(because: CloseReason(.closedByPeer, "the peer closed the connection"))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(because: CloseReason(.closedByPeer, "the channel went away"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(because: CloseReason(.ioError, "\(error)"))
    }

    // MARK: Bytes in

    private func pump(_ tls: TLSConnection, _ context: ChannelHandlerContext) {
        if !tls.isEstablished {
            switch tls.handshake() {
            case .done: startSession(context)
            case .wantsMore:
                flush(tls, context)
                return
            case .failed(let message):
                flush(tls, context)  // carries the alert
                close(because: CloseReason(.tlsFailure, message))
                return
            }
        }
        while !isClosed {
            switch tls.read(into: loop.inbound) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: loop.inbound[..<count])
                session?.receive(bytes.bindMemory(to: UInt8.self), now: context.eventLoop.now)
            case .wantsMore: return
            case .closed:
                session?.readCompleted()
                close(because: CloseReason(.closedByPeer, "the peer ended TLS"))
                return
            case .failed(let message):
                session?.readCompleted()
                flush(tls, context)
                close(because: CloseReason(.tlsFailure, message))
                return
            }
        }
    }

    private func startSession(_ context: ChannelHandlerContext) {
        let info = ConnectionInfo(
            id: connectionID,
            listener: listener,
            remoteAddress: remoteAddress,
            tls: tls?.facts
        )
        let responder = loop.factory.connectionOpened(info)
        do throws(CloseReason) {
            session = try H2Session(
                options: loop.options,
                pool: loop.streams,
                responder: responder,
                isAuthenticated: false,
                now: context.eventLoop.now
            )
        } catch {
            responder.closed(because: error)
            close(because: error)
            return
        }
        if loop.isShuttingDown { session?.goAway(reason: .shutdown, because: Self.shuttingDown) }
    }

    // MARK: Bytes out

    /// Sends what the session has to say, as far as the peer's socket takes it.
    private func drain(_ context: ChannelHandlerContext) {
        // While the session is busy, somebody drains it afterwards.
        guard let session, !session.isBusy, !isClosed, ending == nil else { return }
        while context.channel.isWritable {
            let filled = fillScratch(from: session)
            // Making frames can turn up more that must be visible before they are.
            session.publishNews()
            guard filled > 0, !isClosed else { break }
            send(UnsafeRawBufferPointer(rebasing: loop.outbound[..<filled]), context)
            if isClosed { return }
        }
        if session.isFinished, context.channel.isWritable, !isClosed {
            end(because: session.finishReason, context)
        }
    }

    private func fillScratch(from session: H2Session) -> Int {
        var filled = 0
        // A frame is at most 16 KiB and a header, so it fits in what is left or the scratch goes first.
        while loop.outbound.count - filled > 16_384 + 9, let frame = session.nextOutput() {
            let place = UnsafeMutableRawBufferPointer(rebasing: loop.outbound[filled..<filled + frame.count])
            place.copyMemory(from: UnsafeRawBufferPointer(frame))
            StreamLimits.unmark(place.bindMemory(to: UInt8.self))
            filled += frame.count
        }
        return filled
    }

    private func send(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) {
        guard let tls else {
            clearOutbound.clear()
            clearOutbound.writeBytes(bytes)
            context.writeAndFlush(wrapOutboundOut(clearOutbound), promise: nil)
            return
        }
        if let message = tls.write(bytes) {
            close(because: CloseReason(.tlsFailure, message))
            return
        }
        flush(tls, context)
    }

    private func flush(_ tls: TLSConnection, _ context: ChannelHandlerContext) {
        guard let bytes = tls.takeOutbound() else { return }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    /// Ends the connection as soon as everything said has left: closing a channel drops what it still holds.
    private func end(because reason: CloseReason, _ context: ChannelHandlerContext) {
        guard ending == nil else { return }
        ending = (reason, context.eventLoop.now)
        tls?.shutdown()
        let last = tls?.takeOutbound() ?? context.channel.allocator.buffer(capacity: 0)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in self.close(because: reason) }
        context.writeAndFlush(wrapOutboundOut(last), promise: sent)
    }

    // MARK: Time and end

    /// Looks at everything that must happen in time.
    func tick(now: NIODeadline) {
        guard let context, !isClosed else { return }
        guard let session else {
            if now - openedAt >= loop.options.handshakeTimeout {
                let waited = "the TLS handshake took longer than \(loop.options.handshakeTimeout)"
                close(because: CloseReason(.handshakeTimeout, waited))
            }
            return
        }
        if let ending {
            if now - ending.since >= loop.options.stallTimeout { close(because: ending.reason) }
            return
        }
        if let blockedSince, now - blockedSince >= loop.options.stallTimeout {
            close(
                because: CloseReason(
                    .stalled,
                    "answers left unread in the socket for \(loop.options.stallTimeout)"
                )
            )
            return
        }
        session.tick(now: now)
        session.readCompleted()
        drain(context)
    }

    /// Lets the connection end after the streams it has.
    func goAway() {
        guard let context, !isClosed else { return }
        guard let session else {
            close(because: CloseReason(.shutdown, "the server stopped during the handshake"))
            return
        }
        session.goAway(reason: .shutdown, because: Self.shuttingDown)
        drain(context)
    }

    /// Ends the connection.
    func close(because reason: CloseReason) {
        guard let context, !isClosed else { return }
        if let tls {
            tls.shutdown()
            flush(tls, context)
        }
        finish(because: reason)
        context.close(promise: nil)
    }

    private func finish(because reason: CloseReason) {
        guard !isClosed else { return }
        isClosed = true
        let reason = ending?.reason ?? reason
        if let session {
            session.close(because: reason)
        } else {
            let info = ConnectionInfo(
                id: connectionID,
                listener: listener,
                remoteAddress: remoteAddress,
                tls: nil
            )
            loop.factory.handshakeFailed(info, because: reason)
        }
        session = nil
        tls = nil
        context = nil
        loop.remove(self)
    }
}
