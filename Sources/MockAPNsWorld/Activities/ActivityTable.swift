internal import DequeModule
internal import MockAPNsFormats
internal import MockAPNsRules

/// The Live Activities of a world by their slots and numbers; it handles neither pushes nor tokens.
struct ActivityTable: ~Copyable {
    /// A registration whose token was an activity's and is dead.
    struct DeadToken {
        let place: UInt32
        let generation: UInt32
    }

    var records = SlotTable<ActivityRecord>()
    /// The number of the activity that was started last.
    private(set) var lastID: UInt32
    /// The numbers of activities that do not run, in the order of their ends, with some that were removed since.
    var ended: Deque<UInt32> = []
    /// The dead tokens in the order of their death, with some that were removed since.
    var deadTokens: Deque<DeadToken> = []
    private var index: [UInt32: UInt32] = [:]

    /// Creates a table whose activities have numbers after `lastID`.
    init(after lastID: UInt32 = 0) { self.lastID = lastID }

    func find(_ id: UInt32) -> UInt32? { index[id] }

    /// The number of the next activity.
    mutating func nextID() -> UInt32 {
        lastID &+= 1
        return lastID
    }

    mutating func insert(_ record: ActivityRecord) -> UInt32 {
        let place = records.insert(record)
        index[record.id] = place
        return place
    }

    /// Frees the slot; the caller removes it from the list of the device.
    mutating func remove(_ place: UInt32) {
        index[records[place].id] = nil
        records.remove(place)
    }

    /// The slots of a device's activities that run, and at most so many of those that have ended; `first` is the first of
    /// its list.
    func places(from first: UInt32, ended most: Int = .max) -> [UInt32] {
        var places: [UInt32] = []
        var place = first
        var left = most
        while place != SlotPlace.none {
            let record = records.pointer(to: place)
            if !record.pointee.state.isRunning {
                guard left > 0 else { break }
                left -= 1
            }
            places.append(place)
            place = record.pointee.next
        }
        return places
    }

    /// The slots of a device's activities that run, which are the first of its list.
    func running(from first: UInt32) -> [UInt32] { places(from: first, ended: 0) }

    /// Adds an activity to the list of its device: one that runs as the first, another after those that run.
    mutating func link(_ place: UInt32, first: inout UInt32) {
        let isRunning = records.pointer(to: place).pointee.state.isRunning
        let before = isRunning ? nil : running(from: first).last
        let next = before.map { records.pointer(to: $0).pointee.next } ?? first
        if let before { records[before].next = place } else { first = place }
        (records[place].previous, records[place].next) = (before ?? SlotPlace.none, next)
        if next != SlotPlace.none { records[next].previous = place }
    }

    /// Removes an activity from the list of its device.
    mutating func unlink(_ place: UInt32, first: inout UInt32) {
        let (previous, next) = (records[place].previous, records[place].next)
        if previous == SlotPlace.none { first = next } else { records[previous].next = next }
        if next != SlotPlace.none { records[next].previous = previous }
    }

    func write(to archive: inout ArchiveWriter) {
        archive.write(lastID)
        archive.write(Array(ended))
        archive.write(Array(deadTokens))
        records.writeSlots(to: &archive)
        // In the order of their numbers, from which the lists of the devices follow.
        for place in records.places.sorted(by: { records[$0].id < records[$1].id }) {
            archive.write(place)
            archive.write(records[place])
        }
    }

    /// Reads the activities into an empty table; `use` is called for each in the order of their numbers.
    mutating func read(
        from archive: inout ArchiveReader, _ use: (UInt32, ActivityRecord) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        lastID = try archive.read()
        ended = Deque(try archive.read([UInt32].self))
        deadTokens = Deque(try archive.read([DeadToken].self))
        try records.readSlots(from: &archive)
        var last: UInt32 = 0
        for _ in 0..<records.count {
            let place = try archive.read(UInt32.self)
            let record = try archive.read(ActivityRecord.self)
            guard record.id > last, record.id <= lastID else { throw .badValue }
            last = record.id
            try records.fill(place, with: record)
            index[record.id] = place
            try use(place, record)
        }
        try records.checkIsFull()
    }
}

extension ActivityTable.DeadToken: MemberwiseArchived {
    static let format = ArchiveFormat(ActivityTable.DeadToken.init(place:generation:), \.place, \.generation)
}
