internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Counts the pushes that a query finds, looking at each only once where it can.
final class PushCounter: Sendable {
    private struct State {
        var seen: UInt64
        var count = 0
        var epoch: UInt64 = 0
    }

    private let journal: Journal
    private let query: PushQuery
    private let mayChange: Bool
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - journal: where the pushes are.
    ///   - query: what is counted; its order and limit do not matter.
    ///   - mayChange: whether a push that was looked at has to be looked at again.
    init(_ journal: Journal, _ query: PushQuery, mayChange: Bool) {
        self.journal = journal
        self.query = query
        self.mayChange = mayChange
        state = NIOLockedValueBox(State(seen: query.after))
    }

    /// How many there are now.
    func count() -> Int {
        state.withLockedValue { state in
            var query = query
            if mayChange { state.count = 0 } else { query.after = state.seen }
            var found = 0
            let extent = journal.visit(query) { _, _ in
                found += 1
                return true
            }
            if extent.epoch != state.epoch {
                // A reset has put away what was counted before.
                if state.epoch != 0 { state.count = 0 }
                state.epoch = extent.epoch
            }
            state.count += found
            state.seen = max(state.seen, extent.lastSeq)
            return state.count
        }
    }
}
