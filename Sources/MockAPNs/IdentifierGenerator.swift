internal import MockAPNsRules

/// Makes `apns-id`s and `apns-unique-id`s: random in every digit, and the same again for the same seed.
struct IdentifierGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64: a step of a Weyl sequence, then a mixing function (Steele, Lea and Flood, 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// The next id.
    mutating func nextID() -> UniqueID {
        let high = next()
        return UniqueID(high: high, low: next())
    }
}
