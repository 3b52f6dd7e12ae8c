extension UInt64 {
    /// Parses a number that consists of digits only, without a sign.
    public init?(digits: String) {
        guard digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        self.init(digits)
    }
}
