internal import MockAPNsFormats
internal import MockAPNsRules

/// What a member of a body or a parameter of a query may be.
struct Form<Value>: Sendable {
    /// What is expected, for people: completes "expected …".
    let expected: String
    /// The texts to suggest, where they can be counted.
    let candidates: [String]
    /// Reads a value; parameters are texts.
    let read: @Sendable (JSONValue) -> Value?

    init(expected: String, candidates: [String] = [], read: @escaping @Sendable (JSONValue) -> Value?) {
        (self.expected, self.candidates, self.read) = (expected, candidates, read)
    }

    /// A text.
    init(
        ofText expected: String,
        candidates: [String] = [],
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(expected: expected, candidates: candidates) { value in
            guard case .string(let text) = value else { return nil }
            return read(text)
        }
    }

    /// One of a few values, each by its name.
    static func words(_ values: [Value], _ name: (Value) -> String) -> Self where Value: Sendable {
        let names = values.map(name)
        return Self(ofText: names.joined(separator: " or "), candidates: names) { text in
            names.firstIndex(of: text).map { values[$0] }
        }
    }
}

extension Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of a few words.
    static var word: Self { words(Array(Value.allCases), \.rawValue) }
}

extension Form where Value == Bool {
    static let boolean = Self(expected: "true or false") { value in
        guard case .bool(let value) = value else { return nil }
        return value
    }
}

extension Form where Value == String {
    /// Any text but an empty one.
    static func text(_ expected: String) -> Self { Self(ofText: expected) { $0.isEmpty ? nil : $0 } }
}

extension Form where Value == DeviceToken {
    static let deviceToken = Self(ofText: "a device token: hexadecimal digits, an even number, 2 to 200") {
        DeviceToken(hex: $0)
    }
}

extension Form where Value == Timestamp {
    /// A moment; in a query, `+` has to be written as `%2B`.
    static let time = Self(ofText: "a time such as 2026-01-05T10:11:12Z") { Timestamp(rfc3339: $0) }
}

extension Form where Value == Int64 {
    /// A time span, in microseconds; it may be negative.
    static let duration = Self(
        ofText: "a duration: a whole number and a unit, as in 500ms, 5s, 2m, 1h or 30d"
    ) {
        DurationText.microseconds($0)
    }

    /// The time that a request may wait, in microseconds.
    static let wait = Self(ofText: "a duration up to 60s, as in 500ms or 5s") { text in
        DurationText.microseconds(text).flatMap { (0...60_000_000).contains($0) ? $0 : nil }
    }
}

extension Form where Value == UInt64 {
    private static let expectedSeq = "a number from 0 on"

    /// The number of a push in a body.
    static let seq = Self(expected: expectedSeq) { value in
        switch value {
        case .integer(let number): UInt64(exactly: number)
        case .unsigned(let number): number
        default: nil
        }
    }

    /// The number of a push in a query.
    static let seqText = Self(ofText: expectedSeq) { UInt64(digits: $0) }
}

extension Form where Value == Int {
    /// The number of entries that a list may have, in a query.
    static let limit = Self(ofText: "a number from 1 to 1000") { text in
        UInt64(digits: text).flatMap { (1...1_000).contains($0) ? Int($0) : nil }
    }
}
