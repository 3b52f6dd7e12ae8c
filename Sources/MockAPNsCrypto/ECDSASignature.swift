/// A signature on P-256: the numbers r and s, 32 bytes each, in whichever of two forms it came.
///
/// Parsing checks form alone. Whether the numbers are in range and fit a key is for the verification to say.
struct ECDSASignature: Equatable {
    static let rawSize = 64

    /// r, then s, each as 32 bytes, most significant first (RFC 7518, section 3.4).
    let raw: [UInt8]

    /// Takes the raw form: exactly 64 bytes.
    init?(raw bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.rawSize else { return nil }
        raw = Array(bytes)
    }

    /// Takes the raw form of ES512: r, then s, each as 66 bytes, of which the first 34 must be zero.
    init?(padded bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 132 else { return nil }
        let halves = [bytes[0..<66], bytes[66..<132]]
        guard halves.allSatisfy({ $0.prefix(34).allSatisfy { $0 == 0 } }) else { return nil }
        raw = halves.flatMap { $0.suffix(32) }
    }

    /// Takes the ASN.1 form, `SEQUENCE { INTEGER r, INTEGER s }` in DER.
    ///
    /// Strict: the shortest lengths and integers only, nothing negative, nothing above 32 bytes, nothing
    /// after the sequence.
    init?(der bytes: UnsafeRawBufferPointer) {
        // Tag, length and two integers of at most 33 bytes each keep every length below 128: one byte.
        guard bytes.count >= 8, bytes.count <= 72, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2 else {
            return nil
        }
        var raw = [UInt8](repeating: 0, count: Self.rawSize)
        var offset = 2
        for end in [32, 64] {
            guard offset + 2 < bytes.count, bytes[offset] == 0x02 else { return nil }
            var start = offset + 2
            offset = start + Int(bytes[offset + 1])
            guard start < offset, offset <= bytes.count, bytes[start] < 0x80 else { return nil }
            if bytes[start] == 0, offset - start > 1 {
                start += 1
                guard bytes[start] >= 0x80 else { return nil }
            }
            guard offset - start <= 32 else { return nil }
            for index in start..<offset { raw[end - offset + index] = bytes[index] }
        }
        guard offset == bytes.count else { return nil }
        self.raw = raw
    }

    /// The ASN.1 form in DER: 8 to 72 bytes.
    var der: [UInt8] {
        let integers = Self.derInteger(raw[..<32]) + Self.derInteger(raw[32...])
        return [0x30, UInt8(integers.count)] + integers
    }

    private static func derInteger(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
