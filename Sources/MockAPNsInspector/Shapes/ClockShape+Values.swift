internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<ClockShape> {
    /// The clock of a world.
    init(_ world: World) {
        let reading = world.clock.read()
        // While the clock runs, its offset to the system's clock does not change.
        let (mode, offset) =
            switch world.clock.mode {
            case .running(let offset): (ClockShape.Mode.real, offset)
            case .stopped: (ClockShape.Mode.frozen, reading.world.microseconds(since: reading.system))
            }
        self.init()
        self.mode = mode.rawValue
        self.nextDue = world.nextDue?.rfc3339
        self.now = reading.world.rfc3339
        self.offsetSeconds = Double(offset) / 1_000_000
    }
}
