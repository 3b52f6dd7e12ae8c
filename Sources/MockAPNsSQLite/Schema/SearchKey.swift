internal import MockAPNsRules

/// The number under which pushes with a device token, a topic or an `apns-id` are found in the table `search`.
///
/// It is a hash of 32 bits, so that entries are small; a search compares the texts too. Texts of random order would make every push
/// change other pages of an index, which takes ten times as long as the push itself; so the table gets rows of thousands of
/// pushes at a time, sorted by key.
enum SearchKey {
    enum Kind: UInt64 {
        case token = 0xa076_1d64_78bd_642f
        case topic = 0xe703_7ed1_a0b4_28db
        case id = 0x8ebc_6af0_9c88_c6e3
    }

    static func key(_ kind: Kind, _ text: String) -> Int64 {
        var text = text
        return text.withUTF8 { key(kind, ByteSpan($0)) }
    }

    /// Returns the key of a text in UTF-8; the letters of IDs may be upper case.
    static func key(_ kind: Kind, _ text: ByteSpan) -> Int64 {
        var hash = kind.rawValue
        let isID = kind == .id
        for byte in text.bytes {
            let isUpper = isID && byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            hash = (hash ^ UInt64(isUpper ? byte | 0x20 : byte)) &* 0x0000_0100_0000_01b3
        }
        // The high bits of the product depend on all bits.
        let product = (hash ^ hash >> 32).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return Int64(UInt32(truncatingIfNeeded: product.high ^ product.low >> 32))
    }
}
