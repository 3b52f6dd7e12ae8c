internal import MockAPNsRules

/// Remembers the numbers of the topics that pushes came with lately, so that most need no text to be made.
struct TopicCache {
    private struct Entry {
        var topic: [UInt8] = []
        var number: UInt32 = 0
    }

    private static let capacity = 16

    private var entries = [Entry](repeating: Entry(), count: TopicCache.capacity)

    /// The number of a topic; `nil` when it is not remembered.
    func number(of topic: ByteSpan) -> UInt32? {
        entries.withUnsafeBufferPointer { entries in
            let entry = entries[Self.position(of: topic)]
            return entry.topic.withUnsafeBufferPointer { topic.equals(ByteSpan($0)) } ? entry.number : nil
        }
    }

    /// Remembers the number of a topic, in the place of another one.
    mutating func insert(_ number: UInt32, for topic: ByteSpan) {
        entries[Self.position(of: topic)] = Entry(topic: Array(topic.bytes), number: number)
    }

    /// Forgets everything.
    mutating func removeAll() { self = TopicCache() }

    /// Topics of one house differ towards their ends and in their lengths.
    private static func position(of topic: ByteSpan) -> Int {
        guard topic.count > 2 else { return 0 }
        let end = Int(topic[topic.count - 1]) &* 7 &+ Int(topic[topic.count - 2])
        return (end &+ topic.count &* 5) % capacity
    }
}
