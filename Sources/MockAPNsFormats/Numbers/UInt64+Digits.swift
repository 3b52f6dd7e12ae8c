extension UInt64 {
    /// Reads a number written with digits alone, without a sign.
    package init?(digits: String) {
        guard digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        self.init(digits)
    }
}
