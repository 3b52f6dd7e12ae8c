internal import MockAPNsFormats
internal import MockAPNsRules

/// A header or another value of a push in which texts are looked for, in lower case.
struct SearchedValue {
    /// What a text has to be.
    enum Place {
        case part
        /// The whole value.
        case whole
        /// A part of the path, for texts with a slash.
        case path
        /// A part of the path's device token, for other texts.
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
