internal import MockAPNsFormats

/// The ID of a broadcast channel: 16 random bytes, as Base64 in headers.
///
/// Documented: APNs chooses it, and its length is opaque. Inferred: 16 bytes.
public struct ChannelID: Hashable, Sendable {
    /// The length of the text form.
    public static let textLength = 24

    /// The maximum length of `apns-channel-id` (inferred: documented as "too long" without a limit).
    static let longestText = 64

    /// The 16 bytes.
    public let bits: UniqueID

    /// Creates an ID from its bytes.
    public init(_ bits: UniqueID) { self.bits = bits }

    /// Parses the text form; `nil` if it is not Base64 of 16 bytes.
    public init?(_ text: ByteSpan) {
        guard text.count == Self.textLength, let bytes = Base64.decode(text.bytes), bytes.count == 16 else {
            return nil
        }
        let halves = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        bits = UniqueID(high: halves[0], low: halves[1])
    }

    /// Parses the text form; `nil` if it is not Base64 of 16 bytes.
    public init?(_ text: String) {
        var text = text
        guard let id = text.withUTF8({ ChannelID(ByteSpan($0)) }) else { return nil }
        self = id
    }

    /// Whether a header's value can be the ID of a channel, which need not exist: Base64 of any bytes.
    ///
    /// Trailing bits that are not zero are allowed, so that an answer token only needs padding.
    static func isWellFormed(_ text: ByteSpan) -> Bool {
        guard (1...longestText).contains(text.count), text.count % 4 == 0 else { return false }
        let padding = text.bytes.suffix(2).count { $0 == UInt8(ascii: "=") }
        return text.prefix(text.count - padding).bytes.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        }
    }

    static func isWellFormed(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isWellFormed(ByteSpan($0)) }
    }

    /// The text form, in Base64.
    public var text: String {
        Base64.encode(
            [bits.high, bits.low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } })
    }
}
