internal import MockAPNsFormats
internal import MockAPNsWorld

/// The ids of faults: `flt_` and a number.
enum FaultIDText {
    /// What is expected, for people.
    static let expected = "flt_ and a number"

    private static let prefix = "flt_"

    static func text(_ id: FaultID) -> String { "\(prefix)\(id.number)" }

    /// The fault that an id belongs to; `nil` when the text is none.
    static func id(_ text: String) -> FaultID? {
        let digits = text.dropFirst(prefix.count)
        guard text.hasPrefix(prefix), digits.first != "0", let number = UInt64(digits: String(digits)),
            let number = UInt32(exactly: number)
        else { return nil }
        return FaultID(number: number)
    }
}
