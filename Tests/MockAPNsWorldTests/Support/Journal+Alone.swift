import MockAPNsRules

@testable import MockAPNsWorld

extension Journal {
    /// A journal whose world nobody looks at.
    init(capacity: Capacity = Capacity()) {
        do { self = try World(ruleset: Ruleset(), journalCapacity: capacity, seed: 1).journal } catch {
            preconditionFailure("a world without devices is possible: \(error)")
        }
    }

    /// Publishes a batch while both clocks show the same.
    func publish(_ batch: RecordBatch, at now: Timestamp) {
        publish(batch, at: WorldClock.Reading(system: now, world: now))
    }
}
