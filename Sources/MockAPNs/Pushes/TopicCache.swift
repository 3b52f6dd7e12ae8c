internal import MockAPNsRules

/// The numbers of recent topics, so that most pushes need no string for their topic.
struct TopicCache {
    private struct Entry {
        var topic: [UInt8] = []
        var number: UInt32 = 0
    }

    private static let capacity = 16

    private var entries = [Entry](repeating: Entry(), count: TopicCache.capacity)

    /// Returns the number of a topic; `nil` if it is not cached.
    func number(of topic: ByteSpan) -> UInt32? {
        entries.withUnsafeBufferPointer { entries in
            let entry = entries[Self.position(of: topic)]
            return entry.topic.withUnsafeBufferPointer { topic.equals(ByteSpan($0)) } ? entry.number : nil
        }
    }

    /// Caches the number of a topic, replacing another one.
    mutating func insert(_ number: UInt32, for topic: ByteSpan) {
        entries[Self.position(of: topic)] = Entry(topic: Array(topic.bytes), number: number)
    }

    mutating func removeAll() { self = TopicCache() }

    /// The topics of one company differ mainly in their last characters and their lengths.
    private static func position(of topic: ByteSpan) -> Int {
        guard topic.count > 2 else { return 0 }
        let end = Int(topic[topic.count - 1]) &* 7 &+ Int(topic[topic.count - 2])
        return (end &+ topic.count &* 5) % capacity
    }
}
