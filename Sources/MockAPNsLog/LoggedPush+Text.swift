package import MockAPNsRules
package import MockAPNsWorld

extension LoggedPush {
    /// Returns whether a database can store the bytes as text: UTF-8 without U+0000.
    package static func isText(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer { isText(ByteSpan($0)) } }

    /// Returns whether a database can store the bytes as text: UTF-8 without U+0000.
    package static func isText(_ span: ByteSpan) -> Bool {
        // No early exit, so that the compiler can vectorize the loop.
        var (all, nulls) = (UInt8(0), UInt8(0))
        for byte in span.bytes {
            all |= byte
            nulls |= byte == 0 ? 1 : 0
        }
        return nulls == 0 && (all < 0x80 || String(validating: span.bytes, as: UTF8.self) != nil)
    }
}
