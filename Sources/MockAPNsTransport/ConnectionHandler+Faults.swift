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
            let late = ConnectionState.Late(input: context.channel.allocator.buffer(capacity: 0))
            state = .late(late)
            late.timer = context.eventLoop.assumeIsolated().scheduleTask(in: .microseconds(microseconds)) {
                self.beginLate()
            }
        case nil, .expiredCertificate, .wrongHost, .noApplicationProtocol, .alert: begin(context)
        }
    }

    private func beginLate() {
        guard let context, case .late(let late) = state else { return }
        // The client's time for the handshake starts after the delay.
        state = .beginning(since: context.eventLoop.now)
        begin(context)
        if late.input.readableBytes > 0 {
            take(late.input, context)
            channelReadComplete(context: context)
        }
        readIfHeld(context)
    }

    // MARK: Answers that wait

    /// Ends the connection if a fault's end is due, or else schedules the next delayed action.
    ///
    /// - Returns: Whether the connection has ended.
    func carryOut(
        _ pending: (fate: ConnectionFate?, due: NIODeadline?), of open: ConnectionState.Open,
        _ context: ChannelHandlerContext
    ) -> Bool {
        watch(open.session.takeAwaited(), context)
        if let fate = pending.fate, context.channel.isWritable {
            meet(fate, of: open, context)
            return true
        }
        guard let due = pending.due else { return false }
        if let wake = open.wake {
            guard due < wake.at else { return false }
            wake.task.cancel()
        }
        open.wake = (due, context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.wakeUp() })
        return false
    }

    private func wakeUp() {
        guard let context, let open else { return }
        open.wake = nil
        open.session.wake(now: context.eventLoop.now)
        drain(context)
    }

    /// Sends responses when the answers that they wait for are given.
    private func watch(_ awaited: [(stream: Int32, answer: LateAnswer)], _ context: ChannelHandlerContext) {
        for (stream, answer) in awaited {
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            answer.whenGiven { [eventLoop = context.eventLoop] in
                eventLoop.execute { handler.value.answerGiven(on: stream) }
            }
        }
    }

    private func answerGiven(on stream: Int32) {
        guard let context, let open else { return }
        open.session.answerGiven(on: stream, now: context.eventLoop.now)
        drain(context)
    }

    // MARK: End

    private func meet(_ fate: ConnectionFate, of open: ConnectionState.Open, _ context: ChannelHandlerContext) {
        guard case .breaks(let how) = fate else {
            end(because: fate.reason, context)
            return
        }
        state = .ending(.init(open, because: fate.reason, brokenBy: how, at: context.eventLoop.now))
        switch how {
        case .rst: afterLastBytes(context) { self.reset(because: fate.reason) }
        case .fin: afterLastBytes(context) { self.context?.close(mode: .output, promise: nil) }
        case .stall, .blackhole: break
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
