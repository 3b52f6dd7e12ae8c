internal import Synchronization

/// The streams that are open, so that a server that stops can end them.
final class OpenStreams: Sendable {
    private struct State {
        var stops: [ObjectIdentifier: StreamStop] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())

    /// A stream begins; it has to end when what is returned says so.
    func begin() -> StreamStop {
        let stop = StreamStop()
        let isStopping = state.withLock { state in
            state.stops[ObjectIdentifier(stop)] = stop
            return state.isStopping
        }
        if isStopping { stop.ask(.shutdown) }
        return stop
    }

    /// The stream is over.
    func end(_ stop: StreamStop) {
        state.withLock { $0.stops[ObjectIdentifier(stop)] = nil }
    }

    /// The server stops: every stream is asked to end, also one that is still to begin.
    func stopAll() {
        let stops = state.withLock { state in
            state.isStopping = true
            return Array(state.stops.values)
        }
        for stop in stops { stop.ask(.shutdown) }
    }
}
