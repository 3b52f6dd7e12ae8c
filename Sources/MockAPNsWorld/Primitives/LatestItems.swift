internal import DequeModule
internal import MockAPNsFormats

/// The latest items of a sequence, each at a position that never changes.
struct LatestItems<Item> {
    let capacity: Int
    private(set) var items: Deque<Item> = []
    /// The position after the newest item.
    private(set) var end: UInt64 = 0

    /// The position of the oldest item that is kept.
    var start: UInt64 { end - UInt64(items.count) }

    subscript(position: UInt64) -> Item? { position >= start && position < end ? items[Int(position - start)] : nil }

    /// Adds an item, and returns the one that was dropped for it.
    @discardableResult mutating func append(_ item: Item) -> Item? {
        let dropped = items.count == capacity ? items.popFirst() : nil
        items.append(item)
        end += 1
        return dropped
    }

    /// Drops all items; the positions continue.
    mutating func removeAll() { items.removeAll() }
}

extension LatestItems where Item: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(Array(items))
        archive.write(end)
    }

    mutating func read(from archive: inout ArchiveReader) throws(ArchiveError) {
        items = Deque(try archive.read([Item].self))
        end = try archive.read()
        guard items.count <= capacity, end >= UInt64(items.count) else { throw .badValue }
    }
}
