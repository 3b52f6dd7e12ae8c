internal import NIOConcurrencyHelpers
internal import NIOCore

/// Limits how many requests search pushes at the same time; the others wait in order.
package final class ScanQueue: Sendable {
    private struct Waiting {
        let place: CheckedContinuation<Bool, Never>
        let isRefusable: Bool
    }

    private struct State {
        var running = 0
        var waiting = CircularBuffer<Waiting>()
    }

    package let limits: SearchLimits
    private let state = NIOLockedValueBox(State())

    package init(_ limits: SearchLimits = SearchLimits()) { self.limits = limits }

    package var waitingCount: Int { state.withLockedValue { $0.waiting.count } }

    /// Waits until this request may search, or returns `false` if the queue is too long.
    ///
    /// After `true`, `leave` must be called. A request that has searched before is not refusable.
    func enter(isRefusable: Bool = true) async -> Bool {
        await withCheckedContinuation { place in
            let isAdmitted: Bool? = state.withLockedValue { state in
                if state.running < limits.running {
                    state.running += 1
                    return true
                }
                if isRefusable, state.waiting.count(where: \.isRefusable) >= limits.waiting { return false }
                state.waiting.append(Waiting(place: place, isRefusable: isRefusable))
                return nil
            }
            if let isAdmitted { place.resume(returning: isAdmitted) }
        }
    }

    func leave() {
        let next = state.withLockedValue { state in
            let next = state.waiting.popFirst()
            // Otherwise the next request takes over this one's place.
            if next == nil { state.running -= 1 }
            return next
        }
        next?.place.resume(returning: true)
    }
}
