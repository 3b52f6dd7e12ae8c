/// What has to happen when, soonest first; every item has one time at most.
///
/// A binary heap that knows where each item stands, so that a time can be changed in place.
struct DueQueue {
    /// Something that waits for a time.
    enum Item: Hashable {
        /// The notification stored for the registration at a place.
        case stored(UInt32)
        /// The device at a place, which is offline.
        case offline(UInt32)

        /// The order of what is due at the same time.
        fileprivate var rank: UInt64 {
            switch self {
            case .stored(let place): UInt64(place)
            case .offline(let place): 1 << 32 | UInt64(place)
            }
        }
    }

    private struct Entry {
        var time: Int64
        var item: Item

        /// Soonest first; of what is due together, notifications before devices: a notification that expires at the
        /// moment at which its device becomes inactive has expired.
        func isBefore(_ other: Entry) -> Bool { (time, item.rank) < (other.time, other.item.rank) }
    }

    private var heap: [Entry] = []
    private var positions: [Item: Int] = [:]

    /// The soonest time, in microseconds of the world's clock.
    var next: Int64? { heap.first?.time }

    /// Sets the time of an item; `nil` takes it out.
    mutating func set(_ item: Item, to time: Int64?) {
        if let position = positions[item] {
            guard let time else {
                remove(at: position)
                return
            }
            let before = heap[position].time
            heap[position].time = time
            if time < before { rise(from: position) } else { sink(from: position) }
        } else if let time {
            heap.append(Entry(time: time, item: item))
            positions[item] = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    /// Takes out the soonest item whose time has come.
    mutating func popDue(at now: Int64) -> (item: Item, time: Int64)? {
        guard let first = heap.first, first.time <= now else { return nil }
        remove(at: 0)
        return (first.item, first.time)
    }

    private mutating func remove(at position: Int) {
        positions[heap[position].item] = nil
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        positions[last.item] = position
        rise(from: position)
        sink(from: position)
    }

    private mutating func rise(from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[position].isBefore(heap[parent]) else { return }
            swap(position, parent)
            position = parent
        }
    }

    private mutating func sink(from start: Int) {
        var position = start
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != position else { return }
            swap(position, least)
            position = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        positions[heap[left].item] = left
        positions[heap[right].item] = right
    }
}
