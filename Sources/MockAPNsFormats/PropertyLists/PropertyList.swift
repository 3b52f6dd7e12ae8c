/// A property list: the values that Xcode's localized texts are kept in, in any of their forms.
///
/// Documented: https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/PropertyLists/ and, for the text
/// form, "Old-Style ASCII Property Lists" there. The binary form is described in Apple's CFBinaryPList.c.
package enum PropertyList: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    /// A date; localized texts have none, so its time is not kept.
    case date
    /// Bytes; localized texts have none, so they are not kept.
    case data
    case array([PropertyList])
    case dictionary([String: PropertyList])

    /// The largest property list, in bytes.
    package static let largest = 16 << 20
    /// The maximum nesting.
    package static let deepest = 32
    /// The maximum number of values, where a value that is used several times counts each time.
    package static let mostValues = 400_000

    /// Reads a property list in the form that its first bytes show: binary, XML or text.
    ///
    /// - Throws: `Failure` for a syntax error, a repeated key, or more than the limits.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyList {
        guard bytes.count <= largest else { throw Failure(.byte(largest), "at most \(largest) bytes") }
        if bytes.starts(with: "bplist".utf8) { return try BinaryPropertyList.read(bytes) }
        guard let text = decoded(bytes) else {
            throw Failure(.line(1), "text in UTF-8, or in UTF-16 with a byte order mark")
        }
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        let isXML = ["<?xml", "<!--", "<!DOCTYPE", "<plist"].contains { start.starts(with: $0.unicodeScalars) }
        return isXML ? try XMLPropertyList.read(text) : try TextPropertyList.read(text)
    }

    /// The reason why bytes are not a property list.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package enum Place: Equatable, Sendable {
            /// A line, starting at 1.
            case line(Int)
            /// The number of bytes before it.
            case byte(Int)
        }

        package let place: Place
        package let expected: String

        init(_ place: Place, _ expected: String) { (self.place, self.expected) = (place, expected) }

        package var description: String {
            switch place {
            case .line(let line): "line \(line), expected \(expected)"
            case .byte(let byte): "byte \(byte), expected \(expected)"
            }
        }
    }

    /// The value as described in messages.
    package var words: String {
        switch self {
        case .string(let text): "the string \"\(JSONValue.shortened(text))\""
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The member of a dictionary, or `nil` for any other value.
    package subscript(name: String) -> PropertyList? {
        guard case .dictionary(let members) = self else { return nil }
        return members[name]
    }

    private static func decoded(_ bytes: [UInt8]) -> String? {
        switch bytes.prefix(2) {
        case [0xff, 0xfe]: utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
        case [0xfe, 0xff]: utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        default: String(validating: bytes.trimmingPrefix([0xef, 0xbb, 0xbf]), as: UTF8.self)
        }
    }

    private static func utf16(_ bytes: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        return String(validating: units, as: UTF16.self)
    }
}
