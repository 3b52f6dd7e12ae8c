extension JSONValue {
    /// The longest text that is quoted in full, in characters.
    private static let longestQuotation = 40

    /// A string's text, or `nil` for any other value.
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// Whether this is an object.
    package var isObject: Bool {
        switch self {
        case .object, .written: true
        case .null, .bool, .integer, .unsigned, .number, .literal, .string, .array: false
        }
    }

    /// The value as described in messages, such as `the string "3"`.
    package var words: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer, .unsigned, .number, .literal: Self.shortened(String(decoding: text, as: UTF8.self))
        case .string(let text): "the string \"\(Self.shortened(text))\""
        case .array: "an array"
        case .object, .written: "an object"
        }
    }

    /// The whole number that this is in any notation, such as `1.0`; `nil` if it does not fit in a signed 64-bit integer.
    package var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .literal(let digits): Double(digits).flatMap { Int64(exactly: $0) }
        case .null, .bool, .unsigned, .number, .string, .array, .object, .written: nil
        }
    }

    /// Whether this is 1 in any notation, or `true`: the values that turn an option on.
    ///
    /// Documented for 1; inferred for `true`, which iOS reads as the number 1.
    package var isOn: Bool { self == true || double == 1 }

    /// Whether this is a string with a visible character.
    package var isReadable: Bool { string?.contains { !$0.isWhitespace } ?? false }

    /// Returns a text with an ellipsis in place of what is too long to be quoted.
    package static func shortened(_ text: String) -> String {
        text.count > longestQuotation ? text.prefix(longestQuotation) + "…" : text
    }
}
