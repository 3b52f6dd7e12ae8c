internal import MockAPNsFormats

/// How a payload that is too large would fit without being changed.
package enum PayloadSaving: Equatable, Sendable {
    /// With its text as UTF-8 instead of `\u` escapes; with the size that it then has.
    case utf8(Int)
    /// Without the white space between its values; with the size that it then has.
    case compact(Int)
    /// Without both.
    case both(Int)

    /// Examines a payload; `nil` if neither makes it smaller.
    package init?(_ body: UnsafeBufferPointer<UInt8>) {
        var (escaped, space) = (0, 0)
        var isInString = false
        var at = 0
        while at < body.count {
            switch body[at] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\") where isInString:
                let saved = Self.savedByUTF8(body, at)
                escaped += saved.bytes
                at += saved.length - 1
            case 0x20, 0x09, 0x0a, 0x0d: if !isInString { space += 1 }
            default: break
            }
            at += 1
        }
        switch (escaped, space) {
        case (0, 0): return nil
        case (_, 0): self = .utf8(body.count - escaped)
        case (0, _): self = .compact(body.count - space)
        default: self = .both(body.count - escaped - space)
        }
    }

    /// The length of the escape at a backslash, and how many bytes UTF-8 saves.
    private static func savedByUTF8(
        _ body: UnsafeBufferPointer<UInt8>,
        _ at: Int
    ) -> (length: Int, bytes: Int) {
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
