internal import CMockAPNsBytes
package import MockAPNsFormats

/// A device token: opaque bytes that identify one app on one device.
///
/// Documented: opaque, of variable size, at most 100 bytes in the binary protocol. Observed: usually 32
/// bytes, also 48, 54 and 80. Letter case is not documented, so tokens are compared as bytes (inferred). The
/// usual 32 bytes are stored inline; only other sizes need an allocation.
public struct DeviceToken: Hashable, Sendable {
    /// The largest size accepted, in bytes.
    public static let maximumSize = 100

    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64
    /// All bytes of a token that does not have 32 bytes; `nil` for the usual size.
    private let other: [UInt8]?

    /// Parses hexadecimal text: an even number of digits, 1 to 100 bytes.
    public init?(hex: ByteSpan) {
        guard hex.count > 0, hex.count % 2 == 0, hex.count <= 2 * Self.maximumSize else { return nil }
        if hex.count == 64 {
            let words = mockapns_hex_read(hex.start)
            guard words.is_valid else { return nil }
            self.init((words.first, words.second, words.third, words.fourth))
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.count / 2)
        for offset in stride(from: 0, to: hex.count, by: 2) {
            guard let high = HexDigit.value(hex[offset]), let low = HexDigit.value(hex[offset + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(ofOtherSize: bytes)
    }

    private init(ofOtherSize bytes: [UInt8]) {
        (word0, word1, word2, word3) = (0, 0, 0, 0)
        other = bytes
    }

    /// Parses hexadecimal text: an even number of digits, 1 to 100 bytes.
    public init?(hex: String) {
        var hex = hex
        guard let token = hex.withUTF8({ DeviceToken(hex: ByteSpan($0)) }) else { return nil }
        self = token
    }

    /// Describes why a text is not a token, as `63 characters, an odd number`; `nil` if it is one.
    public static func flaw(of hex: String) -> String? {
        let count = hex.count
        var flaws: [String] = []
        if count > 2 * maximumSize {
            flaws.append("\(count) characters, more than \(2 * maximumSize)")
        } else if count % 2 == 1 {
            flaws.append("\(count) characters, an odd number")
        }
        let wrong = hex.enumerated().first { $0.element.asciiValue.flatMap(HexDigit.value) == nil }
        if let wrong { flaws.append("character \(wrong.offset + 1) is '\(wrong.element)', not a hex digit") }
        return flaws.isEmpty ? nil : flaws.joined(separator: "; ")
    }

    /// Creates a token of 32 bytes from four numbers.
    public init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        (word0, word1, word2, word3) = words
        other = nil
    }

    /// Creates a token of at most 12 numbers, but not of 4; each is 8 bytes, the highest first.
    package init(words: [UInt64]) {
        precondition((1...12).contains(words.count) && words.count != 4, "a token of the usual size is kept inline")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * words.count)
        for word in words {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        self.init(ofOtherSize: bytes)
    }

    /// Returns a hash for tables of tokens, from `seed` and all bytes of a token of the usual size.
    ///
    /// Cheaper than `hashValue`. A secret seed makes it hard to provoke collisions.
    public func mixed(with seed: UInt64) -> UInt64 {
        if let other {
            var hasher = Hasher()
            hasher.combine(other)
            return UInt64(bitPattern: Int64(hasher.finalize())) ^ seed
        }
        // The seed is part of every factor, so no input can make a factor 0 and cancel the others.
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

    /// The hexadecimal form in lower case.
    public var hex: String { HexDigit.text(of: bytes) }

    /// Writes the hexadecimal form in lower case to `target`, and returns its length: at most twice `maximumSize`.
    package func write(hexTo target: UnsafeMutablePointer<UInt8>) -> Int {
        guard let other else {
            mockapns_hex_write(word0, false, target)
            mockapns_hex_write(word1, false, target + 16)
            mockapns_hex_write(word2, false, target + 32)
            mockapns_hex_write(word3, false, target + 48)
            return 64
        }
        for (position, digit) in HexDigit.text(of: other).utf8.enumerated() { target[position] = digit }
        return 2 * other.count
    }
}

extension DeviceToken: Archived {
    package func write(to archive: inout ArchiveWriter) {
        guard let other else {
            archive.write(byte: 32)
            for word in [word0, word1, word2, word3] { archive.write(word: word) }
            return
        }
        archive.write(bytes: other)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let count = try archive.byte()
        guard (1...UInt8(Self.maximumSize)).contains(count) else { throw .badValue }
        guard count != 32 else {
            self.init((try archive.word(), try archive.word(), try archive.word(), try archive.word()))
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(count))
        for _ in 0..<count { bytes.append(try archive.byte()) }
        self.init(ofOtherSize: bytes)
    }
}
