/// The number of values within each of several bounds, and their sum, in integers to make counting cheap.
public struct Histogram: Sendable, Equatable {
    /// The upper bounds in ascending order, inclusive.
    public let bounds: ContiguousArray<Int64>
    /// The number of values between each bound and the previous one; the last is for values above all bounds.
    public private(set) var counts: ContiguousArray<UInt64>
    /// The sum of the values.
    public private(set) var sum: Int64 = 0

    init(bounds: ContiguousArray<Int64>) {
        self.bounds = bounds
        counts = ContiguousArray(repeating: 0, count: bounds.count + 1)
    }

    /// The number of values.
    public var count: UInt64 { counts.reduce(0, +) }

    /// Adds the values of another histogram with the same bounds.
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
