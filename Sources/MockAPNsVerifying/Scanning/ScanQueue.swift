internal import NIOConcurrencyHelpers
internal import NIOCore

/// The requests that search pushes: a few at the same time, the others one after the other.
package final class ScanQueue: Sendable {
    private struct Waiting {
        let place: CheckedContinuation<Bool, Never>
        let isRefusable: Bool
    }

    private struct State {
        var running = 0
        var waiting = CircularBuffer<Waiting>()
        /// Those among them that could have been refused.
        var newcomers = 0
    }

    /// The limits of all searches.
    package let limits: SearchLimits
    private let state = NIOLockedValueBox(State())

    package init(_ limits: SearchLimits = SearchLimits()) { self.limits = limits }

    /// How many requests wait for others.
    package var waitingCount: Int { state.withLockedValue { $0.waiting.count } }

    /// Waits until this request may search; `leave` has to follow.
    ///
    /// - Parameter isRefusable: whether the queue may be too long for this request; not for one that has searched before.
    /// - Returns: whether the request may search; `false` when the queue is too long.
    func enter(isRefusable: Bool = true) async -> Bool {
        await withCheckedContinuation { place in
            let isAdmitted: Bool? = state.withLockedValue { state in
                if state.running < limits.running {
                    state.running += 1
                    return true
                }
                if isRefusable {
                    if state.newcomers >= limits.waiting { return false }
                    state.newcomers += 1
                }
                state.waiting.append(Waiting(place: place, isRefusable: isRefusable))
                return nil
            }
            if let isAdmitted { place.resume(returning: isAdmitted) }
        }
    }

    /// The request has finished its search.
    func leave() {
        let next = state.withLockedValue { state in
            let next = state.waiting.popFirst()
            switch next?.isRefusable {
            case true?: state.newcomers -= 1
            case false?: break
            // Otherwise the place goes to the next request, and the count stays.
            case nil: state.running -= 1
            }
            return next
        }
        next?.place.resume(returning: true)
    }
}
