/// Hexadecimal text, as used in device tokens and IDs.
public enum HexDigit {
    /// Returns the value of a hexadecimal digit in upper or lower case.
    @inlinable
    public static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46: byte &- 0x37
        case 0x61...0x66: byte &- 0x57
        default: nil
        }
    }

    /// Returns `bytes` in lower-case hexadecimal.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x57 }
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0xf))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
