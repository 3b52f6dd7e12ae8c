public import MockAPNsRules

/// What a world has counted since its start: no reset takes anything away.
///
/// Counted under the world's lock, in arrays: nothing is looked up by name, and nothing allocated.
public struct Tally: Sendable {
    /// Pushes of one kind.
    public struct Pushes: Sendable {
        /// The push type of the header; `none` for a push without one, `other` for an unknown one.
        public let pushType: String
        /// Why they were refused; `nil` where no rule refused them.
        public let reason: Reason?
        /// Whether they were accepted.
        public let isAccepted: Bool
        /// How many there were.
        public let count: UInt64
    }

    // What a push's row and column in the table are.
    private static let types = PushType.allCases.map(\.name) + ["none", "other"]
    private static let noType = PushType.allCases.count
    private static let otherType = noType + 1
    private static let reasons = Reason.allCases
    private static let accepted = reasons.count
    private static let withoutReason = accepted + 1
    private static let columns = withoutReason + 1

    private var table = ContiguousArray<UInt64>(repeating: 0, count: types.count * columns)
    private var steps = ContiguousArray<UInt64>(repeating: 0, count: DeliveryEvent.allCases.count)
    /// Pushes that the journal dropped to make room.
    public internal(set) var evicted: UInt64 = 0
    /// From the end of a request to its answer, in microseconds.
    public private(set) var duration = Histogram(
        bounds: [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000]
    )
    /// The bodies of pushes, in bytes.
    public private(set) var payload = Histogram(bounds: [64, 128, 256, 512, 1_024, 2_048, 4_096, 5_120])
    /// Connections opened.
    public internal(set) var connections: UInt64 = 0
    /// TLS handshakes that led to a connection.
    public internal(set) var handshakes: UInt64 = 0
    /// TLS handshakes that did not.
    public internal(set) var failedHandshakes: UInt64 = 0
    /// Connections closed because there were too many.
    public internal(set) var refusedConnections: UInt64 = 0
    /// GOAWAY frames sent, by their code; codes that HTTP/2 does not have are counted as the last.
    public private(set) var goAways = ContiguousArray<UInt64>(repeating: 0, count: 15)

    /// How often faults fired, by the place of their action among `FaultAction.names`.
    public internal(set) var faults = ContiguousArray<UInt64>(repeating: 0, count: FaultAction.names.count)

    /// Nothing counted yet.
    public init() {}

    // MARK: Counting

    mutating func note(_ record: RecordView) {
        // Where it lies: a head is too large to be copied for each push.
        let head = record.headPointer
        let type = record.withRequest { request in
            guard let text = request[.apnsPushType] else { return Self.noType }
            return PushType(text).map { Int($0.rawValue) } ?? Self.otherType
        }
        let reason = Int(head.pointee.reason)
        let column =
            head.pointee.status == 200
            ? Self.accepted : reason < Self.accepted ? reason : Self.withoutReason
        table[type * Self.columns + column] &+= 1
        duration.note(max(0, head.pointee.answeredAt - head.pointee.receivedAt))
        payload.note(Int64(head.pointee.bodyLength))
    }

    mutating func note(_ event: DeliveryEvent) { steps[Int(event.rawValue)] &+= 1 }

    mutating func noteGoAway(code: UInt32) { goAways[min(Int(code), goAways.count - 1)] &+= 1 }

    /// Adds what another world has counted.
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

    // MARK: Reading

    /// The pushes that there were, by what they were and what became of them.
    public var pushes: [Pushes] {
        table.indices.filter { table[$0] > 0 }.map { index in
            let (type, column) = index.quotientAndRemainder(dividingBy: Self.columns)
            return Pushes(
                pushType: Self.types[type],
                reason: column < Self.accepted ? Self.reasons[column] : nil,
                isAccepted: column == Self.accepted,
                count: table[index]
            )
        }
    }

    /// How often a notification came into each state.
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
