package import MockAPNsFormats

extension JSONValue {
    /// The longest text that is quoted whole, in characters.
    private static let longestQuotation = 40

    /// The value in a sentence: `the string "3"`.
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

    /// Whether it is a number of 64 bits without a fraction, however it is written.
    package var isWholeNumber: Bool {
        switch self {
        case .integer: true
        case .literal(let digits): Double(digits).flatMap { Int64(exactly: $0) } != nil
        case .null, .bool, .unsigned, .number, .string, .array, .object, .written: false
        }
    }

    /// Whether it switches something on, where 1 or true does.
    package var isOn: Bool { self == true || double == 1 }

    /// Whether it is a text with something to read.
    package var isReadable: Bool {
        guard case .string(let text) = self else { return false }
        return text.contains { !$0.isWhitespace }
    }

    /// A text in a message, cut where it would fill the screen.
    package static func shortened(_ text: String) -> String {
        text.count > longestQuotation ? text.prefix(longestQuotation) + "…" : text
    }
}
