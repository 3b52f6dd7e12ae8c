internal import MockAPNsRules
internal import NIOCore

/// The feedback service on a connection: it sends all tuples without being asked, then ends.
final class FeedbackSession: ConnectionSession {
    private var responder: (any FeedbackResponder)?
    private var output: ArraySlice<UInt8> = []
    private var departure: CloseReason?
    /// Whether all tuples were sent.
    private var isComplete = false
    /// Whether it waits until input is let in, and then takes all tuples at once.
    private let takesAllAtOnce: Bool
    private var waits: Bool
    /// The hold on the tuples that were taken last: they are sent once it is kept that they were read.
    private var hold: ResponseHold?

    let isBusy = false
    let pendingFault: (fate: ConnectionFate?, due: NIODeadline?)? = nil

    init(responder: any FeedbackResponder, waits: Bool = false) {
        self.responder = responder
        takesAllAtOnce = waits
        self.waits = waits
    }

    /// Ignores input: the client only reads (documented).
    func receive(_ bytes: UnsafeBufferPointer<UInt8>, now: NIODeadline) {
        guard waits else { return }
        waits = false
        while let more = takeTuples(), !more.isEmpty { output += more }
    }

    private func takeTuples() -> [UInt8]? {
        let tuples = responder?.nextTuples()
        hold = responder?.takeHold() ?? hold
        return tuples
    }

    func fill(_ target: UnsafeMutableRawBufferPointer) -> Int {
        guard departure == nil, !isComplete, !waits else { return 0 }
        if output.isEmpty, !takesAllAtOnce { output = (takeTuples() ?? [])[...] }
        isComplete = output.isEmpty
        guard hold == nil else { return 0 }
        let count = min(output.count, target.count)
        target.copyBytes(from: output.prefix(count))
        output = output.dropFirst(count)
        return count
    }

    func readCompleted() {}
    func publishNews() {}
    func takeHold() -> ResponseHold? { hold.take() }
    func wake(now: NIODeadline) {}
    func tick(now: NIODeadline) {}

    var isFinished: Bool { departure != nil || isComplete }

    var finishReason: CloseReason { departure ?? CloseReason(.complete, "all feedback was sent") }

    /// A client may close its side at once, and still read.
    func inputEnded(because reason: CloseReason) {}

    /// What is left is sent: it counts as read already.
    func goAway(reason: Reason?, because departure: CloseReason) {}

    func endNow(because reason: CloseReason) { departure = reason }

    func close(because reason: CloseReason) {
        responder?.closed(because: reason)
        responder = nil
    }
}
