internal import MockAPNsRules
internal import NIOCore

/// The protocol that a connection speaks inside TLS.
///
/// Input goes through `receive`, and output comes from `fill`.
protocol ConnectionSession: AnyObject {
    /// Whether a call to the session is in progress; its caller then sends the output afterwards.
    var isBusy: Bool { get }

    /// Processes input from the client.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>, now: NIODeadline)

    /// Tells the responder that a read is complete.
    func readCompleted()

    /// Does the same as `readCompleted`, but only if the responder has handled anything since.
    func publishNews()

    /// Returns the hold on the output of the completed reads, and of what `fill` has changed, only once; `nil` if the
    /// output may be sent.
    func takeHold() -> ResponseHold?

    /// Writes output to `target`, which has room for at least one frame.
    ///
    /// - Returns: The number of bytes; 0 if there is nothing to send.
    func fill(_ target: UnsafeMutableRawBufferPointer) -> Int

    /// The pending actions of faults; `nil` if there are none.
    var pendingFault: (fate: ConnectionFate?, due: NIODeadline?)? { get }

    /// Performs the delayed actions of faults that are due.
    func wake(now: NIODeadline)

    /// Returns the answers that responses wait for, each only once.
    func takeAwaited() -> [(stream: Int32, answer: LateAnswer)]

    /// Sends the response that has waited for an answer.
    func answerGiven(on stream: Int32, now: NIODeadline)

    /// Checks all timeouts.
    func tick(now: NIODeadline)

    /// Whether the connection may end once the output is sent.
    var isFinished: Bool { get }

    /// The reason if the session ends by itself.
    var finishReason: CloseReason { get }

    /// Handles the end of the client's input: pending responses are sent, then the session is finished.
    func inputEnded(because reason: CloseReason)

    /// Announces the end as the protocol does, lets the client finish, then ends the connection.
    func goAway(reason: Reason?, because departure: CloseReason)

    /// Ends the session without waiting for the client.
    func endNow(because reason: CloseReason)

    /// Releases all resources, and tells the responder.
    func close(because reason: CloseReason)
}

extension ConnectionSession {
    /// By default, no response waits.
    func takeAwaited() -> [(stream: Int32, answer: LateAnswer)] { [] }

    func answerGiven(on stream: Int32, now: NIODeadline) {}
}

/// What a fault does to a connection after all earlier output is sent.
enum ConnectionFate {
    /// Closes it in the usual way, with close_notify.
    case close
    case breaks(FaultAction.Break)

    /// The reason to report when the connection has ended.
    var reason: CloseReason {
        switch self {
        case .close: CloseReason(.fault, "a fault closed the connection")
        case .breaks(.rst): CloseReason(.fault, "a fault reset the connection")
        case .breaks(.fin): CloseReason(.fault, "a fault ended the connection without a goodbye")
        case .breaks(.stall): CloseReason(.fault, "a fault stalled the connection")
        case .breaks(.blackhole): CloseReason(.fault, "a fault stopped all traffic on the connection")
        }
    }
}
