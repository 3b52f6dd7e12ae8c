/// Durations in text form: `500ms`, `5s`, `20m`, `1h`, `30d`.
public enum DurationText {
    private static let units: [(name: String, microseconds: Int64)] = [
        ("ms", 1_000), ("s", 1_000_000), ("m", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000),
    ]

    /// The longest duration accepted by any setting, in microseconds: 100 years.
    public static let longest: Int64 = 36_525 * 86_400_000_000

    /// Formats a duration in the largest unit that divides it.
    ///
    /// Fractions of a millisecond are dropped.
    public static func text(_ microseconds: Int64) -> String {
        guard microseconds != 0 else { return "0s" }
        let unit = units.last { microseconds % $0.microseconds == 0 } ?? units[0]
        return "\(microseconds / unit.microseconds)\(unit.name)"
    }

    /// Formats two durations, as `1h..30d`.
    public static func text(_ range: ClosedRange<Int64>) -> String {
        "\(text(range.lowerBound))..\(text(range.upperBound))"
    }

    /// Parses two durations, as `1h..30d`, in microseconds.
    ///
    /// Returns `nil` if the text is invalid, the second is shorter than the first, or one is negative or above `longest`.
    public static func range(_ text: String) -> ClosedRange<Int64>? {
        let dots = text.utf8.indices.first { text.utf8[$0] == UInt8(ascii: ".") }
        guard let dots, text[dots...].hasPrefix("..") else { return nil }
        guard let shortest = microseconds(String(text[..<dots])),
            let upper = microseconds(String(text[dots...].dropFirst(2))), (0...longest).contains(upper),
            (0...upper).contains(shortest)
        else { return nil }
        return shortest...upper
    }

    /// Parses a duration in microseconds.
    ///
    /// Returns `nil` if the text is invalid or overflows 64 bits.
    ///
    /// Negative durations are parsed, so that callers can reject them with their own message.
    public static func microseconds(_ text: String) -> Int64? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let number = text.dropLast(unit.name.count)
        guard number.first != "+", let count = Int64(number) else { return nil }
        let (duration, overflow) = count.multipliedReportingOverflow(by: unit.microseconds)
        return overflow ? nil : duration
    }
}
