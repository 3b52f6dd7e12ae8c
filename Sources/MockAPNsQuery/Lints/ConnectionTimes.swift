internal import MockAPNsRules
internal import MockAPNsWorld

/// When connections began and ended, on the system's clock.
struct ConnectionTimes {
    private let connections: [UInt64: ConnectionRecord]
    private let openings: [Timestamp]
    private let endings: [Timestamp]

    init(_ all: [ConnectionRecord]) {
        connections = Dictionary(all.map { ($0.id, $0) }) { _, last in last }
        openings = all.map(\.openedAt).sorted()
        endings = all.compactMap(\.closedAt).sorted()
    }

    /// Whether each of these connections of a provider had ended when the next one began.
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

    /// How many were open at a time.
    func open(at time: Timestamp) -> Int {
        Self.count(openings, upTo: time) - Self.count(endings, upTo: time)
    }

    /// How many times of a sorted list are not behind `time`.
    private static func count(_ times: [Timestamp], upTo time: Timestamp) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
