extension World {
    /// The counts since startup.
    public var tally: Tally {
        core.withState { state, _ in
            var tally = state.log.tally
            tally.faults = state.faults.tally.counts
            return tally
        }
    }

    /// The current number of stored notifications and open connections.
    public var gauges: (stored: Int, connections: Int) {
        core.withState { state, _ in (state.devices.stored.count, state.log.connections.openCount) }
    }

    /// Records that a GOAWAY was sent on a provider's connection.
    public func noteGoAway(code: UInt32, on connection: UInt64) {
        core.withState { state, _ in
            state.log.tally.noteGoAway(code: code)
            state.log.connections.noteGoAway(code: code, on: connection)
        }
    }
}
