/// How many values lie below each of a few bounds, and their sum: whole numbers, so that counting costs next to
/// nothing.
public struct Histogram: Sendable, Equatable {
    /// The upper bounds, smallest first; a value that is equal to one is within it.
    public let bounds: ContiguousArray<Int64>
    /// How many values lie between a bound and the one before it; the last are above all bounds.
    public private(set) var counts: ContiguousArray<UInt64>
    /// The values together.
    public private(set) var sum: Int64 = 0

    /// Without values yet.
    init(bounds: ContiguousArray<Int64>) {
        self.bounds = bounds
        counts = ContiguousArray(repeating: 0, count: bounds.count + 1)
    }

    /// How many values there are.
    public var count: UInt64 { counts.reduce(0, +) }

    /// Adds the values of another, which has the same bounds.
    mutating func add(_ other: Histogram) {
        for place in counts.indices { counts[place] &+= other.counts[place] }
        sum &+= other.sum
    }

    mutating func note(_ value: Int64) {
        var place = 0
        while place < bounds.count, value > bounds[place] { place += 1 }
        counts[place] &+= 1
        sum &+= value
    }
}
