extension JSONValue {
    /// Bytes as a Base64 string.
    public static func base64(_ content: [UInt8]) -> JSONValue {
        var bytes = [UInt8(ascii: "\"")]
        let length = (content.count + 2) / 3 * 4
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 2) { target in
            func write(_ bits: UInt32, at position: Int) {
                target.storeBytes(of: base64Pairs[Int(bits >> 12)], toByteOffset: position, as: UInt16.self)
                target.storeBytes(of: base64Pairs[Int(bits & 0xfff)], toByteOffset: position + 2, as: UInt16.self)
            }
            content.withUnsafeBufferPointer { source in
                var (from, at) = (0, 0)
                while from + 3 <= source.count {
                    let high = UInt32(source[from]) << 16 | UInt32(source[from + 1]) << 8
                    write(high | UInt32(source[from + 2]), at: at)
                    from += 3
                    at += 4
                }
                let rest = source.count - from
                guard rest > 0 else { return }
                write(UInt32(source[from]) << 16 | (rest > 1 ? UInt32(source[from + 1]) << 8 : 0), at: at)
                if rest == 1 { target[at + 2] = UInt8(ascii: "=") }
                target[at + 3] = UInt8(ascii: "=")
            }
            bytes += target
        }
        bytes.append(UInt8(ascii: "\""))
        return .written(bytes)
    }

    /// Two Base64 digits for each 12-bit value, in memory order.
    ///
    /// Bodies make up most of an export.
    private static let base64Pairs: [UInt16] = {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return digits.flatMap { first in
            digits.map { second in UInt16(littleEndian: UInt16(first) | UInt16(second) << 8) }
        }
    }()
}
