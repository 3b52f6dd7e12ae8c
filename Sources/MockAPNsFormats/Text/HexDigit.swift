/// Hexadecimal text, as used in device tokens and IDs.
public enum HexDigit {
    /// Returns the value of a hexadecimal digit in upper or lower case.
    @inlinable public static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46: byte &- 0x37
        case 0x61...0x66: byte &- 0x57
        default: nil
        }
    }

    /// Returns `bytes` in lower-case hexadecimal.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(text) ?? Array(bytes).withUnsafeBufferPointer(text)
    }

    private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x57 }
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (position, byte) in bytes.enumerated() {
                text[2 * position] = digit(byte >> 4)
                text[2 * position + 1] = digit(byte & 0xf)
            }
            return 2 * bytes.count
        }
    }
}
