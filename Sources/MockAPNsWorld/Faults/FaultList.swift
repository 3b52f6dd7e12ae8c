internal import MockAPNsFormats

/// The faults of a world, in order; numbers new ones, and seeds their random numbers.
struct FaultList {
    /// The maximum number of faults; every push examines all of them.
    static let capacity = 1_000

    var rules: [FaultRule] = [] { didSet { isChanged = true } }
    var isChanged = false
    /// Counts how often faults fire, by action.
    private var tally: Locked<ContiguousArray<UInt64>>
    private let seed: UInt64
    private var lastNumber: UInt32 = 0
    /// Counts the faults created since startup or a reset, so that a test gets the same draws after a reset.
    private var lastStream: UInt64 = 0

    init(seed: UInt64, tally: Locked<ContiguousArray<UInt64>>) {
        self.seed = seed
        self.tally = tally
    }

    var all: [Fault] { rules.enumerated().map { $1.snapshot(position: $0 + 1) } }

    /// Lets the faults count how often they fire in another tally.
    mutating func count(in tally: Locked<ContiguousArray<UInt64>>) {
        self.tally = tally
        rules = rules.map { FaultRule(id: $0.id, draft: $0.draft, counters: $0.counters, tally: tally) }
    }

    var nextCounters: FaultCounters { FaultCounters(seed: seed, stream: lastStream + 1) }

    func position(of id: FaultID) -> Int? { rules.firstIndex { $0.id == id } }

    func place(of id: FaultID) throws(FaultError) -> Int {
        guard let position = position(of: id) else { throw FaultError(.unknownFault, "there is no such fault") }
        return position
    }

    func rule(_ id: FaultID) -> FaultRule? { rules.first { $0.id == id } }

    func note(_ id: FaultID, firedFor seq: UInt64) { rule(id)?.note(firedFor: seq) }

    /// Returns the counters of the faults that were evaluated since the last call.
    func takeCounted() -> [CountedFault] {
        rules.compactMap { rule in
            rule.counters.withLock { counters in
                counters.takeCounted() ? CountedFault(id: rule.id, counters: counters) : nil
            }
        }
    }

    mutating func add(_ draft: FaultDraft) throws(FaultError) -> Fault {
        guard rules.count < Self.capacity else {
            throw FaultError(.tooMany, "there are \(rules.count) faults, the maximum; remove some")
        }
        return append(draft)
    }

    private mutating func append(_ draft: FaultDraft) -> Fault {
        let counters = Locked(nextCounters)
        lastNumber += 1
        lastStream += 1
        let id = FaultID(number: lastNumber)
        let rule = FaultRule(id: id, draft: draft, counters: counters, tally: tally)
        rules.append(rule)
        return rule.snapshot(position: rules.count)
    }

    /// Replaces a fault, whose counters are kept or reset.
    mutating func replace(at position: Int, with draft: FaultDraft, keepingCounters: Bool = false) -> Fault {
        let old = rules[position]
        let stream = old.counters.withLock { $0.stream }
        let counters = keepingCounters ? old.counters : Locked(FaultCounters(seed: seed, stream: stream))
        rules[position] = FaultRule(id: old.id, draft: draft, counters: counters, tally: tally)
        return rules[position].snapshot(position: position + 1)
    }

    mutating func reorder(_ ids: [FaultID]) throws(FaultError) {
        for (position, id) in ids.enumerated() {
            guard self.position(of: id) != nil else {
                throw FaultError(.unknownFault, "is not the id of a fault", at: "/order/\(position)")
            }
            guard ids.firstIndex(of: id) == position else { throw .bad("/order/\(position)", "is named twice") }
        }
        guard ids.count == rules.count else {
            throw .bad("/order", "names \(ids.count) of \(rules.count) faults; expected each of them once")
        }
        rules = ids.compactMap { id in rules.first { $0.id == id } }
    }

    /// Restores the startup faults with their numbers; returns how many faults were deleted.
    mutating func reset(to startUp: [FaultDraft]) -> Int {
        let count = rules.count
        let last = lastNumber
        rules = []
        lastNumber = 0
        lastStream = 0
        for draft in startUp { _ = append(draft) }
        lastNumber = max(last, lastNumber)
        return count
    }
}

extension FaultList {
    func write(to archive: inout ArchiveWriter) {
        archive.write(lastNumber)
        archive.write(lastStream)
        archive.write(count: rules.count)
        for rule in rules {
            archive.write(rule.id)
            archive.write(rule.draft)
            archive.write(rule.counters.withLock { $0 })
        }
    }

    /// Reads the faults into an empty list.
    mutating func read(from archive: inout ArchiveReader) throws(ArchiveError) {
        lastNumber = try archive.read()
        lastStream = try archive.read()
        let count = try archive.count()
        guard count <= Self.capacity else { throw .badValue }
        var read: [FaultRule] = []
        for _ in 0..<count {
            let id = try archive.read(FaultID.self)
            let draft = try archive.read(FaultDraft.self)
            let counters = Locked(try archive.read(FaultCounters.self))
            read.append(FaultRule(id: id, draft: draft, counters: counters, tally: tally))
        }
        rules = read
    }
}
