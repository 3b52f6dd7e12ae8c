/// Bytes as hexadecimal digits.
enum Hexadecimal {
    /// Two lower-case digits.
    static func text(of byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
}
