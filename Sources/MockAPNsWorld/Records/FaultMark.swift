public import MockAPNsRules

/// The number of a fault, which is never reused.
public struct FaultID: Hashable, Sendable {
    /// The number, from 1.
    public let number: UInt32

    /// Creates an ID from a number.
    public init(number: UInt32) { self.number = number }
}

/// What the record of a push contains about the fault that fired for it.
public struct FaultMark: Sendable {
    /// The effects on a push.
    public struct Effect: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Creates a set from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The fault decided the response, or withheld it.
        public static let decides = Effect(rawValue: 1)
        /// The notification is never delivered.
        public static let loses = Effect(rawValue: 2)
        /// The notification is delivered twice.
        public static let duplicates = Effect(rawValue: 4)
    }

    let id: FaultID
    /// The effects on the push.
    public let effect: Effect
    /// The header fields added to the response, as stored in the journal.
    let addedHeaders: String

    /// Creates a mark of a fault, with the header fields added to the response.
    public init(_ id: FaultID, _ effect: Effect = [], headers: [FaultAction.Header] = []) {
        self.id = id
        self.effect = effect
        addedHeaders = headers.isEmpty ? "" : headers.map { "\($0.name):\($0.value)\n" }.joined()
    }

    static func headers(of text: String) -> [(name: String, value: String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }
}
