package import MockAPNsRules
package import MockAPNsWorld

extension LoggedPush {
    /// Whether a database can keep bytes as text: they are UTF-8 without U+0000.
    package static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { isText(ByteSpan($0)) }
    }

    /// Whether a database can keep bytes as text: they are UTF-8 without U+0000.
    package static func isText(_ span: ByteSpan) -> Bool {
        // Without an early end, the compiler examines many bytes at a time.
        var (all, nulls) = (UInt8(0), UInt8(0))
        for byte in span.bytes {
            all |= byte
            nulls |= byte == 0 ? 1 : 0
        }
        return nulls == 0 && (all < 0x80 || String(validating: span.bytes, as: UTF8.self) != nil)
    }
}
