package import MockAPNsFormats

/// What a condition expects of a value: one operator of a matcher, with its operand.
///
/// To add an operator, add a case to `Operator` with its `expects` text, and a case or an order here.
package indirect enum Comparison: Sendable, Equatable {
    /// The operators of a matcher, with their names in JSON.
    package enum Operator: String, CaseIterable, Sendable {
        case equals
        case equalsJSON
        case includes
        case contains
        case startsWith
        case endsWith
        case matches
        case `in`
        case gt
        case gte
        case lt
        case lte
        case present
        case absent
        case not

        package var expects: String {
            switch self {
            case .equals, .equalsJSON, .includes: "any JSON value"
            case .contains, .startsWith, .endsWith: "a text"
            case .matches: "a regular expression, as a text"
            case .in: "a list of values"
            case .gt, .gte, .lt, .lte: "a number"
            case .present, .absent: "true"
            case .not: "a value or an object of operators"
            }
        }
    }

    case equals(JSONValue)
    /// Contains every requested member and element; others are ignored.
    case includes(JSONValue)
    case contains(String)
    case startsWith(String)
    case endsWith(String)
    case matches(BoundedPattern)
    case among([JSONValue])
    /// A number that compares with this one as the operator says, which is one of the `orders`.
    case number(Operator, Double)
    case present
    case absent
    case not([Comparison])

    static let orders: [Operator: @Sendable (Double, Double) -> Bool] = [
        .gt: { $0 > $1 }, .gte: { $0 >= $1 }, .lt: { $0 < $1 }, .lte: { $0 <= $1 },
    ]

    var texts: [String] {
        switch self {
        case .equals(let value): [value.plainText ?? "null"]
        case .contains(let text): [text]
        case .among(let values): values.map { $0.plainText ?? "null" }
        case .not(let comparisons): comparisons.flatMap(\.texts)
        default: []
        }
    }

    /// If `isText` is set, the value is text from a header or path, where `10` equals `"10"`.
    package func holds(for actual: JSONValue?, isText: Bool, _ budget: StepBudget) -> Bool {
        if case .not(let comparisons) = self {
            return !comparisons.allSatisfy { $0.holds(for: actual, isText: isText, budget) }
        }
        guard let actual else { return self == .absent }
        return switch self {
        case .present: true
        case .equals(let wanted): Self.isSame(actual, wanted, isText: isText)
        case .includes(let wanted): actual.includes(wanted)
        case .contains(let part):
            actual.entries.contains { Self.isSame($0, .string(part), isText: true) }
                || actual.plainText.map { Self.find(part, in: $0) } ?? false
        case .startsWith(let part): actual.plainText?.hasPrefix(part) ?? false
        case .endsWith(let part): actual.plainText?.hasSuffix(part) ?? false
        case .matches(let pattern): actual.plainText.map { pattern.matches($0, budget) } ?? false
        case .among(let values): values.contains { Self.isSame(actual, $0, isText: isText) }
        case .number(let order, let bound):
            actual.quantity(isText: isText).flatMap { Self.orders[order]?($0, bound) } ?? false
        case .absent, .not: false  // `.not` is answered above.
        }
    }

    private static func isSame(_ actual: JSONValue, _ wanted: JSONValue, isText: Bool) -> Bool {
        if isText, let left = actual.plainText, let right = wanted.plainText { return left == right }
        return actual.isSame(as: wanted)
    }

    /// Compares UTF-8 bytes, because Foundation's Unicode-aware search is slower and not needed here.
    package static func find(_ part: String, in text: String) -> Bool { find(Array(part.utf8), in: Array(text.utf8)) }

    static func find(_ needle: [UInt8], in hay: [UInt8]) -> Bool {
        hay.withUnsafeBufferPointer { hay in needle.withUnsafeBufferPointer { find($0, in: hay) } }
    }

    private static func find(_ needle: UnsafeBufferPointer<UInt8>, in hay: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        var start = 0
        while start + needle.count <= hay.count {
            if hay[start] == first {
                var length = 1
                while length < needle.count, hay[start + length] == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            start += 1
        }
        return false
    }
}

extension JSONValue {
    /// Parses a string only if `isText` is set, for values that are always text.
    func quantity(isText: Bool) -> Double? {
        if isText, case .string(let text) = self { return Double(text) }
        return double
    }

    /// Returns whether two values are equal: `1`, `1.0` and `1e0` are, `1` and `"1"` are not.
    func isSame(as other: JSONValue) -> Bool {
        if self == other { return true }
        return switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { name, value in right[name].map(value.isSame) ?? false }
        // Distinct integers may round to the same double, so trust the exact comparison above.
        case (.integer, .integer), (.integer, .unsigned), (.unsigned, .integer), (.unsigned, .unsigned): false
        default: double != nil && double == other.double
        }
    }

    /// The order of array elements is ignored.
    package func includes(_ part: JSONValue) -> Bool {
        switch (self, part) {
        case (.object(let members), .object(let wanted)):
            wanted.allSatisfy { name, value in members[name].map { $0.includes(value) } ?? false }
        case (.array(let values), .array(let wanted)):
            wanted.allSatisfy { value in values.contains { $0.includes(value) } }
        default: isSame(as: part)
        }
    }
}
