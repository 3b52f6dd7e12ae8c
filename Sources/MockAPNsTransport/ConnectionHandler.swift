internal import MockAPNsRules
internal import NIOCore

/// A connection: decrypts its input, passes it to its session, and encrypts and sends the responses.
///
/// Input is processed as it arrives. Responses are sent once per batch of reads, after the responder was told
/// that the batch is complete. While responses wait because the client's socket is full, or because what they
/// acknowledge is not safe yet, nothing more is read.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let loop: TransportLoop
    /// The connection, without the result of its TLS handshake.
    private let info: ConnectionInfo
    private(set) var tls: TLSConnection?
    private(set) var session: (any ConnectionSession)?
    private(set) var context: ChannelHandlerContext?
    /// The output of a clear-text connection.
    private var clearOutbound = ByteBuffer()
    var openedAt: NIODeadline
    /// When the client's socket became full; `nil` if it is not.
    private var blockedSince: NIODeadline?
    var isReadHeld = false
    /// The number of reads whose answers wait for what they acknowledge to be safe.
    private var holds = 0
    /// The input that waits for the gate; `nil` if none does.
    var waitingInput: WaitingInput?
    /// The state of the end, once it has begun; from then on input is discarded.
    var ending: Ending?
    /// Whether the client has closed its side with TLS or TCP.
    private var isInputOver = false
    /// Whether the responder was told of the end, and only the socket is left.
    private var isOver = false
    private(set) var isClosed = false
    /// The fault that applies from the beginning of the connection.
    let fault: ConnectionFault?
    /// The input received before a fault lets the connection begin; `nil` afterwards.
    var early: ByteBuffer?
    /// Whether a fault prevents reading.
    var isDeaf = false
    /// The timer for the next delayed action of a fault.
    var wake: (at: NIODeadline, task: Scheduled<Void>)?

    init(
        loop: TransportLoop, info: ConnectionInfo, tls: TLSConnection?, fault: ConnectionFault? = nil, now: NIODeadline
    ) {
        self.loop = loop
        self.info = info
        self.tls = tls
        self.fault = fault
        openedAt = now
    }

    static let shuttingDown = CloseReason(.shutdown, "the server is shutting down")
    private static let closedByPeer = CloseReason(.closedByPeer, "the peer closed the connection")

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        if context.channel.isActive { channelActive(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) { begin(with: fault?.handshake, context) }

    /// In clear text, the server sends first.
    func begin(_ context: ChannelHandlerContext) {
        guard session == nil, tls == nil else { return }
        startSession(context)
        drain(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed, !isInputOver else { return }
        let bytes = unwrapInboundIn(data)
        if ending != nil {
            discard(bytes.readableBytes)
        } else if early != nil {
            // Reading is off, but the system delivers input when the client closes.
            early?.writeImmutableBuffer(bytes)
        } else {
            take(bytes, context)
        }
    }

    func take(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        buffer.withUnsafeReadableBytes { bytes in
            guard let tls else {
                deliver(bytes.bindMemory(to: UInt8.self), now: context.eventLoop.now)
                return
            }
            tls.withInbound(bytes) { pump(tls, context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !isClosed, ending == nil else { return }
        session?.readCompleted()
        drain(context)
        // OpenSSL may have messages for the client.
        if let tls, !isClosed { flush(tls, context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard !isClosed else { return }
        if context.channel.isWritable {
            blockedSince = nil
            drain(context)
            readIfHeld(context)
        } else {
            blockedSince = blockedSince ?? context.eventLoop.now
        }
    }

    /// While the connection is ending, input is read and discarded, so that the client is not blocked.
    func read(context: ChannelHandlerContext) {
        let isWaiting = blockedSince != nil || holds > 0 || waitingInput != nil
        if !isDeaf, !isWaiting || ending != nil { context.read() } else { isReadHeld = true }
    }

    /// Performs a read that was held back, unless there is still a reason to hold it back.
    func readIfHeld(_ context: ChannelHandlerContext) {
        guard isReadHeld, !isClosed else { return }
        isReadHeld = false
        read(context: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputClosed(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) { finish(because: hangUp ?? Self.closedByPeer) }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(because: CloseReason(.closedByPeer, "the channel went away"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(because: hangUp ?? CloseReason(.ioError, "\(error)"))
    }

    /// The reason for a close during the TLS handshake.
    ///
    /// `nil` at any other time, and before the client's first byte: port probes connect and disconnect.
    private var hangUp: CloseReason? {
        guard fault == nil, let tls, tls.hasBegun, !tls.isEstablished else { return nil }
        let detail = "the client closed the connection during the TLS handshake, without an alert"
        return CloseReason(.tlsFailure, detail, cause: .hungUp)
    }

    // MARK: Bytes in

    private func pump(_ tls: TLSConnection, _ context: ChannelHandlerContext) {
        if !tls.isEstablished {
            switch tls.handshake() {
            case .done: startSession(context)
            case .wantsMore:
                flush(tls, context)
                return
            case .failed(let reason):
                flush(tls, context)  // sends the alert
                close(because: fault?.handshake?.blame(for: reason.detail) ?? reason)
                return
            }
        }
        while !isClosed {
            switch tls.read(into: loop.inbound) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: loop.inbound[..<count])
                deliver(bytes.bindMemory(to: UInt8.self), now: context.eventLoop.now)
            case .wantsMore: return
            case .closed:
                isInputOver = true
                deliverEnd(because: CloseReason(.closedByPeer, "the peer ended TLS"))
                return
            case .failed(let reason):
                session?.readCompleted()
                flush(tls, context)
                close(because: reason)
                return
            }
        }
    }

    private func startSession(_ context: ChannelHandlerContext) {
        var info = info
        info.tls = tls?.facts
        let now = context.eventLoop.now
        switch info.interface {
        case .http2:
            let responder = loop.factory.connectionOpened(info)
            do throws(CloseReason) {
                session = try H2Session(
                    options: loop.options, pool: loop.streams, responder: responder,
                    isAuthenticated: responder.isAuthenticated, fault: fault, now: now)
            } catch {
                responder.closed(because: error)
                close(because: error)
                return
            }
        case .gateway:
            let responder = loop.factory.gatewayOpened(info)
            session = GatewaySession(options: loop.options, responder: responder, now: now)
        case .feedback:
            let waits = !loop.letsInputPass
            session = FeedbackSession(responder: loop.factory.feedbackOpened(info), waits: waits)
            // It answers without input.
            if waits { waitForGate() }
        }
        if loop.isShuttingDown { session?.goAway(reason: .shutdown, because: Self.shuttingDown) }
    }

    // MARK: Bytes out

    /// Sends the session's output, as much as the client's socket accepts.
    func drain(_ context: ChannelHandlerContext) {
        // While the session is busy, its caller drains it afterwards.
        guard let session, !session.isBusy, !isClosed, ending == nil else { return }
        if let hold = session.takeHold() { wait(for: hold, context) }
        guard holds == 0 else { return }
        while context.channel.isWritable {
            let filled = session.fill(loop.outbound)
            // Creating frames may cause news that must be published before the frames are sent.
            session.publishNews()
            guard filled > 0, !isClosed else { break }
            send(UnsafeRawBufferPointer(rebasing: loop.outbound[..<filled]), context)
            if isClosed { return }
        }
        // What comes next may say that something has changed by being sent.
        if let hold = session.takeHold() { return wait(for: hold, context) }
        if let pending = session.pendingFault, carryOut(pending, context) { return }
        if session.isFinished, context.channel.isWritable, !isClosed { end(because: session.finishReason, context) }
    }

    private func wait(for hold: ResponseHold, _ context: ChannelHandlerContext) {
        holds += 1
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        hold.wait { [eventLoop = context.eventLoop] isSafe in eventLoop.execute { handler.value.proceed(isSafe) } }
    }

    private func proceed(_ isSafe: Bool) {
        holds -= 1
        guard let context, !isClosed else { return }
        guard isSafe else {
            close(because: CloseReason(.unsaved, "what the answers acknowledge could not be saved"))
            return
        }
        drain(context)
        readIfHeld(context)
    }

    private func send(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) {
        guard let tls else {
            clearOutbound.clear()
            clearOutbound.writeBytes(bytes)
            context.writeAndFlush(wrapOutboundOut(clearOutbound), promise: nil)
            return
        }
        if let reason = tls.write(bytes) {
            close(because: reason)
            return
        }
        flush(tls, context)
    }

    private func flush(_ tls: TLSConnection, _ context: ChannelHandlerContext) {
        guard let bytes = tls.takeOutbound() else { return }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    // MARK: Time and end

    /// Checks all timeouts.
    func tick(now: NIODeadline) {
        guard let context, !isClosed else { return }
        if let ending {
            if isOverdue(ending, at: now) { close(because: ending.reason) }
            return
        }
        guard let session else {
            if now - openedAt >= loop.options.handshakeTimeout {
                let waited = "the TLS handshake took longer than \(loop.options.handshakeTimeout)"
                close(because: CloseReason(.handshakeTimeout, waited))
            }
            return
        }
        if let blockedSince, now - blockedSince >= loop.options.stallTimeout {
            let unread = "answers left unread in the socket for \(loop.options.stallTimeout)"
            close(because: CloseReason(.stalled, unread))
            return
        }
        session.tick(now: now)
        session.readCompleted()
        drain(context)
    }

    // MARK: End

    /// Handles the client's close of its side; it may still be reading.
    private func inputClosed(_ context: ChannelHandlerContext) {
        isInputOver = true
        guard !isClosed else { return }
        guard let session = sessionOrClose(because: hangUp ?? Self.closedByPeer) else { return }
        deliverEnd(because: Self.closedByPeer)
        session.readCompleted()
        drain(context)
    }

    /// Returns the session if the connection can end in the usual way.
    ///
    /// Otherwise, closes the connection if it has no session yet, or if a fault keeps it open.
    func sessionOrClose(because reason: CloseReason) -> (any ConnectionSession)? {
        if let ending {
            if ending.isLasting { close(because: ending.reason) }
            return nil
        }
        if session == nil { close(because: reason) }
        return session
    }

    /// Closes the connection, discarding unsent output.
    func close(because reason: CloseReason) {
        guard let context, !isClosed else { return }
        if let tls, ending?.isMute != true {
            tls.shutdown()
            flush(tls, context)
        }
        finish(because: reason)
        context.close(promise: nil)
    }

    /// Releases everything except the socket.
    func letGo(because reason: CloseReason) {
        guard !isOver else { return }
        isOver = true
        if let session {
            session.close(because: reason)
        } else {
            var info = info
            // A failed handshake has no result, except for what was seen of the client.
            if tls?.clientCertificate != nil { info.tls = tls?.facts }
            loop.factory.handshakeFailed(info, because: reason)
        }
        session = nil
        tls = nil
        early = nil
        wake?.task.cancel()
        wake = nil
    }

    private func finish(because reason: CloseReason) {
        guard !isClosed else { return }
        isClosed = true
        letGo(because: ending?.reason ?? reason)
        context = nil
        loop.remove(self)
    }
}
