internal import DequeModule
package import MockAPNsRules

/// The clients that wait for what another push service answers to their pushes.
package final class ForwardAnswers: Sendable {
    /// Which pushes are forwarded, judged when the mock has its own response.
    package typealias Filter = @Sendable (borrowing RequestView, RecordHead) -> Bool

    /// Where a client waits: on a stream of a connection.
    private struct Place: Hashable {
        let connection: UInt64
        let stream: Int32
    }

    private struct State {
        var waiting: [Place: @Sendable (ForwardRecord?) -> Void] = [:]
        /// When the time of each is over, in order, with those that have their answer.
        var ends: Deque<(time: ContinuousClock.Instant, place: Place)> = []
        var isOver = false

        /// Forgets those whose time is over, and where those waited that have their answer.
        mutating func tidy(at now: ContinuousClock.Instant) {
            while let end = ends.first, end.time <= now || waiting[end.place] == nil {
                waiting[end.place] = nil
                ends.removeFirst()
            }
            // One that waits long must not keep all later ones.
            guard ends.count >= 2 * ForwardAnswers.capacity else { return }
            let waiting = waiting
            ends.removeAll { waiting[$0.place] == nil }
        }
    }

    /// The maximum number of clients that wait; further ones get the mock's response at once.
    package static let capacity = 20_000

    /// How long a client waits; then it gets the mock's response.
    package let limit: Duration
    /// Which pushes wait.
    package let includes: Filter
    private let state = Locked(State())

    package init(upTo limit: Duration = .seconds(10), for includes: @escaping Filter) {
        (self.limit, self.includes) = (limit, includes)
    }

    /// The number of clients that wait.
    package var count: Int { state.withLock { $0.waiting.count } }

    /// Calls `use` once with what became of a push, from any thread, if that is known in time.
    ///
    /// It gets `nil` for the mock's own response. Returns `false` if the client should not wait.
    package func wait(connection: UInt64, stream: Int32, _ use: @escaping @Sendable (ForwardRecord?) -> Void) -> Bool {
        let (now, place) = (ContinuousClock.now, Place(connection: connection, stream: stream))
        return state.withLock { state in
            state.tidy(at: now)
            guard !state.isOver, state.waiting.count < Self.capacity else { return false }
            state.waiting[place] = use
            state.ends.append((now + limit, place))
            return true
        }
    }

    /// Answers the client of a push with a response of the other service, or with the mock's own.
    package func give(_ record: ForwardRecord?, connection: UInt64, stream: Int32) {
        let place = Place(connection: connection, stream: stream)
        let use = state.withLock { $0.waiting.removeValue(forKey: place) }
        use?(record?.status == nil ? nil : record)
    }

    /// Answers all clients with the mock's own response, from now on at once.
    package func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            state.ends.removeAll()
            return exchange(&state.waiting, with: [:])
        }
        for use in waiting.values { use(nil) }
    }
}
