internal import MockAPNsFormats

extension APNsMock {
    /// A JSON value, such as the payload of a push.
    ///
    /// Read members and elements with subscripts, and compare them with literals:
    /// `push.payload["aps"]["alert"]["title"] == "Order shipped"`.
    public struct JSON: Equatable, Sendable, CustomStringConvertible {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value.read }

        /// A string.
        public init(_ text: String) { value = .string(text) }

        /// A whole number.
        public init(_ number: Int) { value = .integer(Int64(number)) }

        /// The value `null`.
        public static var null: JSON { JSON(JSONValue.null) }

        /// A member of an object; `nil` for any other value.
        public subscript(name: String) -> JSON? { value[name].map(JSON.init) }

        /// An element of an array; `nil` for any other value.
        public subscript(position: Int) -> JSON? {
            guard case .array(let elements) = value, elements.indices.contains(position) else { return nil }
            return JSON(elements[position])
        }

        /// The string; `nil` for any other value.
        public var string: String? {
            guard case .string(let text) = value else { return nil }
            return text
        }

        /// The number as text, exactly as it was received; `nil` for any other value.
        public var digits: String? {
            switch value {
            case .integer, .unsigned, .number, .literal: description
            default: nil
            }
        }

        /// The whole number; `nil` for any other value.
        public var integer: Int? {
            guard case .integer(let number) = value else { return nil }
            return Int(number)
        }

        /// The Boolean; `nil` for any other value.
        public var boolean: Bool? {
            guard case .bool(let flag) = value else { return nil }
            return flag
        }

        /// The value as JSON on one line, with sorted members.
        public var description: String { String(decoding: value.text, as: UTF8.self) }
    }
}

extension APNsMock.JSON? {
    /// A member of an object; `nil` for any other value.
    public subscript(name: String) -> APNsMock.JSON? { flatMap { $0[name] } }

    /// An element of an array; `nil` for any other value.
    public subscript(position: Int) -> APNsMock.JSON? { flatMap { $0[position] } }
}

extension APNsMock.JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self.init(.string(text)) }
    /// A whole number.
    public init(integerLiteral number: Int64) { self.init(.integer(number)) }
    /// A number.
    public init(floatLiteral number: Double) { self.init(.literal(number.description)) }
    /// A Boolean.
    public init(booleanLiteral flag: Bool) { self.init(.bool(flag)) }
    /// An array.
    public init(arrayLiteral elements: Self...) { self.init(.array(elements.map(\.value))) }
    /// An object; if a name occurs more than once, the last value wins.
    public init(dictionaryLiteral elements: (String, Self)...) {
        self.init(.object(Dictionary(elements.map { ($0, $1.value) }) { _, last in last }))
    }
}
