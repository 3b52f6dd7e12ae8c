internal import MockAPNsRules
internal import MockAPNsWorld

/// The times at which connections were opened and closed, by the system clock.
struct ConnectionTimes {
    private let connections: [UInt64: ConnectionRecord]
    private let openings: [Timestamp]
    private let endings: [Timestamp]

    init(_ all: [ConnectionRecord]) {
        connections = Dictionary(all.map { ($0.id, $0) }) { _, last in last }
        openings = all.map(\.openedAt).sorted()
        endings = all.compactMap(\.closedAt).sorted()
    }

    /// Returns whether each of these provider connections was closed before the next was opened.
    ///
    /// Returns `false` if one of them is the server's own.
    func areOneAfterTheOther(_ ids: [UInt64]) -> Bool {
        zip(ids, ids.dropFirst()).allSatisfy { id, next in
            guard connections[id]?.isOwn != true, connections[next]?.isOwn != true
            else { return false }
            guard let end = connections[id]?.closedAt, let start = connections[next]?.openedAt else {
                return false
            }
            return end <= start
        }
    }

    func open(at time: Timestamp) -> Int {
        Self.count(openings, upTo: time) - Self.count(endings, upTo: time)
    }

    /// Returns the number of elements of a sorted array that are at or before `time`.
    private static func count(_ times: [Timestamp], upTo time: Timestamp) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
