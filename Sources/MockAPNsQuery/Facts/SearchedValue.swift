internal import MockAPNsFormats
internal import MockAPNsRules

/// A value of a push that free-text search looks through, in lower case.
struct SearchedValue {
    /// The part of the value that a searched text must match.
    enum Place {
        /// Any part of the value.
        case part
        /// The whole value.
        case whole
        /// Any part of the path; only texts with a slash match.
        case path
        /// Any part of the device token in the path, or of a path without one; only texts without a slash match.
        case pathOfDevice
    }

    let place: Place
    let bytes: [UInt8]
    /// Whether it is a device token, a UUID or similar.
    let isCode: Bool

    init(_ place: Place, _ value: ByteSpan) {
        self.place = place
        bytes = value.isASCII ? value.bytes.map(Self.lowercased) : Array(value.text.lowercased().utf8)
        isCode = bytes.count >= 32 && bytes.allSatisfy { $0 == UInt8(ascii: "-") || HexDigit.value($0) != nil }
    }

    private static func lowercased(_ letter: UInt8) -> UInt8 {
        letter &- UInt8(ascii: "A") < 26 ? letter | 0x20 : letter
    }
}
