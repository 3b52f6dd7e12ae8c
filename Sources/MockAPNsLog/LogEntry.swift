internal import MockAPNsRules
package import MockAPNsWorld

/// A stored change of a world, with its effects on the journal.
package struct LogEntry: Equatable, Sendable {
    /// The position in the log: 1 for the first entry, then without gaps.
    package var position: UInt64
    /// When the change was applied, in microseconds of the system clock and of the world's clock.
    package var system: Int64
    package var world: Int64
    /// The kind of the change, such as `put-devices`.
    package var kind: String
    /// The encoded change, without its pushes.
    package var data: [UInt8]
    /// The pushes that the change added to the journal, in ascending order.
    ///
    /// For an applied change, each access creates the values again; `visitRows` reads them in place.
    package var pushes: [KeptPush] {
        get { added.pushes }
        set { added = .made(newValue) }
    }
    private var added = AddedPushes.made([])
    /// The later notification steps that the change caused, in ascending order.
    package var steps: [LoggedStep] = []
    /// The numbers of the pushes that the change deleted.
    package var removed: [UInt64] = []
    /// The highest push number that a reset cleared from the journal; `nil` if the change was not a reset.
    package var clearedUpTo: UInt64?
    /// The encoded outcomes of broadcasts, with the numbers of their pushes.
    package var fanOuts: [FanOut] = []

    /// The encoded outcome of a broadcast.
    package struct FanOut: Equatable, Sendable {
        package var push: UInt64
        package var data: [UInt8]

        package init(push: UInt64, data: [UInt8]) {
            self.push = push
            self.data = data
        }
    }

    /// The number of pushes.
    package var pushCount: Int { added.count }

    /// The numbers of the first and the last push; `nil` if there is none.
    package var pushNumbers: ClosedRange<UInt64>? { added.numbers }

    /// Calls `use` with each push as a row, in ascending order.
    ///
    /// With `shared`, header fields may share a text.
    package func visitRows<Failure>(
        sharing shared: inout SharedHeaders?, _ use: (borrowing PushRow) throws(Failure) -> Void
    ) throws(Failure) {
        switch added {
        case .made(let pushes): for push in pushes { try push.withRow(sharing: &shared, use) }
        case .applied(let change, _):
            var failure: Failure?
            change.visitRows(at: position, sharing: &shared) { row in
                guard failure == nil else { return }
                do throws(Failure) { try use(row) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Calls `use` with each push as a row with all of its header fields, in ascending order.
    package func visitRows<Failure>(_ use: (borrowing PushRow) throws(Failure) -> Void) throws(Failure) {
        var none: SharedHeaders?
        try visitRows(sharing: &none, use)
    }

    package init(position: UInt64, system: Int64, world: Int64, kind: String, data: [UInt8]) {
        self.position = position
        self.system = system
        self.world = world
        self.kind = kind
        self.data = data
    }
}

/// The state of a world after the change at a position, without the pushes of its journal.
package struct LogSnapshot: Equatable, Sendable {
    /// The position; 0 before the first change.
    package var position: UInt64
    /// The encoded state.
    package var data: [UInt8]
    /// The SHA-256 of the state and the journal, as hex.
    package var digest: String
    /// The number of the oldest push in the journal, or of the next event if the journal is empty.
    ///
    /// A store keeps the pushes from this number on.
    package var firstPush: UInt64

    package init(position: UInt64, data: [UInt8], digest: String, firstPush: UInt64) {
        self.position = position
        self.data = data
        self.digest = digest
        self.firstPush = firstPush
    }
}

extension LogEntry {
    init(_ change: AppliedChange, at position: UInt64) {
        self.init(
            position: position, system: change.time.system.microseconds, world: change.time.world.microseconds,
            kind: change.kind, data: change.data)
        added = .applied(change, position)
        steps = change.steps
        removed = change.removed
        clearedUpTo = change.clearedUpTo
        fanOuts = change.fanOutData.map { FanOut(push: $0.push, data: $0.data) }
    }
}

/// The pushes of an entry: as values, or in the records of the change that added them.
private enum AddedPushes: Equatable, Sendable {
    case made([KeptPush])
    case applied(AppliedChange, _ position: UInt64)

    var pushes: [KeptPush] {
        switch self {
        case .made(let pushes): pushes
        case .applied(let change, let position): change.pushes(at: position)
        }
    }

    var count: Int {
        switch self {
        case .made(let pushes): pushes.count
        case .applied(let change, _): change.pushCount
        }
    }

    var numbers: ClosedRange<UInt64>? {
        switch self {
        case .made(let pushes): pushes.first.map { $0.seq...max($0.seq, pushes.last?.seq ?? 0) }
        case .applied(let change, _): change.pushNumbers
        }
    }

    static func == (first: Self, second: Self) -> Bool { first.pushes == second.pushes }
}
