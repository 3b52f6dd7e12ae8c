/// A parser for property lists in XML.
///
/// It reads the elements that Apple's DTD has (http://www.apple.com/DTDs/PropertyList-1.0.dtd) without attributes' meaning.
/// A document type with declarations of its own is refused: entities are how XML documents grow without bound.
struct XMLPropertyList {
    typealias Failure = PropertyList.Failure

    private static let entities: [String: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]

    private let text: Substring.UTF8View
    private var rest: Substring.UTF8View
    private var count = 0

    static func read(_ text: String) throws(Failure) -> PropertyList {
        var contiguous = text
        contiguous.makeContiguousUTF8()
        let bytes = Substring(contiguous).utf8
        var file = XMLPropertyList(text: bytes, rest: bytes)
        try file.skipMarkup()
        guard try file.tag() == Tag(name: "plist", kind: .start) else { throw file.failure("<plist>") }
        let value = try file.value(try file.tag(), depth: 1)
        guard try file.tag() == Tag(name: "plist", kind: .end) else { throw file.failure("</plist>") }
        try file.skipMarkup()
        guard file.rest.isEmpty else { throw file.failure("nothing after </plist>") }
        return value
    }

    private func failure(_ expected: String) -> Failure {
        let lines = text[..<rest.startIndex].count { $0 == UInt8(ascii: "\n") }
        return Failure(.line(1 + lines), expected)
    }

    // MARK: Values

    private mutating func value(_ tag: Tag, depth: Int) throws(Failure) -> PropertyList {
        count += 1
        guard count <= PropertyList.mostValues else { throw failure("at most \(PropertyList.mostValues) values") }
        guard depth <= PropertyList.deepest else { throw failure("at most \(PropertyList.deepest) levels") }
        guard tag.kind != .end else { throw failure("a value before </\(tag.name)>") }
        switch tag.name {
        case "true", "false":
            if tag.kind == .start { _ = try content(of: tag) }
            return .boolean(tag.name == "true")
        case "string": return .string(try content(of: tag))
        case "integer":
            let digits = Self.trimmed(try content(of: tag))
            guard let number = Int64(digits) else { throw failure("a whole number in <integer>") }
            return .integer(number)
        case "real":
            guard let number = Double(Self.trimmed(try content(of: tag))) else { throw failure("a number in <real>") }
            return .real(number)
        case "date":
            _ = try content(of: tag)
            return .date
        case "data":
            _ = try content(of: tag)
            return .data
        case "array": return .array(try entries(of: tag, depth: depth))
        case "dict": return .dictionary(try members(of: tag, depth: depth))
        default: throw failure("an element of a property list; <\(tag.name.prefix(32))> is not one")
        }
    }

    private mutating func entries(of tag: Tag, depth: Int) throws(Failure) -> [PropertyList] {
        var entries: [PropertyList] = []
        guard tag.kind == .start else { return entries }
        while true {
            let next = try self.tag()
            if next == Tag(name: "array", kind: .end) { return entries }
            entries.append(try value(next, depth: depth + 1))
        }
    }

    private mutating func members(of tag: Tag, depth: Int) throws(Failure) -> [String: PropertyList] {
        var members: [String: PropertyList] = [:]
        guard tag.kind == .start else { return members }
        while true {
            let next = try self.tag()
            if next == Tag(name: "dict", kind: .end) { return members }
            guard next.name == "key", next.kind != .end else { throw failure("<key> or </dict>") }
            let key = try content(of: next)
            let value = try value(try self.tag(), depth: depth + 1)
            guard members.updateValue(value, forKey: key) == nil else {
                throw failure("every key once; \"\(key.prefix(64))\" comes twice")
            }
        }
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(scalars.reversed().drop { $0.properties.isWhitespace }.reversed()))
    }

    // MARK: Markup

    private struct Tag: Equatable {
        enum Kind {
            case start
            case end
            case empty
        }

        let name: String
        let kind: Kind
    }

    private mutating func take(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    /// Skips everything up to the end of `word`.
    private mutating func skip(after word: String, of what: String) throws(Failure) {
        guard let end = rest.firstRange(of: word.utf8)?.upperBound else {
            throw failure("'\(word)' at the end of \(what)")
        }
        rest = rest[end...]
    }

    /// Skips white space, comments, processing instructions and the document type.
    private mutating func skipMarkup() throws(Failure) {
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
            if take("<!--") {
                try skip(after: "-->", of: "the comment")
            } else if take("<?") {
                try skip(after: "?>", of: "the instruction")
            } else if take("<!DOCTYPE") {
                rest = rest.drop { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "[") }
                guard take(">") else { throw failure("a document type without declarations") }
            } else {
                return
            }
        }
    }

    private mutating func tag() throws(Failure) -> Tag {
        try skipMarkup()
        guard take("<") else { throw failure("an element") }
        let isEnd = take("/")
        let name = rest.prefix { ($0 | 0x20) &- 0x61 < 26 }
        rest = rest[name.endIndex...]
        let attributes = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        rest = rest[attributes.endIndex...]
        let isEmpty = attributes.last == UInt8(ascii: "/")
        guard take(">"), !name.isEmpty, !(isEnd && isEmpty) else { throw failure("'>' at the end of a tag") }
        return Tag(name: String(Substring(name)), kind: isEnd ? .end : isEmpty ? .empty : .start)
    }

    /// Reads the text of an element up to its end.
    private mutating func content(of tag: Tag) throws(Failure) -> String {
        guard tag.kind == .start else { return "" }
        var content = ""
        while true {
            let plain = rest.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
            content += String(Substring(plain))
            rest = rest[plain.endIndex...]
            if take("&") {
                content.unicodeScalars.append(try entity())
            } else if take("<![CDATA[") {
                let start = rest
                try skip(after: "]]>", of: "the character data")
                content += String(Substring(start[..<rest.startIndex].dropLast(3)))
            } else if take("<!--") {
                try skip(after: "-->", of: "the comment")
            } else {
                guard try self.tag() == Tag(name: tag.name, kind: .end) else { throw failure("</\(tag.name)>") }
                return content
            }
        }
    }

    private mutating func entity() throws(Failure) -> Unicode.Scalar {
        let name = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
        let text = String(Substring(name))
        rest = rest[name.endIndex...]
        let number = text.dropFirst()
        let value =
            text.hasPrefix("#x") ? UInt32(number.dropFirst(), radix: 16) : text.hasPrefix("#") ? UInt32(number) : nil
        guard take(";"), let scalar = Self.entities[text] ?? value.flatMap(Unicode.Scalar.init) else {
            throw failure("an entity such as &amp; or &#233;")
        }
        return scalar
    }
}
