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
    /// The fault that applies from the beginning of the connection.
    let fault: ConnectionFault?
    var state: ConnectionState
    /// `nil` in clear text, and once there is nothing left to send.
    var tls: TLSConnection?
    private(set) var context: ChannelHandlerContext?
    /// The output of a clear-text connection.
    private var clearOutbound = ByteBuffer()
    /// When the client's socket became full; `nil` if it is not.
    private var blockedSince: NIODeadline?
    private(set) var isReadHeld = false

    init(
        loop: TransportLoop, info: ConnectionInfo, tls: TLSConnection?, fault: ConnectionFault? = nil, now: NIODeadline
    ) {
        self.loop = loop
        self.info = info
        self.tls = tls
        self.fault = fault
        state = .beginning(since: now)
    }

    static let shuttingDown = CloseReason(.shutdown, "the server is shutting down")
    private static let closedByPeer = CloseReason(.closedByPeer, "the peer closed the connection")

    /// What is valid while the connection is open; `nil` before and afterwards.
    var open: ConnectionState.Open? { if case .open(let open) = state { open } else { nil } }

    private var isOpen: Bool { if case .open = state { true } else { false } }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        if context.channel.isActive { channelActive(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) { begin(with: fault?.handshake, context) }

    /// In clear text, the server sends first.
    func begin(_ context: ChannelHandlerContext) {
        guard case .beginning = state, tls == nil else { return }
        startSession(context)
        drain(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        switch state {
        case .late(let late): late.input.writeImmutableBuffer(bytes)
        case .beginning: take(bytes, context)
        case .open(let open): if !open.isInputOver { take(bytes, context) }
        case .ending(let ending): discard(bytes.readableBytes, in: ending)
        case .closed: break
        }
    }

    func take(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        buffer.withUnsafeReadableBytes { bytes in
            guard let tls else {
                if let open { deliver(bytes.bindMemory(to: UInt8.self), to: open, now: context.eventLoop.now) }
                return
            }
            tls.withInbound(bytes) { pump(tls, context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .late, .ending, .closed: return
        case .beginning: break
        case .open(let open):
            open.session.readCompleted()
            drain(context)
        }
        // OpenSSL may have messages for the client.
        if let tls { flush(tls, context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
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
        let mayRead =
            switch state {
            case .late, .closed: false
            case .beginning: blockedSince == nil
            case .open(let open): blockedSince == nil && !open.isWaiting
            case .ending(let ending): ending.breakage != .stall
            }
        if mayRead { context.read() } else { isReadHeld = true }
    }

    /// Performs a read that was held back, unless there is still a reason to hold it back.
    func readIfHeld(_ context: ChannelHandlerContext) {
        guard isReadHeld else { return }
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
        while let open {
            switch tls.read(into: loop.inbound) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: loop.inbound[..<count])
                deliver(bytes.bindMemory(to: UInt8.self), to: open, now: context.eventLoop.now)
            case .wantsMore: return
            case .closed:
                deliverEnd(because: CloseReason(.closedByPeer, "the peer ended TLS"), to: open)
                return
            case .failed(let reason):
                open.session.readCompleted()
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
        let session: any ConnectionSession
        // The feedback service answers without input.
        let waits = info.interface == .feedback && !loop.letsInputPass
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
        case .feedback: session = FeedbackSession(responder: loop.factory.feedbackOpened(info), waits: waits)
        }
        let open = ConnectionState.Open(session)
        state = .open(open)
        if waits { waitForGate(open) }
        if loop.isShuttingDown { session.goAway(reason: .shutdown, because: Self.shuttingDown) }
    }

    // MARK: Bytes out

    /// Sends the session's output, as much as the client's socket accepts.
    func drain(_ context: ChannelHandlerContext) {
        guard let open else { return }
        let session = open.session
        // While the session is busy, its caller drains it afterwards.
        guard !session.isBusy else { return }
        if let hold = session.takeHold() { wait(for: hold, open, context) }
        guard open.holds == 0 else { return }
        while context.channel.isWritable {
            let filled = session.fill(loop.outbound)
            // Creating frames may cause news that must be published before the frames are sent.
            session.publishNews()
            guard filled > 0, isOpen else { break }
            send(UnsafeRawBufferPointer(rebasing: loop.outbound[..<filled]), context)
            guard isOpen else { return }
        }
        // What comes next may say that something has changed by being sent.
        if let hold = session.takeHold() { return wait(for: hold, open, context) }
        if let pending = session.pendingFault, carryOut(pending, of: open, context) { return }
        if session.isFinished, context.channel.isWritable { end(because: session.finishReason, context) }
    }

    private func wait(for hold: ResponseHold, _ open: ConnectionState.Open, _ context: ChannelHandlerContext) {
        open.holds += 1
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        hold.wait { [eventLoop = context.eventLoop] isSafe in eventLoop.execute { handler.value.proceed(isSafe) } }
    }

    private func proceed(_ isSafe: Bool) {
        open?.holds -= 1
        guard let context else { return }
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
        guard let context else { return }
        switch state {
        case .late, .closed: break
        case .beginning(let since):
            if now - since >= loop.options.handshakeTimeout {
                let waited = "the TLS handshake took longer than \(loop.options.handshakeTimeout)"
                close(because: CloseReason(.handshakeTimeout, waited))
            }
        case .open(let open):
            if let blockedSince, now - blockedSince >= loop.options.stallTimeout {
                let unread = "answers left unread in the socket for \(loop.options.stallTimeout)"
                close(because: CloseReason(.stalled, unread))
                return
            }
            open.session.tick(now: now)
            open.session.readCompleted()
            drain(context)
        case .ending(let ending): if ending.isOverdue(at: now, loop.options) { close(because: ending.reason) }
        }
    }

    // MARK: End

    /// Handles the client's close of its side; it may still be reading.
    private func inputClosed(_ context: ChannelHandlerContext) {
        guard let open = openOrClose(because: hangUp ?? Self.closedByPeer) else { return }
        deliverEnd(because: Self.closedByPeer, to: open)
        open.session.readCompleted()
        drain(context)
    }

    /// Returns what can end in the usual way.
    ///
    /// Otherwise, closes the connection if it has no session yet, or if a fault keeps it open.
    func openOrClose(because reason: CloseReason) -> ConnectionState.Open? {
        switch state {
        case .late, .beginning: close(because: reason)
        case .open(let open): return open
        case .ending(let ending): if ending.isLasting { close(because: ending.reason) }
        case .closed: break
        }
        return nil
    }

    /// Closes the connection, discarding unsent output.
    func close(because reason: CloseReason) {
        guard let context else { return }
        var isMute = false
        if case .ending(let ending) = state { isMute = ending.breakage != nil }
        if let tls, !isMute {
            tls.shutdown()
            flush(tls, context)
        }
        finish(because: reason)
        context.close(promise: nil)
    }

    /// Releases everything except the socket.
    private func finish(because reason: CloseReason) {
        let last = state
        (state, context) = (.closed, nil)
        switch last {
        case .late(let late):
            late.timer?.cancel()
            handshakeFailed(because: reason)
        case .beginning: handshakeFailed(because: reason)
        case .open(let open):
            open.wake?.task.cancel()
            open.session.close(because: reason)
        case .ending(let ending): ending.session?.close(because: ending.reason)
        case .closed: return
        }
        tls = nil
        loop.remove(self)
    }

    private func handshakeFailed(because reason: CloseReason) {
        var info = info
        // A failed handshake has no result, except for what was seen of the client.
        if tls?.clientCertificate != nil { info.tls = tls?.facts }
        loop.factory.handshakeFailed(info, because: reason)
    }
}
