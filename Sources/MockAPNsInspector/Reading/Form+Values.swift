internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

// The forms of plain values.

extension Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of a few words.
    static var word: Self { words(Array(Value.allCases), \.rawValue) }

    /// One of the words of a vocabulary.
    static func word(_ vocabulary: Vocabulary) -> Self {
        words(Array(Value.allCases), schema: .word(vocabulary), \.rawValue)
    }
}

extension Form where Value == Bool {
    static let boolean = Self(expected: "true or false", schema: .boolean) { value in
        guard case .bool(let value) = value else { return nil }
        return value
    }

    /// Only `true`, in a query.
    static let yes = words([true], \.description)
}

extension Form where Value == String {
    /// Any text but an empty one.
    static func text(_ expected: String, schema: Schema = .text(atLeast: 1)) -> Self {
        Self(ofText: expected, schema: schema) { $0.isEmpty ? nil : $0 }
    }

    /// A topic.
    static let topic = text("a topic, such as com.example.app", schema: .topic)
}

extension Form where Value == Environment {
    static let environment = words(Environment.allCases, \.name)
}

extension Form where Value == DeviceToken {
    static let deviceToken = Self(
        ofText: "a device token: hexadecimal digits, an even number, 2 to 200",
        schema: .tokenGiven
    ) {
        DeviceToken(hex: $0)
    }
}

extension Form where Value == Timestamp {
    /// A moment; in a query, `+` has to be written as `%2B`.
    static let time = Self(ofText: "a time such as 2026-01-05T10:11:12Z", schema: .time) {
        Timestamp(rfc3339: $0)
    }
}

extension Form where Value == Int64 {
    /// A time span, in microseconds; it may be negative.
    static let duration = Self(
        ofText: "a duration: a whole number and a unit, as in 500ms, 5s, 2m, 1h or 30d",
        schema: .duration
    ) {
        DurationText.microseconds($0)
    }

    /// A time span between two others.
    ///
    /// - Parameters:
    ///   - shortest: the shortest, in microseconds; the longest is 100 years.
    ///   - examples: examples, for people.
    /// - Returns: the form.
    static func duration(from shortest: Int64, examples: String) -> Self {
        let lower = DurationText.text(shortest)
        return Self(ofText: "a duration from \(lower) to 36525d, such as \(examples)", schema: .duration) {
            text in
            let duration = DurationText.microseconds(text)
            return duration.flatMap { (shortest...DurationText.longest).contains($0) ? $0 : nil }
        }
    }

    /// The time that a request may wait, in microseconds.
    static let wait = Self(ofText: "a duration up to 60s, as in 500ms or 5s", schema: .wait) { text in
        DurationText.microseconds(text).flatMap { (0...60_000_000).contains($0) ? $0 : nil }
    }
}

extension Form where Value == UInt64 {
    private static let expectedSeq = "a number from 0 on"

    /// The number of a push in a body.
    static let seq = Self(expected: expectedSeq, schema: .count) { value in
        switch value {
        case .integer(let number): UInt64(exactly: number)
        case .unsigned(let number): number
        default: nil
        }
    }

    /// The number of a push in a query.
    static let seqText = Self(ofText: expectedSeq, schema: .count) { UInt64(digits: $0) }
}

extension Form where Value == Int {
    /// A whole number in a query.
    static func wholeText(_ range: ClosedRange<Int>) -> Self {
        Self(
            ofText: "a number from \(range.lowerBound) to \(range.upperBound)",
            schema: .integer(range)
        ) { text in
            UInt64(digits: text).flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A whole number.
    static func whole(_ range: ClosedRange<Int>) -> Self {
        let upper = range.upperBound >= Int(Int32.max) ? "on" : "to \(range.upperBound)"
        return Self(
            expected: "a whole number from \(range.lowerBound) \(upper)",
            schema: .integer(range)
        ) { value in
            guard case .integer(let number) = value, let number = Int(exactly: number), range.contains(number)
            else { return nil }
            return number
        }
    }
}

extension Form where Value == Double {
    /// A number from 0 to 1.
    static let fraction = Self(expected: "a number from 0 to 1", schema: .fraction) { value in
        let number: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .literal(let digits): Double(digits)
            case .number(let number): number
            default: nil
            }
        return number.flatMap { (0...1).contains($0) ? $0 : nil }
    }
}

extension Form where Value == JSONValue {
    /// Any value.
    static let anything = Self(expected: "a JSON value", schema: .anything) { $0 }
}
