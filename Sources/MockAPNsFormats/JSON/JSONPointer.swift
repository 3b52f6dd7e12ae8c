/// A JSON Pointer (RFC 6901), such as `/aps/alert/title`.
public struct JSONPointer: Equatable, Sendable, CustomStringConvertible {
    /// The expected format, for error messages.
    public static let expected = "a JSON Pointer such as /aps/alert/title"

    private let parts: [String]

    /// Parses a pointer.
    ///
    /// Returns `nil` unless it is empty or starts with `/`, and for an invalid `~` escape.
    public init?(_ text: String) {
        // By Unicode scalars: a combining character after a slash would hide it in a character.
        let scalars = text.unicodeScalars
        guard text.isEmpty || scalars.first == "/" else { return nil }
        let escaped = scalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        parts = escaped.compactMap(Self.unescaped)
        guard parts.count == escaped.count else { return nil }
    }

    /// Returns the value the pointer refers to, or `nil` if there is none.
    public func value(in root: JSONValue) -> JSONValue? {
        parts.reduce(root) { value, part -> JSONValue? in
            switch value {
            case .object(let members)?: return members[part]
            case .array(let values)?:
                // "01" is no index (RFC 6901, section 4).
                guard let index = UInt64(digits: part), index < values.count, String(index) == part else { return nil }
                return values[Int(index)]
            default: return nil
            }
        }
    }

    /// The pointer in text form.
    public var description: String { parts.map { "/" + Self.escaped($0) }.joined() }

    /// Escapes a name for use in a pointer.
    public static func escaped(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: { $0 == "~" || $0 == "/" }) else { return name }
        return name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }

    /// Returns a pointer as people write it: `/aps/alert/0` is `aps.alert[0]`.
    public static func words(_ pointer: String) -> String {
        pointer.split(separator: "/").reduce("") { words, part in
            let name = unescaped(part.unicodeScalars[...]) ?? String(part)
            if UInt64(digits: name) != nil { return "\(words)[\(name)]" }
            return words.isEmpty ? name : "\(words).\(name)"
        }
    }

    private static func unescaped(_ part: Substring.UnicodeScalarView) -> String? {
        let pieces = part.split(separator: "~", omittingEmptySubsequences: false)
        var name = String(pieces[0])
        for piece in pieces.dropFirst() {
            guard let sign = piece.first.flatMap({ ["0": "~", "1": "/"][$0] }) else { return nil }
            name += sign + String(piece.dropFirst())
        }
        return name
    }
}
