internal import MockAPNsFormats

/// How a payload that is too large would be smaller without being changed.
package struct PayloadSaving: Equatable, Sendable {
    /// A way to write the same payload with fewer bytes.
    package enum Way: CaseIterable, Sendable {
        /// Its text as UTF-8 instead of `\u` escapes.
        case utf8
        /// Slashes without the backslash that PHP writes before them.
        case slashes
        /// No white space between its values.
        case compact
    }

    /// Those that make it smaller.
    let ways: [Way]
    /// The size that it then has, in bytes.
    let size: Int
    /// The number of bytes that were examined, if the rest of the payload is not kept; the size is then that of these.
    let part: Int?

    init(_ ways: [Way], size: Int, ofFirst part: Int? = nil) { (self.ways, self.size, self.part) = (ways, size, part) }

    /// Examines a payload of this length, of which only the beginning may be kept; `nil` if no way makes it smaller.
    package init?(_ body: UnsafeBufferPointer<UInt8>, of length: Int) {
        var saved: [Way: Int] = [:]
        var isInString = false
        var at = 0
        while at < body.count {
            switch body[at] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\") where isInString:
                if at + 1 < body.count, body[at + 1] == UInt8(ascii: "/") { saved[.slashes, default: 0] += 1 }
                let escape = Self.savedByUTF8(body, at)
                if escape.bytes > 0 { saved[.utf8, default: 0] += escape.bytes }
                at += escape.length - 1
            case 0x20, 0x09, 0x0a, 0x0d: if !isInString { saved[.compact, default: 0] += 1 }
            default: break
            }
            at += 1
        }
        guard !saved.isEmpty else { return nil }
        self.init(
            Way.allCases.filter { saved[$0] != nil }, size: body.count - saved.values.reduce(0, +),
            ofFirst: body.count == length ? nil : body.count)
    }

    /// The length of the escape at a backslash, and how many bytes UTF-8 saves.
    private static func savedByUTF8(_ body: UnsafeBufferPointer<UInt8>, _ at: Int) -> (length: Int, bytes: Int) {
        guard let unit = unit(body, at) else { return (2, 0) }
        switch unit {
        case 0xd800...0xdbff:
            guard let low = self.unit(body, at + 6), (0xdc00...0xdfff).contains(low) else { return (6, 0) }
            return (12, 8)
        case 0x800...: return (6, 3)
        case 0x80...: return (6, 4)
        // Control characters, quotes and backslashes need their escapes.
        case 0x20...0x7f where unit != 0x22 && unit != 0x5c: return (6, 5)
        default: return (6, 0)
        }
    }

    /// The number of an escape with four hex digits, such as `\u00e9`.
    private static func unit(_ body: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt16? {
        guard at + 6 <= body.count, body[at] == UInt8(ascii: "\\"), body[at + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return (2..<6).reduce(UInt16?.some(0)) { number, offset in
            guard let number, let digit = HexDigit.value(body[at + offset]) else { return nil }
            return number << 4 | UInt16(digit)
        }
    }
}
