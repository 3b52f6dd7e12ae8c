/// The steps of notifications after the time of the response, in the order of their numbers.
///
/// Used only for event streams: the steps of a push are also kept with the push.
struct LaterSteps {
    /// A step and its push.
    struct Step {
        let number: UInt64
        let seq: UInt64
        let event: DeliveryEvent
    }

    private var steps: ContiguousArray<Step> = []
    private let capacity: Int

    /// - Parameter records: The maximum number of pushes.
    init(records: Int) { capacity = max(1_024, min(records, 1_000_000) * 4) }

    var count: Int { steps.count }

    subscript(position: Int) -> Step { steps[position] }

    /// Adds a step, which must have the highest number.
    ///
    /// - Returns: The highest number that was evicted, if any.
    mutating func note(_ event: DeliveryEvent, number: UInt64, of seq: UInt64) -> UInt64? {
        steps.append(Step(number: number, seq: seq, event: event))
        guard steps.count > capacity else { return nil }
        let forgotten = steps[capacity / 4 - 1].number
        steps.removeFirst(capacity / 4)
        return forgotten
    }

    mutating func removeAll() { steps = [] }

    /// Returns the position of the first step with a larger number.
    func position(after number: UInt64) -> Int { steps.partitioningIndex { $0.number > number } }
}
