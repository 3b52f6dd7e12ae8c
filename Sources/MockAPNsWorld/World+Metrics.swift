extension World {
    /// What has been counted since the start.
    public var tally: Tally {
        core.withState { state, _ in
            var tally = state.log.tally
            tally.faults = state.faults.tally.counts
            return tally
        }
    }

    /// How much there is now, of what one may want to watch.
    public var gauges: (stored: Int, connections: Int) {
        core.withState { state, _ in (state.devices.stored.count, state.log.connections.openCount) }
    }

    /// A GOAWAY has been sent to a provider, on the connection of this number.
    public func noteGoAway(code: UInt32, on connection: UInt64) {
        core.withState { state, _ in
            state.log.tally.noteGoAway(code: code)
            state.log.connections.noteGoAway(code: code, on: connection)
        }
    }
}
