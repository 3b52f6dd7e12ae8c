internal import NIOConcurrencyHelpers

/// Which listeners are bound, and whether the server is stopping, for `/readyz`.
final class Readiness: Sendable {
    struct State: Sendable {
        var listeners: [(name: String, isBound: Bool)]
        var isStopping = false

        var isReady: Bool { !isStopping && listeners.allSatisfy(\.isBound) }
    }

    private let current: NIOLockedValueBox<State>

    init(awaiting names: [String]) {
        current = NIOLockedValueBox(State(listeners: names.map { ($0, false) }))
    }

    var state: State { current.withLockedValue { $0 } }

    /// The listeners of these names are bound; unknown ones are added.
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

    func markAllBound() { markBound(state.listeners.map(\.name)) }

    func markStopping() { current.withLockedValue { $0.isStopping = true } }
}
