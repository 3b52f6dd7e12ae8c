internal import MockAPNsRules

/// The search key of a device token, a topic or an `apns-id` in the table `search`.
///
/// A key is a 32-bit hash, so that entries are small; a search also compares the texts. An ordinary index on random
/// texts would change different pages for each push, which takes ten times as long as writing the push itself. So
/// entries are written for thousands of pushes at a time, sorted by key.
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

    /// Returns the key of a UTF-8 text; IDs are case-insensitive.
    static func key(_ kind: Kind, _ text: ByteSpan) -> Int64 {
        var hash = kind.rawValue
        // Makes letters lowercase; other characters may get the same key as others, as any texts may.
        let lowercase: UInt64 = kind == .id ? 0x2020_2020_2020_2020 : 0
        text.visitWords { word in
            hash = (hash ^ (word | lowercase)) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 32
        }
        // The high bits of the product depend on all bits.
        let product = (hash ^ hash >> 32).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return Int64(UInt32(truncatingIfNeeded: product.high ^ product.low >> 32))
    }
}
