internal import MockAPNs
internal import MockAPNsVerifying
internal import NIOConcurrencyHelpers

/// The open streams, so that a stopping server can end them.
final class OpenStreams: Sendable {
    private struct State {
        var stops: [ObjectIdentifier: (stop: StopSignal, namespace: Namespace?)] = [:]
        var isStopping = false
    }

    private let state = NIOLockedValueBox(State())

    /// Adds a stream, which must end when the signal says so.
    func begin(of namespace: Namespace? = nil) -> StopSignal {
        let stop = StopSignal()
        let isStopping = state.withLockedValue { state in
            state.stops[ObjectIdentifier(stop)] = (stop, namespace)
            return state.isStopping
        }
        if isStopping { stop.ask(.shutdown) }
        if namespace?.isRemoved == true { stop.ask(.namespaceGone) }
        return stop
    }

    func end(_ stop: StopSignal) { state.withLockedValue { $0.stops[ObjectIdentifier(stop)] = nil } }

    /// Ends the streams of a namespace that was removed.
    func stopAll(of namespace: Namespace) {
        let entries = state.withLockedValue { $0.stops.values.filter { $0.namespace === namespace } }
        for entry in entries { entry.stop.ask(.namespaceGone) }
    }

    /// Ends every stream, including those that begin later.
    func stopAll() {
        let stops = state.withLockedValue { state in
            state.isStopping = true
            return Array(state.stops.values)
        }
        for entry in stops { entry.stop.ask(.shutdown) }
    }
}
