internal import MockAPNsRules

/// A block of the journal's memory with consecutive records.
///
/// `@unchecked Sendable`: bytes are only appended, under the world's lock. Under the same lock, a reader
/// learns which records it may read; it keeps the segment alive and reads no others. The memory is reused
/// only if no reader holds the segment. Entries are used only under the lock; a reader has a copy.
final class JournalSegment: @unchecked Sendable {
    static let usualCapacity = 262_144

    let capacity: Int
    var entries: ContiguousArray<JournalEntry> = []
    private let memory: UnsafeMutableRawPointer
    private var used = 0

    init(capacity: Int) {
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: RecordHead.alignment)
    }

    /// Creates a segment with a copy of one record.
    convenience init(copying found: FoundRecord) {
        let head = found.record.head
        let bytes = UnsafeRawBufferPointer(start: found.record.start, count: Int(head.length))
        self.init(capacity: bytes.count)
        _ = append(
            bytes, seq: head.seq,
            at: WorldClock.Reading(system: head.sentAt, world: Timestamp(microseconds: found.entry.at)))
        entries[0] = found.entry
        entries[0].offset = 0
    }

    deinit { memory.deallocate() }

    func record(of entry: JournalEntry) -> RecordView { RecordView(at: memory + Int(entry.offset)) }

    func hasRoom(for length: Int) -> Bool { used + length <= capacity }

    /// Appends a record and assigns its number; there must be room for it.
    func append(_ record: UnsafeRawBufferPointer, seq: UInt64, at time: WorldClock.Reading) -> RecordView {
        precondition(hasRoom(for: record.count), "a record goes to a segment with room for it")
        let target = memory + used
        UnsafeMutableRawBufferPointer(start: target, count: record.count).copyMemory(from: record)
        let head = target.assumingMemoryBound(to: RecordHead.self)
        head.pointee.seq = seq
        head.pointee.sentAt = time.system
        entries.append(JournalEntry(seq: seq, at: time.world.microseconds, offset: UInt32(truncatingIfNeeded: used)))
        used += record.count
        return RecordView(at: target)
    }

    /// Removes all records; the caller must be the only owner of the segment.
    func removeAll() {
        used = 0
        entries.removeAll(keepingCapacity: true)
    }
}
