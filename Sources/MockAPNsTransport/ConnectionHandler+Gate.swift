internal import NIOCore

extension ConnectionHandler {
    /// Passes decrypted input on to the session, or lets it wait for the gate.
    func deliver(_ bytes: UnsafeBufferPointer<UInt8>, to open: ConnectionState.Open, now: NIODeadline) {
        guard open.waitingInput != nil || !loop.letsInputPass else {
            open.session.receive(bytes, now: now)
            return
        }
        waitForGate(open)
        open.waitingInput?.bytes.writeBytes(bytes)
    }

    /// Passes on that the client's side is over.
    func deliverEnd(because reason: CloseReason, to open: ConnectionState.Open) {
        open.isInputOver = true
        guard open.waitingInput != nil else {
            open.session.inputEnded(because: reason)
            return
        }
        open.waitingInput?.end = reason
    }

    /// Waits for the gate; nothing more is read meanwhile.
    func waitForGate(_ open: ConnectionState.Open) {
        guard open.waitingInput == nil else { return }
        open.waitingInput = ConnectionState.WaitingInput()
        loop.waitForGate(self)
    }

    /// Passes on everything that has waited.
    func passInput() {
        guard let context, let open, let input = open.waitingInput.take() else { return }
        input.bytes.withUnsafeReadableBytes { bytes in
            open.session.receive(bytes.bindMemory(to: UInt8.self), now: context.eventLoop.now)
        }
        if let end = input.end { open.session.inputEnded(because: end) }
        channelReadComplete(context: context)
        readIfHeld(context)
    }
}
