internal import MockAPNsFormats
internal import MockAPNsRules

extension SplitMix64 {
    /// Returns the next `apns-id` or `apns-unique-id`, with random digits.
    mutating func nextID() -> UniqueID {
        let high = next()
        return UniqueID(high: high, low: next())
    }
}
