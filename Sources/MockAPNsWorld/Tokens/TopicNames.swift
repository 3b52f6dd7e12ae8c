internal import MockAPNsRules

/// The topics of registrations, each with a number that is never reused.
struct TopicNames: Sendable {
    private struct Entry {
        let name: String
        var users: Int
    }

    private var numbers: [String: UInt32] = [:]
    private var entries: [UInt32: Entry] = [:]
    private var next: UInt32 = 1
    /// Counts the additions and removals of topics.
    private(set) var version = 0

    /// Returns the number of a topic; 0 if no registration has it.
    func number(_ topic: String) -> UInt32 { numbers[topic] ?? 0 }

    /// Returns the topic with a number.
    func name(_ number: UInt32) -> String { entries[number]?.name ?? "" }

    /// Counts a new registration of a topic.
    mutating func retain(_ topic: String) -> UInt32 {
        if let number = numbers[topic] {
            entries[number]?.users += 1
            return number
        }
        let number = next
        next += 1
        numbers[topic] = number
        entries[number] = Entry(name: topic, users: 1)
        version += 1
        return number
    }

    /// Counts a removed registration of a topic.
    mutating func release(_ number: UInt32) {
        guard var entry = entries[number] else { return }
        entry.users -= 1
        if entry.users > 0 {
            entries[number] = entry
        } else {
            entries[number] = nil
            numbers[entry.name] = nil
            version += 1
        }
    }
}
