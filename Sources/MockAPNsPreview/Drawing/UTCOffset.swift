/// The distance of a local time from UTC, such as `+02:00`.
package struct UTCOffset: Equatable, Sendable {
    package static let utc = UTCOffset(minutes: 0)
    /// The largest offset in use is +14:00, in Kiribati.
    private static let farthest = 14 * 60

    let minutes: Int

    private init(minutes: Int) { self.minutes = minutes }

    /// Reads `Z`, `+hh:mm` or `-hh:mm`.
    ///
    /// A space is a plus sign, because that is what a `+` in a query stands for if it is not percent-encoded.
    package init?(_ text: String) {
        if text == "Z" {
            self = .utc
            return
        }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, let sign = [0x2b: 1, 0x20: 1, 0x2d: -1][bytes[0]], bytes[3] == UInt8(ascii: ":"),
            let hours = Self.number(bytes[1...2]), let minutes = Self.number(bytes[4...5]), minutes < 60,
            hours * 60 + minutes <= Self.farthest
        else { return nil }
        self.minutes = sign * (hours * 60 + minutes)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0) { number, digit in
            let value = digit &- UInt8(ascii: "0")
            return value < 10 ? number.map { $0 * 10 + Int(value) } : nil
        }
    }
}
