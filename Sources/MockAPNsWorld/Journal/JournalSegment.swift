/// A piece of the journal's memory: records one behind the other.
///
/// `@unchecked Sendable`: bytes are only appended, under the journal's lock. A reader learns under the same lock
/// how far it may read, keeps the segment alive, and never looks further; the memory is used again only when
/// nobody else holds the segment.
final class JournalSegment: @unchecked Sendable {
    static let usualCapacity = 262_144

    let capacity: Int
    private let memory: UnsafeMutableRawPointer
    /// Where the next record goes; changed under the journal's lock alone.
    private(set) var used = 0

    init(capacity: Int) {
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: RecordHead.alignment)
    }

    deinit { memory.deallocate() }

    /// The record that starts at `offset`.
    func record(at offset: Int) -> RecordView { RecordView(at: memory + offset) }

    /// Appends a record and numbers it; `false` when there is no room.
    func append(_ record: UnsafeRawBufferPointer, seq: UInt64, answeredAt: Int64) -> Bool {
        guard used + record.count <= capacity, let source = record.baseAddress else { return false }
        let target = memory + used
        target.copyMemory(from: source, byteCount: record.count)
        let head = target.assumingMemoryBound(to: RecordHead.self)
        head.pointee.seq = seq
        head.pointee.answeredAt = answeredAt
        used += record.count
        return true
    }

    /// Forgets every record; only for an owner that nobody shares the segment with.
    func removeAll() { used = 0 }
}
