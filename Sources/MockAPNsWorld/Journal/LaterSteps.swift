/// The steps that notifications took after the one that was taken with their answer, in the order of their numbers.
///
/// Only for readers of the event stream: the steps of one push are kept with the push.
struct LaterSteps {
    /// A step, and the push that it is of.
    struct Step {
        let number: UInt64
        let seq: UInt64
        let event: DeliveryEvent
    }

    private var steps: ContiguousArray<Step> = []
    private let capacity: Int

    /// - Parameter records: how many pushes there may be.
    init(records: Int) { capacity = max(1_024, min(records, 1_000_000) * 4) }

    var count: Int { steps.count }

    subscript(position: Int) -> Step { steps[position] }

    /// Notes a step, which must have the highest number.
    ///
    /// - Returns: the highest number that was forgotten to make room, if any.
    mutating func note(_ event: DeliveryEvent, number: UInt64, of seq: UInt64) -> UInt64? {
        steps.append(Step(number: number, seq: seq, event: event))
        guard steps.count > capacity else { return nil }
        let forgotten = steps[capacity / 4 - 1].number
        steps.removeFirst(capacity / 4)
        return forgotten
    }

    mutating func removeAll() { steps = [] }

    /// The position of the first step with a larger number.
    func position(after number: UInt64) -> Int { steps.partitioningIndex { $0.number > number } }
}
