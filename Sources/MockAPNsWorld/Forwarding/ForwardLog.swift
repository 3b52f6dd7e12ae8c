internal import DequeModule

/// The forwarded pushes of a world: the latest records, and counts of all.
///
/// It has a lock of its own, so that reading and writing it delays no push. It is kept in memory only.
package final class ForwardLog: Sendable {
    /// The counts since the start of the server.
    package struct Counts: Equatable, Sendable {
        /// The pushes that were answered by the other service.
        package var answered: UInt64 = 0
        /// Those of them with another answer than the mock's.
        package var differing: UInt64 = 0
        /// The pushes without a response.
        package var failed: UInt64 = 0
        /// The pushes that were not sent, because too many were waiting.
        package var dropped: UInt64 = 0
        /// The pushes that wait to be sent.
        package var waiting = 0

        package init() {}
    }

    private struct State {
        var records: [UInt64: ForwardRecord] = [:]
        var order: Deque<UInt64> = []
        /// Ranges with the numbers of dropped pushes and no others, in ascending order.
        var dropped: Deque<ClosedRange<UInt64>> = []
        var epoch: UInt64 = 0
        var counts = Counts()
        /// The numbers of imports, for the reader that forwards; `nil` without one.
        var adopted: [ClosedRange<UInt64>]?

        /// Forgets everything of earlier epochs.
        mutating func begin(_ next: UInt64) {
            guard next > epoch else { return }
            (records, order, dropped, epoch) = ([:], [], [], next)
        }

        mutating func drop(_ range: ClosedRange<UInt64>) {
            if let last = dropped.last, last.upperBound &+ 1 == range.lowerBound {
                dropped[dropped.count - 1] = last.lowerBound...range.upperBound
            } else {
                if dropped.count == ForwardLog.mostDroppedRanges { dropped.removeFirst() }
                dropped.append(range)
            }
        }

        func hasDropped(_ push: UInt64) -> Bool {
            // Bounded by `mostDroppedRanges`, and mostly one range for each time that the queue was full.
            dropped.contains { $0.contains(push) }
        }
    }

    /// The maximum number of records; the oldest are dropped.
    package static let capacity = 10_000

    /// The maximum number of ranges of dropped pushes; the oldest are forgotten.
    static let mostDroppedRanges = 1_000
    /// Why a push was dropped.
    private static let dropped = ForwardRecord(.dropped, because: "not sent: the queue was full")

    private let state = Locked(State())

    init() {}

    /// The counts since the start of the server.
    package var counts: Counts { state.withLock { $0.counts } }

    /// Changes the number of waiting pushes, and returns it.
    @discardableResult package func wait(_ change: Int) -> Int {
        state.withLock { state in
            state.counts.waiting += change
            return state.counts.waiting
        }
    }

    /// Returns the record of a push; `nil` if it was not forwarded, is still waiting, or is no longer kept.
    package subscript(push: UInt64) -> ForwardRecord? {
        state.withLock { $0.records[push] ?? ($0.hasDropped(push) ? Self.dropped : nil) }
    }

    /// Keeps the numbers of imported pushes from now on, so that they are not forwarded.
    package func watchImports() { state.withLock { $0.adopted = [] } }

    /// The numbers of imported pushes, and of what happened to them.
    package var imports: [ClosedRange<UInt64>] { state.withLock { $0.adopted ?? [] } }

    /// Forgets the imports up to a number, which was read.
    package func forgetImports(upTo last: UInt64) {
        state.withLock { state in state.adopted?.removeAll { $0.upperBound <= last } }
    }

    func adopted(_ seqs: [UInt64]) {
        guard let first = seqs.first, let last = seqs.last else { return }
        state.withLock { $0.adopted?.append(first...last) }
    }

    func add(_ added: [(push: UInt64, record: ForwardRecord)], epoch: UInt64) {
        state.withLock { state in
            for (push, record) in added {
                switch record.outcome {
                case .same: state.counts.answered &+= 1
                case .differs:
                    state.counts.answered &+= 1
                    state.counts.differing &+= 1
                case .failed: state.counts.failed &+= 1
                case .dropped: break
                }
                // After a reset, late answers are only counted.
                guard epoch >= state.epoch else { continue }
                state.begin(epoch)
                if state.order.count == Self.capacity, let oldest = state.order.popFirst() {
                    state.records[oldest] = nil
                }
                if state.records.updateValue(record, forKey: push) == nil { state.order.append(push) }
            }
        }
    }

    /// Counts pushes that were not sent, each the only one of its range; they take no place of records.
    func drop(_ pushes: [ClosedRange<UInt64>], epoch: UInt64) {
        state.withLock { state in
            state.counts.dropped &+= UInt64(pushes.count)
            guard epoch >= state.epoch else { return }
            state.begin(epoch)
            for push in pushes { state.drop(push) }
        }
    }

    func reset(to epoch: UInt64) { state.withLock { $0.begin(epoch) } }
}
