public import MockAPNsRules

/// The counts of a world since startup, which a reset does not change.
///
/// Counted under the world's lock, in arrays: counting needs no lookups by name and no allocations.
public struct Tally: Sendable {
    // The rows and columns of the table of pushes.
    private static let types = PushType.allCases.map(\.name) + ["none", "other"]
    private static let noType = PushType.allCases.count
    private static let otherType = noType + 1
    private static let reasons = Reason.allCases
    private static let accepted = reasons.count
    private static let withoutReason = accepted + 1
    private static let columns = withoutReason + 1

    private var table = ContiguousArray<UInt64>(repeating: 0, count: types.count * columns)
    private var steps = ContiguousArray<UInt64>(repeating: 0, count: DeliveryEvent.allCases.count)
    /// The evicted pushes.
    public internal(set) var evicted: UInt64 = 0
    /// The times from the end of a request to its response, in microseconds.
    public private(set) var duration = Histogram(bounds: [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    ])
    /// The sizes of bodies, in bytes.
    public private(set) var payload = Histogram(bounds: [64, 128, 256, 512, 1_024, 2_048, 4_096, 5_120])
    /// The opened connections.
    public internal(set) var connections: UInt64 = 0
    /// The successful TLS handshakes.
    public internal(set) var handshakes: UInt64 = 0
    /// The failed TLS handshakes.
    public internal(set) var failedHandshakes: UInt64 = 0
    /// The connections closed because there were too many.
    public internal(set) var refusedConnections: UInt64 = 0
    /// The GOAWAY frames sent, by code; codes that HTTP/2 does not define are counted as the last.
    public private(set) var goAways = ContiguousArray<UInt64>(repeating: 0, count: 15)

    /// How often faults fired, by the index of their action in `FaultAction.names`.
    public internal(set) var faults = noFaults
    static let noFaults = ContiguousArray<UInt64>(repeating: 0, count: FaultAction.names.count)

    /// Creates counts of 0.
    public init() {}

    mutating func note(_ record: RecordView, answeredAt time: Timestamp) {
        let type = record.withRequest { request in
            guard let text = request[.apnsPushType] else { return Self.noType }
            return PushType(text).map { Int($0.rawValue) } ?? Self.otherType
        }
        let reason = record.head.verdict.reason.map { Int($0.rawValue) }
        let column = record.head.isAccepted ? Self.accepted : reason ?? Self.withoutReason
        table[type * Self.columns + column] &+= 1
        duration.note(max(0, time.microseconds(since: record.head.receivedAt)))
        payload.note(Int64(record.head.bodyLength))
    }

    mutating func note(_ event: DeliveryEvent, times: UInt64 = 1) { steps[Int(event.rawValue)] &+= times }

    mutating func noteGoAway(code: UInt32) { goAways[min(Int(code), goAways.count - 1)] &+= 1 }

    /// Adds the counts of another world.
    public mutating func add(_ other: Tally) {
        for place in table.indices { table[place] &+= other.table[place] }
        for place in steps.indices { steps[place] &+= other.steps[place] }
        for place in goAways.indices { goAways[place] &+= other.goAways[place] }
        for place in faults.indices { faults[place] &+= other.faults[place] }
        evicted &+= other.evicted
        connections &+= other.connections
        handshakes &+= other.handshakes
        failedHandshakes &+= other.failedHandshakes
        refusedConnections &+= other.refusedConnections
        duration.add(other.duration)
        payload.add(other.payload)
    }

    /// The pushes by type, reason and outcome.
    ///
    /// The type is that in the header, `none` without the header, or `other` for an unknown type. There is no reason
    /// if no rule rejected them.
    public var pushes: [(pushType: String, reason: Reason?, isAccepted: Bool, count: UInt64)] {
        table.indices.filter { table[$0] > 0 }.map { index in
            let (type, column) = index.quotientAndRemainder(dividingBy: Self.columns)
            let reason = column < Self.accepted ? Self.reasons[column] : nil
            return (Self.types[type], reason, column == Self.accepted, table[index])
        }
    }

    /// The number of notifications that entered each state.
    public var deliveries: [(state: String, count: UInt64)] {
        var states: [(state: String, count: UInt64)] = []
        for event in DeliveryEvent.allCases {
            guard let state = event.row.state?.description else { continue }
            let count = steps[Int(event.rawValue)]
            if let known = states.firstIndex(where: { $0.state == state }) {
                states[known].count += count
            } else {
                states.append((state, count))
            }
        }
        return states
    }
}

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
