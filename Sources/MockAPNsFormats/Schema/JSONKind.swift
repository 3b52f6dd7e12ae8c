/// A type of values in JSON Schema.
package enum JSONKind: String, CaseIterable, Sendable {
    case string
    case integer
    case number
    case boolean
    case object
    case array
    case null

    /// The type with its article, for messages.
    package var words: String {
        switch self {
        case .null: "null"
        case .integer, .object, .array: "an \(rawValue)"
        case .string, .number, .boolean: "a \(rawValue)"
        }
    }

    /// The most precise type of a value: whole numbers in any notation are integers.
    package init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .unsigned: self = .integer
        case .number, .literal: self = DecimalNumber(value)?.isWhole == true ? .integer : .number
        case .string: self = .string
        case .array: self = .array
        case .object, .written: self = .object
        }
    }

    /// Whether a value of this type, the most precise one, is one of these types.
    package func isAmong(_ kinds: Set<JSONKind>) -> Bool {
        kinds.contains(self) || self == .integer && kinds.contains(.number)
    }
}

extension JSONValue {
    /// Whether the values are equal in JSON Schema: numbers by their size, texts by their code points.
    package func isEqual(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in right[name].map { value.isEqual(to: $0) } ?? false }
        default: DecimalNumber(self).map { $0 == DecimalNumber(other) } ?? false
        }
    }

    /// The number of values in this one, with a share for long texts: what it costs to look at all of it.
    package var extent: Int {
        switch self {
        case .null, .bool, .integer, .unsigned, .number: 1
        case .literal(let text), .string(let text): 1 + text.utf8.count / 16
        case .array(let values): values.reduce(1) { $0 + $1.extent }
        case .object(let members): members.reduce(1) { $0 + 1 + $1.key.utf8.count / 16 + $1.value.extent }
        case .written(let text): 1 + text.count / 16
        }
    }
}
