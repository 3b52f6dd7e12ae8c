internal import MockAPNsRules
internal import NIOCore

/// What faults do to a connection, from its beginning to its end.
extension ConnectionHandler {
    // MARK: Beginning

    /// Begins as the fault wants it: now, later or not at all.
    func begin(with fault: ConnectionFault, _ context: ChannelHandlerContext) {
        switch fault.handshake {
        case .refuse:
            close(because: FaultAction.Handshake.refuse.blame(for: "") ?? ConnectionFate.fin.reason)
        case .delay(let microseconds):
            let due = context.eventLoop.now + .microseconds(microseconds)
            early = context.channel.allocator.buffer(capacity: 0)
            isDeaf = true
            // The time that the client has for its handshake begins with it.
            openedAt = due
            wake = (due, context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.beginLate() })
        case nil, .expiredCertificate, .wrongHost, .noApplicationProtocol, .alert:
            begin(context)
        }
    }

    /// Keeps what came although nothing was read: the system hands it out when the client hangs up.
    func keepForLater(_ bytes: ByteBuffer) { early?.writeImmutableBuffer(bytes) }

    private func beginLate() {
        wake = nil
        guard let context, !isClosed, let bytes = early else { return }
        early = nil
        isDeaf = false
        begin(context)
        if bytes.readableBytes > 0 {
            take(bytes, context)
            channelReadComplete(context: context)
        }
        guard isReadHeld, !isClosed, ending == nil else { return }
        isReadHeld = false
        read(context: context)
    }

    // MARK: Answers that wait

    /// Sees to it that what faults have put off is done in time, and what has become of the connection happens.
    ///
    /// - Returns: whether the connection has met its fate.
    func carryOut(_ faults: SessionFaults, _ context: ChannelHandlerContext) -> Bool {
        guard !isClosed else { return true }
        if let fate = faults.fate, faults.isFateDue, context.channel.isWritable {
            meet(fate, context)
            return true
        }
        guard let due = faults.nextDue else { return false }
        if let wake {
            guard due < wake.at else { return false }
            wake.task.cancel()
        }
        wake = (due, context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.wakeUp() })
        return false
    }

    private func wakeUp() {
        wake = nil
        guard let context, let session, !isClosed, ending == nil else { return }
        session.wake(now: context.eventLoop.now)
        drain(context)
    }

    // MARK: End

    private func meet(_ fate: ConnectionFate, _ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        switch fate {
        case .close:
            end(because: fate.reason, context)
        case .rst:
            ending = Ending(reason: fate.reason, since: now, isMute: true)
            afterLastBytes(context) { self.reset(because: fate.reason) }
        case .fin:
            ending = Ending(reason: fate.reason, since: now, isMute: true)
            afterLastBytes(context) { self.context?.close(mode: .output, promise: nil) }
        case .stall:
            isDeaf = true
            ending = Ending(reason: fate.reason, since: now, isMute: true, isLasting: true)
        case .blackhole:
            ending = Ending(reason: fate.reason, since: now, isMute: true, isLasting: true)
        }
    }

    /// Ends the connection with a TCP reset.
    private func reset(because reason: CloseReason) {
        if let socket = context?.channel as? any SocketOptionProvider {
            // What is called `struct linger`: on, and for no time. A socket closed like that sends RST.
            let linger: (isOn: CInt, seconds: CInt) = (1, 0)
            _ = socket.unsafeSetSocketOption(level: .socket, name: .so_linger, value: linger)
        }
        close(because: reason)
    }
}
