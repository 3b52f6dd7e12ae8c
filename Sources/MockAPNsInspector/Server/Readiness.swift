internal import NIOConcurrencyHelpers

/// Which listeners are bound, and whether the server is stopping, for `/readyz`.
package final class Readiness: Sendable {
    struct State: Sendable {
        var listeners: [(name: String, isBound: Bool)]
        var isStopping = false

        var isReady: Bool { !isStopping && listeners.allSatisfy(\.isBound) }
    }

    private let current: NIOLockedValueBox<State>

    init(awaiting names: [String]) { current = NIOLockedValueBox(State(listeners: names.map { ($0, false) })) }

    var state: State { current.withLockedValue { $0 } }

    /// Listeners, by URL or name, are bound; unknown ones are added, and `nil` means all.
    package func markBound(_ names: [String]? = nil) {
        current.withLockedValue { state in
            for name in names ?? state.listeners.map(\.name) {
                if let position = state.listeners.firstIndex(where: { $0.name == name }) {
                    state.listeners[position].isBound = true
                } else {
                    state.listeners.append((name, true))
                }
            }
        }
    }

    package func markStopping() { current.withLockedValue { $0.isStopping = true } }
}
