internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// A word or phrase without a key, which is looked for in everything that the page shows of a push.
package struct FreeText: Equatable, Sendable {
    package let text: String
    private let lowercased: String
    private let wanted: [UInt8]
    /// The first digit of a class of statuses, such as `4xx`.
    private let digits: UInt8?
    /// The number of a push: `#40` or `40`.
    private let number: UInt64?

    /// The fields besides headers, which are all searched.
    private static let fields = PushField.allCases.map(\.row).filter { $0.free != .no }

    package init(_ text: String) {
        self.text = text
        lowercased = text.lowercased()
        wanted = Array(lowercased.utf8)
        digits = Self.statusClass(text)
        number = UInt64(digits: text.hasPrefix("#") ? String(text.dropFirst()) : text)
    }

    /// Returns the first digit of a status class such as `4xx`.
    static func statusClass(_ text: String) -> UInt8? {
        let bytes = Array(text.lowercased().utf8)
        let (x, digits) = (UInt8(ascii: "x"), UInt8(ascii: "1")...UInt8(ascii: "5"))
        guard bytes.count == 3, digits.contains(bytes[0]), bytes[1] == x, bytes[2] == x else { return nil }
        return bytes[0] - UInt8(ascii: "0")
    }

    /// Whether a response is meant: a class of statuses, or a reason in Apple's spelling.
    var asksForVerdict: Bool { digits != nil || Reason(name: text) != nil }

    func isFound(in push: Candidate) -> Bool {
        let steps = StepBudget.comparison * 4 + push.bodySteps + push.request.headerBytes.count / 4
        guard push.budget.take(steps) else { return false }
        let outline = push.outline
        if let digits, outline.status / 100 == digits { return true }
        if let number, outline.seq == number, number > 0 { return true }
        return isInBody(of: push) || isInHeaders(of: push) || push.appName.map(isPart) ?? false
            || Self.fields.contains { field in
                guard let value = field.value(push) else { return false }
                return switch field.free {
                case .no: false
                case .whole: value.lowercased() == lowercased
                case .part: isPart(of: value)
                case .label: isPart(of: "@" + value)
                }
            }
    }

    private func isInBody(of push: Candidate) -> Bool {
        if Comparison.find(wanted, in: push.lowercasedBody) { return true }
        // The text may be escaped in the body, so also search the parsed payload.
        guard push.request.body.firstIndex(of: UInt8(ascii: "\\")) != nil else { return false }
        return push.payload.map { isInStrings(of: $0) } ?? false
    }

    private func isInStrings(of value: JSONValue) -> Bool {
        switch value {
        case .string(let text): Comparison.find(wanted, in: Array(text.lowercased().utf8))
        case .array(let values): values.contains { isInStrings(of: $0) }
        case .object(let members): members.values.contains { isInStrings(of: $0) }
        case .null, .bool, .integer, .unsigned, .number, .literal, .written: false
        }
    }

    private func isInHeaders(of push: Candidate) -> Bool {
        push.request.fields.contains { field in
            let value = push.request.value(of: field)
            return switch field.name {
            // The same for every push, or random.
            case .method, .scheme, .authority, .authorization: false
            case .apnsPriority, .apnsExpiration: value.text.lowercased() == lowercased
            case .path: isPart(of: lowercased.contains("/") ? value : push.request.devicePart ?? value)
            default: isPart(of: value)
            }
        }
    }

    private func isPart(of value: String) -> Bool {
        var value = value
        return value.withUTF8 { isPart(of: ByteSpan($0)) }
    }

    /// Looks for the text in a value.
    ///
    /// Short texts are in most device tokens and UUIDs, so they have to be at one end.
    private func isPart(of value: ByteSpan) -> Bool {
        let value = value.isASCII ? value.bytes.map(Self.lowercased) : Array(value.text.lowercased().utf8)
        if wanted.count < 4, Self.isCode(value) {
            return value.starts(with: wanted) || value.suffix(wanted.count).elementsEqual(wanted)
        }
        return Comparison.find(wanted, in: value)
    }

    private static func lowercased(_ letter: UInt8) -> UInt8 {
        letter &- UInt8(ascii: "A") < 26 ? letter | 0x20 : letter
    }

    private static func isCode(_ value: [UInt8]) -> Bool {
        value.count >= 32 && value.allSatisfy { $0 == UInt8(ascii: "-") || HexDigit.value($0) != nil }
    }
}
