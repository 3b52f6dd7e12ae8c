internal import NIOConcurrencyHelpers
internal import NIOCore

/// The requests that search pushes: a few at the same time, the others one after the other.
final class ScanQueue: Sendable {
    private struct State {
        var running = 0
        var waiting = CircularBuffer<CheckedContinuation<Bool, Never>>()
    }

    let limits: ScanLimits
    private let state = NIOLockedValueBox(State())

    init(_ limits: ScanLimits = ScanLimits()) { self.limits = limits }

    /// How many requests wait for others.
    var waitingCount: Int { state.withLockedValue { $0.waiting.count } }

    /// Waits until this request may search; `leave` has to follow.
    ///
    /// - Parameter isRefusable: whether the queue may be too long for this request.
    /// - Returns: whether the request may search; `false` when the queue is too long.
    func enter(isRefusable: Bool = true) async -> Bool {
        await withCheckedContinuation { place in
            let isAdmitted: Bool? = state.withLockedValue { state in
                if state.running < limits.running {
                    state.running += 1
                    return true
                }
                if isRefusable, state.waiting.count >= limits.waiting { return false }
                state.waiting.append(place)
                return nil
            }
            if let isAdmitted { place.resume(returning: isAdmitted) }
        }
    }

    /// The request has finished its search.
    func leave() {
        let next = state.withLockedValue { state in
            let next = state.waiting.popFirst()
            // The place goes to the next request, so the count stays.
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume(returning: true)
    }
}
