package import MockAPNsFormats
package import MockAPNsRules

// The forms of single values, for bodies and parameters alike: words, booleans, texts, tokens, times and numbers.

extension Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of the cases, by its raw value.
    @_semantics("optimize.sil.specialize.generic.never") package static var word: Self {
        words(Array(Value.allCases), \.rawValue)
    }

    /// One of the cases; the schema refers to a vocabulary that has the same words.
    @_semantics("optimize.sil.specialize.generic.never") package static func word(_ vocabulary: Vocabulary) -> Self {
        words(Array(Value.allCases), schema: .word(vocabulary), \.rawValue)
    }
}

extension Form where Value == Bool {
    package static let boolean = Self(expected: "true or false", schema: .boolean, write: \.json) {
        if case .bool(let flag) = $0 { flag } else { nil }
    }

    /// The only value is `true`; for parameters of a query that are given or left out.
    package static let yes = words([true], \.description)
}

extension Form where Value == String {
    /// Any text that is not empty.
    package static func text(_ expected: String, schema: Schema = .text(atLeast: 1)) -> Self {
        Self(ofText: expected, schema: schema, text: \.self) { $0.isEmpty ? nil : $0 }
    }

    package static let topic = text("a topic, such as com.example.app", schema: .topic)
}

extension Form where Value == DeviceToken {
    package static let deviceToken = Self(
        ofText: "a device token: hexadecimal digits, an even number, 2 to 200", schema: .tokenGiven
    ) { DeviceToken(hex: $0) }
}

extension Form where Value == Timestamp {
    /// In a query, `+` has to be written as `%2B`.
    package static let time = Self(ofText: "a time such as 2026-01-05T10:11:12Z", schema: .time, text: \.rfc3339) {
        Timestamp(rfc3339: $0)
    }
}

extension Form where Value == Int64 {
    /// In microseconds; may be negative.
    package static let duration = Self(
        ofText: "a duration: a whole number and a unit, as in 500ms, 5s, 2m, 1h or 30d", schema: .duration,
        text: DurationText.text
    ) { DurationText.microseconds($0) }

    /// In microseconds; the longest is 100 years.
    package static func duration(from shortest: Int64, examples: String) -> Self {
        let lower = DurationText.text(shortest)
        return Self(
            ofText: "a duration from \(lower) to 36525d, such as \(examples)", schema: .duration,
            text: DurationText.text
        ) { text in
            let duration = DurationText.microseconds(text)
            return duration.flatMap { (shortest...DurationText.longest).contains($0) ? $0 : nil }
        }
    }

    /// How long a request may wait, in microseconds.
    package static let wait = Self(ofText: "a duration up to 60s, as in 500ms or 5s", schema: .wait) { text in
        DurationText.microseconds(text).flatMap { (0...60_000_000).contains($0) ? $0 : nil }
    }
}

extension Form where Value == UInt64 {
    /// The number of a push.
    package static let seq = Self(expected: "a whole number from 0 on", schema: .count) { UInt64(whole: $0) }
}

extension Form where Value: FixedWidthInteger & Sendable {
    /// A number in this range, which `Value` has to hold.
    @_semantics("optimize.sil.specialize.generic.never") package static func whole(_ range: ClosedRange<Int>) -> Self {
        let upper = range.upperBound >= Int(Int32.max) ? "on" : "to \(range.upperBound)"
        return Self(
            expected: "a whole number from \(range.lowerBound) \(upper)", schema: .integer(range),
            write: { JSONValue(Int($0)) }
        ) { value in Int(whole: value).flatMap { range.contains($0) ? Value($0) : nil } }
    }
}

extension Form where Value == Double {
    package static let fraction = Self(expected: "a number from 0 to 1", schema: .fraction, write: \.json) { value in
        value.double.flatMap { (0...1).contains($0) ? $0 : nil }
    }
}

extension Form where Value == JSONValue {
    package static let anything = Self(expected: "a JSON value", schema: .anything) { $0 }
}
