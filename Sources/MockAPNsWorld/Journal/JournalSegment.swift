internal import MockAPNsRules

/// A piece of the journal's memory: records one after the other.
///
/// `@unchecked Sendable`: bytes are only appended, under the world's lock. A reader learns under the same lock
/// which records it may read, keeps the segment alive, and never looks further; the memory is used again only when
/// no reader holds the segment. Entries are touched under the lock alone; a reader has a copy.
final class JournalSegment: @unchecked Sendable {
    static let usualCapacity = 262_144

    let capacity: Int
    /// One for each record.
    private(set) var entries: ContiguousArray<JournalEntry> = []
    private let memory: UnsafeMutableRawPointer
    /// Where the next record goes.
    private var used = 0

    init(capacity: Int) {
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: RecordHead.alignment)
    }

    deinit { memory.deallocate() }

    /// The record that starts at `offset`.
    func record(at offset: Int) -> RecordView { RecordView(at: memory + offset) }

    /// Whether a record of this many bytes can be appended.
    func hasRoom(for length: Int) -> Bool { used + length <= capacity }

    /// Appends a record, for which there must be room, and numbers it.
    func append(_ record: UnsafeRawBufferPointer, seq: UInt64, at time: WorldClock.Reading) -> RecordView {
        precondition(hasRoom(for: record.count), "a record goes to a segment with room for it")
        let target = memory + used
        UnsafeMutableRawBufferPointer(start: target, count: record.count).copyMemory(from: record)
        let head = target.assumingMemoryBound(to: RecordHead.self)
        head.pointee.seq = seq
        head.pointee.answeredAt = time.system.microseconds
        entries.append(
            JournalEntry(seq: seq, at: time.world.microseconds, offset: UInt32(truncatingIfNeeded: used))
        )
        used += record.count
        return RecordView(at: target)
    }

    /// Changes what is known of a record.
    func changeEntry(at position: Int, _ change: (inout JournalEntry) -> Void) { change(&entries[position]) }

    /// Changes what is known of the newest record.
    func changeLastEntry(_ change: (inout JournalEntry) -> Void) { change(&entries[entries.count - 1]) }

    /// Forgets every record; the caller must be the only owner of the segment.
    func removeAll() {
        used = 0
        entries.removeAll(keepingCapacity: true)
    }
}
