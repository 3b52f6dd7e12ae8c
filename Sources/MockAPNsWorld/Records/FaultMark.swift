public import MockAPNsRules

/// The number of a fault; never given to another one.
public struct FaultID: Hashable, Sendable {
    /// The number, from 1.
    public let number: UInt32

    /// The fault of this number.
    public init(number: UInt32) { self.number = number }
}

/// What the record of a push tells of the fault that fired for it.
public struct FaultMark: Sendable {
    /// What became of the push because of it.
    public struct Effect: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// A set of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The fault decided the answer, or that there is no answer.
        public static let decides = Effect(rawValue: 1)
        /// The notification is never delivered.
        public static let loses = Effect(rawValue: 2)
        /// The notification is delivered twice.
        public static let duplicates = Effect(rawValue: 4)
    }

    /// The fault.
    public let id: FaultID
    /// What became of the push.
    public let effect: Effect
    /// The header fields that it added to the answer, as the journal keeps them.
    let addedHeaders: String

    /// The trace of a fault.
    ///
    /// - Parameters:
    ///   - id: the fault.
    ///   - effect: what became of the push.
    ///   - headers: the header fields that it added to the answer.
    public init(_ id: FaultID, _ effect: Effect = [], headers: [FaultAction.Header] = []) {
        self.id = id
        self.effect = effect
        addedHeaders = headers.isEmpty ? "" : headers.map { "\($0.name):\($0.value)\n" }.joined()
    }

    /// The header fields in what the journal keeps.
    static func headers(of text: String) -> [(name: String, value: String)] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }
}
