internal import MockAPNsFormats
internal import MockAPNsRules

extension QueryReader.Form where Value == UInt64 {
    /// The number of a push.
    static var seq: Self { Self(expected: "a number from 0 on") { UInt64(digits: $0) } }
}

extension QueryReader.Form where Value == Int {
    /// How many entries a list may have.
    static var limit: Self {
        Self(expected: "a number from 1 to 1000") { text in
            UInt64(digits: text).flatMap { (1...1_000).contains($0) ? Int($0) : nil }
        }
    }
}

extension QueryReader.Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of a few words.
    static var word: Self {
        words(Array(Value.allCases), \.rawValue)
    }
}

extension QueryReader.Form {
    /// One of a few values, each by its name.
    static func words(_ values: [Value], _ name: (Value) -> String) -> Self where Value: Sendable {
        let names = values.map(name)
        return Self(expected: names.joined(separator: " or "), candidates: names) { text in
            names.firstIndex(of: text).map { values[$0] }
        }
    }
}

extension QueryReader.Form where Value == String {
    /// Any text but an empty one.
    static func text(_ expected: String) -> Self { Self(expected: expected) { $0.isEmpty ? nil : $0 } }
}

extension QueryReader.Form where Value == DeviceToken {
    static var deviceToken: Self {
        Self(expected: "a device token: hexadecimal digits, an even number, 2 to 200") {
            DeviceToken(hex: $0)
        }
    }
}

extension QueryReader.Form where Value == Timestamp {
    /// A moment; in a query, `+` has to be written as `%2B`.
    static var time: Self {
        Self(expected: "a time such as 2026-01-05T10:11:12Z") { Timestamp(rfc3339: $0) }
    }
}

extension QueryReader.Form where Value == Int64 {
    /// A stretch of time, in microseconds; it may be negative.
    static var duration: Self {
        Self(expected: "a duration: a whole number and a unit, as in 500ms, 5s, 2m, 1h or 30d") { text in
            DurationText.microseconds(text)
        }
    }
}
