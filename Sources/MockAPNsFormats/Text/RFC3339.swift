/// Dates in RFC 3339 format, as microseconds since 1970-01-01T00:00:00Z.
public enum RFC3339 {
    /// The representable range: years 1 to 9999.
    public static let writable: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Formats a date in UTC with microseconds.
    public static func text(_ microseconds: Int64) -> String {
        let (second, microsecond) = split(microseconds, by: 1_000_000)
        let (day, secondOfDay) = split(second, by: 86_400)
        let date = Self.date(ofDay: day)
        let hasFourDigits = (0...9_999).contains(date.year)
        let text = String(unsafeUninitializedCapacity: 27) { text in
            var at = 0
            func write(_ number: Int64, _ width: Int, _ sign: Unicode.Scalar) {
                var rest = number
                for position in (at..<at + width).reversed() {
                    text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                text[at + width] = UInt8(ascii: sign)
                at += width + 1
            }
            write(hasFourDigits ? date.year : 0, 4, "-")
            write(date.month, 2, "-")
            write(date.day, 2, "T")
            write(secondOfDay / 3_600, 2, ":")
            write(secondOfDay / 60 % 60, 2, ":")
            write(secondOfDay % 60, 2, ".")
            write(microsecond, 6, "Z")
            return at
        }
        // Outside the format's range, but a clock that is far off must still be displayed.
        return hasFourDigits ? text : String(date.year) + text.dropFirst(4)
    }

    /// Parses a date with any UTC offset.
    ///
    /// Digits beyond microseconds are ignored. Leap seconds are rejected, because UNIX time cannot represent them.
    public static func microseconds(_ text: String) -> Int64? {
        var reader = DigitReader(rest: Substring(text).utf8)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("Tt "), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            let microsecond = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty, hour < 24,
            minute < 60, second < 60, (1...12).contains(month), day >= 1
        else { return nil }
        let date = (year: year, month: month, day: day)
        let days = Self.day(ofDate: date)
        // A day beyond the end of its month converts back to a different date.
        guard Self.date(ofDay: days) == date else { return nil }
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return seconds * 1_000_000 + microsecond
    }

    /// Division that rounds down, so that the remainder is never negative.
    private static func split(_ number: Int64, by size: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: size)
        return rest < 0 ? (quotient - 1, rest + size) : (quotient, rest)
    }

    /// The date of a day counted from 1970-01-01, in the Gregorian calendar.
    ///
    /// Counts years from March, which puts the leap day at the end of the year: month lengths then follow the
    /// line (153 m + 2) / 5, and 400 years always have 146,097 days.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = split(day + 719_468, by: 146_097)
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = (monthFromMarch + 2) % 12 + 1
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// The day of a date, counted from 1970-01-01; the reverse of `date(ofDay:)`.
    private static func day(ofDate date: (year: Int64, month: Int64, day: Int64)) -> Int64 {
        let yearFromMarch = date.month <= 2 ? date.year - 1 : date.year
        let (era, yearOfEra) = split(yearFromMarch, by: 400)
        let monthFromMarch = (date.month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + date.day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// Reads the parts of a date from left to right.
private struct DigitReader {
    var rest: Substring.UTF8View

    /// Takes one of several ASCII characters.
    mutating func take(_ characters: String) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number with exactly `width` digits.
    mutating func number(_ width: Int) -> Int64? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        rest.removeFirst(width)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Reads the fraction in microseconds: 0 if there is none, `nil` for a point without digits.
    mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        var (microseconds, weight): (Int64, Int64) = (0, 1_000_000)
        while let digit = number(1) {
            weight /= 10
            microseconds += digit * weight
        }
        return weight == 1_000_000 ? nil : microseconds
    }

    /// Reads the UTC offset in seconds.
    mutating func offset() -> Int64? {
        if take("Zz") { return 0 }
        let sign: Int64 = take("-") ? -1 : 1
        guard sign < 0 || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
