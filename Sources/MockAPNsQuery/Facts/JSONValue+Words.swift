package import MockAPNsFormats

extension JSONValue {
    /// The longest text that is quoted in full, in characters.
    private static let longestQuotation = 40

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

    /// Whether this is a whole number that fits in a signed 64-bit integer, in any notation.
    package var isWholeNumber: Bool {
        switch self {
        case .integer: true
        case .literal(let digits): Double(digits).flatMap { Int64(exactly: $0) } != nil
        case .null, .bool, .unsigned, .number, .string, .array, .object, .written: false
        }
    }

    /// Whether this is `true` or 1, the values that turn an option on.
    package var isOn: Bool { self == true || double == 1 }

    package var isReadable: Bool {
        guard case .string(let text) = self else { return false }
        return text.contains { !$0.isWhitespace }
    }

    func isOne(of names: [String]) -> Bool {
        if case .string(let text) = self { names.contains(text) } else { false }
    }

    func question(among names: [String]) -> String? {
        guard case .string(let text) = self else { return nil }
        return Suggestion.nearest(to: text, among: names).map { "Did you mean '\($0)'?" }
    }

    package static func shortened(_ text: String) -> String {
        text.count > longestQuotation ? text.prefix(longestQuotation) + "…" : text
    }
}
