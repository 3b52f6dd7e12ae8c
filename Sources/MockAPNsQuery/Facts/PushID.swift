/// The opaque id of a push, `psh_` and 16 characters: its epoch and its number, as Crockford's base 32 writes them.
///
/// The width is fixed and the digits stand in ASCII's order, so ids sort as pushes arrived. People must not take
/// them apart: `seq:1842` is there for that.
package struct PushID: Equatable {
    /// Counts resets.
    package let epoch: UInt64
    /// The push's number.
    package let seq: UInt64

    private static let prefix = "psh_"
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// 30 bits: a reset every second for 34 years.
    private static let epochDigits = 6
    /// 50 bits: a million pushes a second for 35 years.
    private static let seqDigits = 10

    package init(epoch: UInt64, seq: UInt64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Reads an id back, in exactly the form in which it was written.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let start = Self.prefix.utf8.count
        guard text.hasPrefix(Self.prefix), bytes.count == start + Self.epochDigits + Self.seqDigits,
            let epoch = Self.read(bytes[start..<start + Self.epochDigits]),
            let seq = Self.read(bytes[(start + Self.epochDigits)...])
        else { return nil }
        self.init(epoch: epoch, seq: seq)
    }

    /// The id as the API shows it.
    package var text: String {
        Self.prefix + Self.write(epoch, Self.epochDigits) + Self.write(seq, Self.seqDigits)
    }

    private static func write(_ number: UInt64, _ width: Int) -> String {
        let bytes = (0..<width).reversed().map { digits[Int(number >> (5 * UInt64($0)) & 31)] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func read(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in bytes {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            number = number << 5 | UInt64(digit)
        }
        return number
    }
}
