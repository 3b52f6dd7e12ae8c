internal import MockAPNsRules
internal import NIOCore

/// The effects of faults on a connection.
extension ConnectionHandler {
    // MARK: Beginning

    /// Begins as the fault of the handshake requires: now, later or never.
    func begin(with fault: FaultAction.Handshake?, _ context: ChannelHandlerContext) {
        switch fault {
        case .refuse: close(because: FaultAction.Handshake.refused)
        case .delay(let microseconds):
            let due = context.eventLoop.now + .microseconds(microseconds)
            early = context.channel.allocator.buffer(capacity: 0)
            isDeaf = true
            // The client's time for the handshake starts after the delay.
            openedAt = due
            wake = (due, context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.beginLate() })
        case nil, .expiredCertificate, .wrongHost, .noApplicationProtocol, .alert: begin(context)
        }
    }

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
        readIfHeld(context)
    }

    // MARK: Answers that wait

    /// Ends the connection if a fault's end is due, or else schedules the next delayed action.
    ///
    /// - Returns: Whether the connection has ended.
    func carryOut(_ pending: (fate: ConnectionFate?, due: NIODeadline?), _ context: ChannelHandlerContext) -> Bool {
        guard !isClosed else { return true }
        if let fate = pending.fate, context.channel.isWritable {
            meet(fate, context)
            return true
        }
        guard let due = pending.due else { return false }
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
        guard case .breaks(let how) = fate else {
            end(because: fate.reason, context)
            return
        }
        let isLasting = how == .stall || how == .blackhole
        ending = Ending(reason: fate.reason, since: context.eventLoop.now, isMute: true, isLasting: isLasting)
        switch how {
        case .rst: afterLastBytes(context) { self.reset(because: fate.reason) }
        case .fin: afterLastBytes(context) { self.context?.close(mode: .output, promise: nil) }
        case .stall: isDeaf = true
        case .blackhole: break
        }
    }

    /// Ends the connection with a TCP reset.
    private func reset(because reason: CloseReason) {
        if let socket = context?.channel as? any SocketOptionProvider {
            // The layout of `struct linger`: on, for zero seconds. Closing such a socket sends a RST.
            let linger: (isOn: CInt, seconds: CInt) = (1, 0)
            _ = socket.unsafeSetSocketOption(level: .socket, name: .so_linger, value: linger)
        }
        close(because: reason)
    }
}
