internal import MockAPNsFormats
package import MockAPNsRules

/// The registrations as seen by event loops; the ruleset has an immutable copy.
package struct RegistrationIndex: Sendable {
    var tokens = TokenTable()
    var topics = TopicNames()
    var labels = LabelTable()
    /// The PushMagic of enrolled devices, as labels.
    var magics = LabelTable()
    var epoch: UInt64 = 0

    /// Returns the label of the device for which a token is registered.
    package func label(of token: DeviceToken) -> String? {
        labels.isEmpty ? nil : tokens[token].flatMap { labels[$0.place] }
    }

    /// Returns the PushMagic with which the device of a token is enrolled; `nil` if it is not.
    package func pushMagic(of token: DeviceToken) -> String? {
        magics.isEmpty ? nil : tokens[token].flatMap { magics[$0.place] }
    }

    /// Returns the topic for which a token is registered.
    package func topic(of token: DeviceToken) -> String? { tokens[token].map { topics.name($0.topic) } }
}

/// The labels of devices by the slots of their registrations; a change copies one of the small pages.
struct LabelTable: Sendable {
    private static let pageLength = 256

    /// A page without labels is empty.
    private var pages: [[String?]] = []

    /// Whether no device ever had a label.
    var isEmpty: Bool { pages.isEmpty }

    subscript(place: UInt32) -> String? {
        get {
            let (page, at) = Int(place).quotientAndRemainder(dividingBy: Self.pageLength)
            return page < pages.count && !pages[page].isEmpty ? pages[page][at] : nil
        }
        set {
            let (page, at) = Int(place).quotientAndRemainder(dividingBy: Self.pageLength)
            while newValue != nil, page >= pages.count { pages.append([]) }
            guard page < pages.count else { return }
            if pages[page].isEmpty {
                guard newValue != nil else { return }
                pages[page] = Array(repeating: nil, count: Self.pageLength)
            }
            pages[page][at] = newValue
        }
    }
}

/// The topics of registrations, each with a number that is never reused.
struct TopicNames: Sendable {
    private var numbers: [String: UInt32] = [:]
    private var entries: [UInt32: (name: String, users: Int)] = [:]
    private var next: UInt32 = 1
    /// Counts the additions and removals of topics.
    private(set) var version = 0

    /// Makes it known that the numbers are not those of `other`, which this replaces.
    mutating func replace(_ other: TopicNames) { version = max(version, other.version) + 1 }

    /// Returns the number of a topic; 0 if no registration has it.
    func number(_ topic: String) -> UInt32 { numbers[topic] ?? 0 }

    func name(_ number: UInt32) -> String { entries[number]?.name ?? "" }

    mutating func retain(_ topic: String) -> UInt32 {
        if let number = numbers[topic] {
            entries[number]?.users += 1
            return number
        }
        let number = next
        next += 1
        numbers[topic] = number
        entries[number] = (topic, 1)
        version += 1
        return number
    }

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

extension TopicNames: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(next)
        archive.write(count: entries.count)
        for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
            archive.write(number)
            archive.write(entry.name)
            archive.write(entry.users)
        }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        next = try archive.read()
        for _ in 0..<(try archive.count()) {
            let number = try archive.read(UInt32.self)
            let entry = (name: try archive.read(String.self), users: try archive.read(Int.self))
            guard number < next, entry.users > 0 else { throw .badValue }
            entries[number] = entry
            numbers[entry.name] = number
        }
        guard numbers.count == entries.count else { throw .badValue }
    }
}

/// A change of a device token in a world.
package struct TokenChange: Sendable {
    package let token: DeviceToken
    /// Whether its device was configured or changed; `nil` if the token is now unknown.
    package let isKept: Bool?
}
