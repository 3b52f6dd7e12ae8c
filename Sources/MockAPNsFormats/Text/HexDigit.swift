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

    // The two functions below process eight bytes at a time: every push has a 64-digit token to parse and two 32-digit
    // IDs to format. No byte sum reaches 256, so nothing carries into the next byte.
    @inlinable static var each: UInt64 { 0x0101_0101_0101_0101 }

    /// Returns the value of eight hexadecimal digits, or `nil` if there is any other character.
    @inlinable
    @inline(__always)
    public static func value(ofEightAt start: UnsafePointer<UInt8>) -> UInt32? {
        let text = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
        let highBits = 0x80 * each
        guard text & highBits == 0 else { return nil }
        let lower = text | 0x20 * each
        // The high bit of a byte says whether its character is at least "0", above "9", at least "a", above "f".
        let isDigit = (text &+ 0x50 * each) & ~(text &+ 0x46 * each)
        let isLetter = (lower &+ 0x1f * each) & ~(lower &+ 0x19 * each) & highBits
        guard (isDigit | isLetter) & highBits == highBits else { return nil }
        var value = ((text & (0x0f * each)) &+ (isLetter >> 7) &* 9).byteSwapped
        value = (value | value >> 4) & 0x00ff_00ff_00ff_00ff
        value = (value | value >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: value | value >> 16)
    }

    /// Returns the eight hexadecimal digits of `value`, in memory order.
    @inlinable
    @inline(__always)
    public static func text(of value: UInt32, upperCase: Bool) -> UInt64 {
        var digits = UInt64(value)
        digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff
        digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff
        digits = ((digits | digits << 4) & (0x0f * each)).byteSwapped
        // Adding six carries digits from ten up into the next four bits.
        let isLetter = ((digits &+ 6 * each) >> 4) & each
        return (digits &+ 0x30 * each &+ isLetter &* (upperCase ? 0x07 : 0x27)).littleEndian
    }
}
