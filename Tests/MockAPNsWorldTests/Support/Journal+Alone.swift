import MockAPNsRules

@testable import MockAPNsWorld

extension Journal {
    /// A journal whose world nobody looks at.
    convenience init(capacity: Capacity = Capacity()) {
        self.init(
            core: WorldCore(ruleset: Ruleset(), journal: capacity, devices: Devices.Options(), seed: 1),
            capacity: capacity
        )
    }

    /// Publishes a batch while both clocks show the same.
    func publish(_ batch: RecordBatch, at now: Timestamp) {
        publish(batch, at: WorldClock.Reading(system: now, world: now))
    }
}
