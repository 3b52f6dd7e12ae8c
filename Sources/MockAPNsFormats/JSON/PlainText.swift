/// Text that needs no escaping in a JSON string: no quotes, backslashes or control characters.
///
/// DEL is legal in JSON but escaped anyway, to keep it away from terminals.
public enum PlainText {
    private static let each: UInt64 = 0x0101_0101_0101_0101
    private static let highBits = 0x80 * each

    /// Returns the index of the first byte from `start` that needs escaping, or `bytes.count`.
    public static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var at = start
        // Eight bytes at a time: payloads are mostly plain text, and there may be many of them.
        while at + 8 <= bytes.count {
            let text = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + at)
            let word = UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
            // Below 0x80, a byte gets its high bit when it is smaller than what is subtracted. It then borrows from the
            // bytes after it, so only the first such byte is certain.
            let found = (word &- 0x20 * each) | equal(word, 0x22) | equal(word, 0x5c) | equal(word, 0x7f)
            let marks = found & ~word & highBits
            if marks != 0 { return at + marks.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < bytes.count, isPlain(bytes[at]) { at += 1 }
        return at
    }

    private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 { (word ^ byte &* each) &- each }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
