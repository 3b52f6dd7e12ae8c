internal import HeapModule

/// The due times of items, soonest first; every item has at most one time.
///
/// Changing a time leaves a stale entry in the heap, which is skipped, and removed if there are too many.
struct DueQueue {
    /// Notifications come first: one that expires when its device becomes inactive counts as expired.
    enum Item: Hashable, Comparable {
        /// The stored notification of the registration in a slot.
        case stored(UInt32)
        /// The message that the channel in a slot stores.
        case broadcast(UInt32)
        /// The offline device in a slot.
        case offline(UInt32)
        /// The Live Activity in a slot.
        case activity(UInt32)
        /// The registration in a slot, whose app was uninstalled.
        case uninstalled(UInt32)
    }

    private struct Entry: Comparable {
        let time: Int64
        let item: Item

        static func < (left: Entry, right: Entry) -> Bool { (left.time, left.item) < (right.time, right.item) }
    }

    private var heap = Heap<Entry>()
    private var times: [Item: Int64] = [:]

    /// The earliest time, in microseconds of the world's clock.
    var next: Int64? { heap.min?.time }

    /// The time of an item.
    func time(of item: Item) -> Int64? { times[item] }

    /// Sets the time of an item; `nil` removes it.
    mutating func set(_ item: Item, to time: Int64?) {
        guard times[item] != time else { return }
        times[item] = time
        if let time { heap.insert(Entry(time: time, item: item)) }
        if heap.count > 2 * times.count + 64 { heap = Heap(times.map { Entry(time: $0.value, item: $0.key) }) }
        removeStaleMinima()
    }

    mutating func popDue(at now: Int64) -> (item: Item, time: Int64)? {
        guard let first = heap.min, first.time <= now else { return nil }
        times[first.item] = nil
        removeStaleMinima()
        return (first.item, first.time)
    }

    private mutating func removeStaleMinima() {
        while let first = heap.min, times[first.item] != first.time { heap.removeMin() }
    }
}
