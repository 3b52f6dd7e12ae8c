internal import MockAPNs
internal import MockAPNsVerifying
internal import NIOConcurrencyHelpers

/// The streams that are open, so that a server that stops can end them.
final class OpenStreams: Sendable {
    private struct State {
        var stops: [ObjectIdentifier: (stop: StopSignal, namespace: Namespace?)] = [:]
        var isStopping = false
    }

    private let state = NIOLockedValueBox(State())

    /// A stream begins, about a namespace perhaps; it has to end when what is returned says so.
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

    /// The stream is over.
    func end(_ stop: StopSignal) {
        state.withLockedValue { $0.stops[ObjectIdentifier(stop)] = nil }
    }

    /// A namespace has been removed: the streams about it are asked to end.
    func stopAll(of namespace: Namespace) {
        let stops = state.withLockedValue { state in state.stops.values.filter { $0.namespace === namespace }
        }
        for entry in stops { entry.stop.ask(.namespaceGone) }
    }

    /// The server stops: every stream is asked to end, also one that is still to begin.
    func stopAll() {
        let stops = state.withLockedValue { state in
            state.isStopping = true
            return Array(state.stops.values)
        }
        for entry in stops { entry.stop.ask(.shutdown) }
    }
}
