internal import MockAPNsFormats
internal import MockAPNsRules

extension SplitMix64 {
    /// The next `apns-id` or `apns-unique-id`: random in every digit.
    mutating func nextID() -> UniqueID {
        let high = next()
        return UniqueID(high: high, low: next())
    }
}
