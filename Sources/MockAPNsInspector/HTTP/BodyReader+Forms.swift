internal import MockAPNsFormats
internal import MockAPNsRules

extension BodyReader.Form {
    /// A text, read as in a query.
    init(_ form: QueryReader.Form<Value>) {
        let read = form.read
        self.init(expected: form.expected, candidates: form.candidates) { value in
            guard case .string(let text) = value else { return nil }
            return read(text)
        }
    }
}

extension BodyReader.Form where Value == Bool {
    static let boolean = Self(expected: "true or false") { value in
        guard case .bool(let value) = value else { return nil }
        return value
    }
}

extension BodyReader.Form where Value == String {
    /// Any text but an empty one.
    static func text(_ expected: String) -> Self { Self(.text(expected)) }
}

extension BodyReader.Form where Value == DeviceToken {
    static let deviceToken = Self(.deviceToken)
}

extension BodyReader.Form where Value == Timestamp {
    /// A moment.
    static let time = Self(.time)
}

extension BodyReader.Form where Value == Int64 {
    /// A stretch of time, in microseconds; it may be negative.
    static let duration = Self(.duration)
}

extension BodyReader.Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of a few words.
    static var word: Self { Self(.word) }
}

extension BodyReader.Form where Value == UInt64 {
    /// The number of a push.
    static let seq = Self(expected: "a number from 0 on") { value in
        switch value {
        case .integer(let number): UInt64(exactly: number)
        case .unsigned(let number): number
        default: nil
        }
    }
}

extension BodyReader.Form where Value == Int64 {
    /// How long something may take, in microseconds.
    static let wait = Self(expected: "a duration up to 60s, as in 500ms or 5s") { value in
        guard case .string(let text) = value, let duration = DurationText.microseconds(text) else {
            return nil
        }
        return (0...PushWait.longest).contains(duration) ? duration : nil
    }
}
