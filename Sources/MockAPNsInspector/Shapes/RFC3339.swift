internal import MockAPNsRules

extension Timestamp {
    /// The last moment of the year 9999, beyond which RFC 3339 has no way to write a time, in UNIX seconds.
    static let lastWritableSecond = 253_402_300_799.0

    /// The moment as RFC 3339 writes it, in UTC and with microseconds.
    var rfc3339: String {
        let (second, microsecond) = Self.split(microseconds, by: 1_000_000)
        let (day, secondOfDay) = Self.split(second, by: 86_400)
        let date = Self.date(ofDay: day)
        let time = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        return Self.digits(date.year, 4) + "-" + Self.digits(date.month, 2) + "-" + Self.digits(date.day, 2)
            + "T" + Self.digits(time.0, 2) + ":" + Self.digits(time.1, 2) + ":" + Self.digits(time.2, 2)
            + "." + Self.digits(microsecond, 6) + "Z"
    }

    /// Division that rounds down, so that what is left over is never negative.
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
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    private static func digits(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
