internal import NIOCore

/// Input that waits for the gate: it is decrypted, and its session gets it when the gate lets it in.
extension ConnectionHandler {
    struct WaitingInput {
        var bytes = ByteBuffer()
        /// Why the client's side is over, if it is.
        var end: CloseReason?
    }

    /// Passes input on, or lets it wait.
    func deliver(_ bytes: UnsafeBufferPointer<UInt8>, now: NIODeadline) {
        guard waitingInput != nil || !loop.letsInputPass else {
            session?.receive(bytes, now: now)
            return
        }
        waitForGate()
        waitingInput?.bytes.writeBytes(bytes)
    }

    /// Passes on that the client's side is over.
    func deliverEnd(because reason: CloseReason) {
        guard waitingInput != nil else {
            session?.inputEnded(because: reason)
            return
        }
        waitingInput?.end = reason
    }

    /// Waits for the gate; nothing more is read meanwhile.
    func waitForGate() {
        guard waitingInput == nil else { return }
        waitingInput = WaitingInput()
        loop.waitForGate(self)
    }

    /// Passes on everything that has waited.
    func passInput() {
        guard let input = waitingInput.take(), let context, !isClosed, ending == nil else { return }
        input.bytes.withUnsafeReadableBytes { bytes in
            session?.receive(bytes.bindMemory(to: UInt8.self), now: context.eventLoop.now)
        }
        if let end = input.end { session?.inputEnded(because: end) }
        channelReadComplete(context: context)
        readIfHeld(context)
    }
}
