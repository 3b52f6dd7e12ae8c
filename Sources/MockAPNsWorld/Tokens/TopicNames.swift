internal import MockAPNsRules

/// The topics that registrations have, each with a number that is never reused.
struct TopicNames: Sendable {
    private struct Entry {
        let name: String
        var users: Int
    }

    private var numbers: [String: UInt32] = [:]
    private var entries: [UInt32: Entry] = [:]
    private var next: UInt32 = 1
    /// Changes when a topic is added or goes.
    private(set) var version = 0

    /// The number of a topic; 0 when no registration has it.
    func number(_ topic: String) -> UInt32 { numbers[topic] ?? 0 }

    /// The topic of a number.
    func name(_ number: UInt32) -> String { entries[number]?.name ?? "" }

    /// Adds a registration to a topic.
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

    /// Takes a registration from a topic.
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
