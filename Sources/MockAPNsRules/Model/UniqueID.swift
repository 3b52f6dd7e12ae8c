internal import CMockAPNsBytes
internal import MockAPNsFormats

/// 128 bits in the form of a UUID: an `apns-id` or `apns-unique-id` that the server generates.
///
/// Observed: all digits of Apple's IDs are random, even the version digit; `apns-id` is in upper case and
/// `apns-unique-id` in lower case.
public struct UniqueID: Hashable, Sendable {
    /// The number of characters of the canonical form.
    public static let textLength = 36

    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// Creates an ID from its bits.
    @inlinable public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Whether `text` is a canonical UUID: 8-4-4-4-12 hexadecimal digits.
    ///
    /// Documented in lower case; upper case is also accepted (inferred: no rejection was reported) unless
    /// `lowerCaseOnly` is true.
    public static func isCanonical(_ text: ByteSpan, lowerCaseOnly: Bool) -> Bool {
        guard text.count == textLength else { return false }
        for offset in 0..<textLength {
            let byte = text[offset]
            switch offset {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default:
                guard HexDigit.value(byte) != nil else { return false }
                if lowerCaseOnly, byte >= UInt8(ascii: "A"), byte <= UInt8(ascii: "F") { return false }
            }
        }
        return true
    }

    /// Returns the canonical form.
    public func text(upperCase: Bool) -> String {
        String(unsafeUninitializedCapacity: Self.textLength) { text in
            guard let start = text.baseAddress else { return 0 }
            write(to: start, upperCase: upperCase)
            return Self.textLength
        }
    }

    /// Writes the canonical form, `textLength` bytes, to `target`.
    public func write(to target: UnsafeMutablePointer<UInt8>, upperCase: Bool) {
        mockapns_uuid_write(high, low, upperCase, target)
    }
}
