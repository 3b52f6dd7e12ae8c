internal import MockAPNsFormats

/// A device token: the opaque bytes that stand for one app on one device.
///
/// Documented: opaque, of no fixed size, at most 100 bytes in the binary protocol. Observed: 32 bytes usually,
/// 48, 54 and 80 as well. Letter case is stated nowhere, so tokens are compared as bytes (inferred).
/// The usual 32 bytes lie inline; only other sizes cost an allocation.
public struct DeviceToken: Hashable, Sendable {
    /// The largest size accepted, in bytes.
    public static let maximumSize = 100

    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64
    /// All bytes of a token that is not 32 bytes long; `nil` for the usual size.
    private let other: [UInt8]?

    /// Reads hexadecimal text: an even number of digits, 1 to 100 bytes.
    public init?(hex: ByteSpan) {
        guard hex.count > 0, hex.count % 2 == 0, hex.count <= 2 * Self.maximumSize else { return nil }
        if hex.count == 64 {
            guard let word0 = Self.word(hex, at: 0), let word1 = Self.word(hex, at: 16),
                let word2 = Self.word(hex, at: 32), let word3 = Self.word(hex, at: 48)
            else { return nil }
            (self.word0, self.word1, self.word2, self.word3) = (word0, word1, word2, word3)
            other = nil
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.count / 2)
        for offset in stride(from: 0, to: hex.count, by: 2) {
            guard let high = HexDigit.value(hex[offset]), let low = HexDigit.value(hex[offset + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        (word0, word1, word2, word3) = (0, 0, 0, 0)
        other = bytes
    }

    /// Reads hexadecimal text: an even number of digits, 1 to 100 bytes.
    public init?(hex: String) {
        var hex = hex
        let token = hex.withUTF8 { DeviceToken(hex: ByteSpan($0)) }
        guard let token else { return nil }
        self = token
    }

    /// Makes a token of 32 bytes out of four numbers.
    public init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        (word0, word1, word2, word3) = words
        other = nil
    }

    /// A hash for tables of tokens: all bytes of the usual size count, and so does `seed`.
    ///
    /// Cheaper than `hashValue`; a seed that is not known makes collisions hard to provoke.
    public func mixed(with seed: UInt64) -> UInt64 {
        if let other {
            var hasher = Hasher()
            hasher.combine(other)
            return UInt64(bitPattern: Int64(hasher.finalize())) ^ seed
        }
        // The seed is in every factor: one that could be made 0 would make everything else count for nothing.
        let turned = seed &* 0x9e37_79b9_7f4a_7c15
        let first = (word0 ^ seed).multipliedFullWidth(by: word1 ^ turned)
        let second = (word2 ^ seed.byteSwapped).multipliedFullWidth(by: word3 ^ turned.byteSwapped)
        let both = (first.high ^ first.low) ^ (second.high ^ second.low) &* 0x94d0_49bb_1331_11eb
        let last = (both ^ seed).multipliedFullWidth(by: 0xff51_afd7_ed55_8ccd)
        return last.high ^ last.low
    }

    /// The bytes of the token.
    public var bytes: [UInt8] {
        if let other { return other }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [word0, word1, word2, word3] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }

    /// The lower-case hexadecimal form.
    public var hex: String { HexDigit.text(of: bytes) }

    /// The sixteen digits from `start` as one word.
    @inline(__always)
    private static func word(_ hex: ByteSpan, at start: Int) -> UInt64? {
        guard let base = hex.start, let high = HexDigit.value(ofEightAt: base + start),
            let low = HexDigit.value(ofEightAt: base + start + 8)
        else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }
}
