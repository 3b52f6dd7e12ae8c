internal import NIOConcurrencyHelpers

/// Which listeners are bound, and whether the server is going down: what `/readyz` tells.
final class Readiness: Sendable {
    /// What is known at one moment.
    struct State: Sendable {
        /// The names of the listeners, each with whether it is bound, in the order in which they were named.
        var listeners: [(name: String, isBound: Bool)]
        var isStopping = false

        var isReady: Bool { !isStopping && listeners.allSatisfy(\.isBound) }
    }

    private let current: NIOLockedValueBox<State>

    /// Waits for every listener named.
    init(awaiting names: [String]) {
        current = NIOLockedValueBox(State(listeners: names.map { ($0, false) }))
    }

    var state: State { current.withLockedValue { $0 } }

    /// The listeners of these names are bound; one that was not waited for is listed from now on.
    func markBound(_ names: [String]) {
        current.withLockedValue { state in
            for name in names {
                if let position = state.listeners.firstIndex(where: { $0.name == name }) {
                    state.listeners[position].isBound = true
                } else {
                    state.listeners.append((name, true))
                }
            }
        }
    }

    /// Every listener that is waited for is bound.
    func markAllBound() { markBound(state.listeners.map(\.name)) }

    /// The server is going down, and never ready again.
    func markStopping() { current.withLockedValue { $0.isStopping = true } }
}
