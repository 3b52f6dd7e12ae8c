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
        return isInBody(of: push) || Self.values(of: push).contains(where: isPart)
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

    /// Looks for the text in a value.
    ///
    /// Short texts are in most device tokens and UUIDs, so they have to be at one end.
    private func isPart(of value: SearchedValue) -> Bool {
        switch value.place {
        case .whole: return value.bytes == wanted
        case .path where !lowercased.contains("/"), .pathOfDevice where lowercased.contains("/"): return false
        case .path, .pathOfDevice, .part: break
        }
        if wanted.count < 4, value.isCode {
            return value.bytes.starts(with: wanted) || value.bytes.suffix(wanted.count).elementsEqual(wanted)
        }
        return Comparison.find(wanted, in: value.bytes)
    }
}

extension FreeText {
    /// Returns all values of a push that are searched, computed once for all texts.
    private static func values(of push: Candidate) -> [SearchedValue] {
        if let known = push.searchedValues { return known }
        var values: [SearchedValue] = []
        func add(_ place: SearchedValue.Place, _ text: String) {
            var text = text
            values.append(text.withUTF8 { SearchedValue(place, ByteSpan($0)) })
        }
        for field in push.request.fields {
            let value = push.request.value(of: field)
            switch field.name {
            // The same for every push, or random.
            case .method, .scheme, .authority, .authorization: break
            case .apnsPriority, .apnsExpiration: values.append(SearchedValue(.whole, value))
            case .path:
                values.append(SearchedValue(.path, value))
                values.append(SearchedValue(.pathOfDevice, push.request.devicePart ?? value))
            default: values.append(SearchedValue(.part, value))
            }
        }
        if let name = push.appName { add(.part, name) }
        for field in fields {
            guard let value = field.value(push) else { continue }
            switch field.free {
            case .no: break
            case .whole: add(.whole, value)
            case .part: add(.part, value)
            case .label: add(.part, "@" + value)
            }
        }
        push.searchedValues = values
        return values
    }
}
