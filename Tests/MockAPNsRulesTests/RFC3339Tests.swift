import Foundation
import MockAPNsRules
import Testing

@Suite struct RFC3339Tests {
    static let table: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000000Z"), (1_767_607_872_345_678, "2026-01-05T10:11:12.345678Z"),
        (951_782_399_999_999, "2000-02-28T23:59:59.999999Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        (253_402_300_799_000_000, "9999-12-31T23:59:59.000000Z"),
    ]

    @Test(arguments: table) func `a moment is written in UTC`(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
    }

    @Test func `Foundation agrees on every day of four centuries`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: Int64(-70_000), to: 80_000, by: 13) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let expected = [parts.year, parts.month, parts.day].map { String($0 ?? 0) }
            let text = Timestamp(seconds: day * 86_400).rfc3339.prefix(10)
            #expect(text.split(separator: "-").map { String(Int($0) ?? -1) } == expected)
        }
    }

    @Test func `what can be written are the years 1 to 9999`() {
        let bounds = Timestamp.writable
        #expect(bounds.lowerBound.rfc3339 == "0001-01-01T00:00:00.000000Z")
        #expect(bounds.upperBound.rfc3339 == "9999-12-31T23:59:59.999999Z")
        for (text, isWritable) in [
            ("0000-12-31T23:59:59.999999Z", false), ("0001-01-01T00:00:00+00:01", false),
            ("0001-01-01T00:01:00+00:01", true), ("9999-12-31T23:59:59-00:01", false),
            ("9999-12-31T23:59:59.999999+00:01", true),
        ] { #expect(Timestamp(rfc3339: text).map(bounds.contains) == isWritable, "\(text)") }
    }

    @Test(arguments: [Int64.min, .max]) func `every moment can be written`(microseconds: Int64) {
        #expect(Timestamp(microseconds: microseconds).rfc3339.hasSuffix("Z"))
    }

    static let read: [(String, Int64?)] = [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-05T10:11:12.345678Z", 1_767_607_872_345_678),
        ("2026-01-05t10:11:12.3z", 1_767_607_872_300_000), ("2026-01-05 10:11:12Z", 1_767_607_872_000_000),
        ("2026-01-05T10:11:12.3456789Z", 1_767_607_872_345_678), ("2026-01-05T11:11:12+01:00", 1_767_607_872_000_000),
        ("2026-01-05T04:41:12-05:30", 1_767_607_872_000_000), ("2026-01-05T10:11:12-00:00", 1_767_607_872_000_000),
        ("1969-12-31T23:59:59.999999Z", -1), ("2000-02-29T00:00:00Z", 951_782_400_000_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000_000), ("2026-02-29T00:00:00Z", nil), ("1900-02-29T00:00:00Z", nil),
        ("2026-13-01T00:00:00Z", nil), ("2026-00-01T00:00:00Z", nil), ("2026-01-00T00:00:00Z", nil),
        ("2026-01-32T00:00:00Z", nil), ("2026-04-31T00:00:00Z", nil), ("2026-01-01T24:00:00Z", nil),
        ("2026-01-01T00:60:00Z", nil), ("2026-01-01T00:00:60Z", nil), ("2026-01-01T00:00:00", nil), ("2026-01-01", nil),
        ("2026-01-01T00:00Z", nil), ("", nil), ("2026-01-01T00:00:00.Z", nil), ("2026-01-01T00:00:00Z ", nil),
        (" 2026-01-01T00:00:00Z", nil), ("2026-1-01T00:00:00Z", nil), ("2026-01-01T00:00:00+24:00", nil),
        ("2026-01-01T00:00:00+01:60", nil), ("2026-01-01T00:00:00+0100", nil), ("2026-01-01T00:00:00 01:00", nil),
        ("+026-01-01T00:00:00Z", nil), ("2100-02-29T00:00:00Z", nil), ("2026-01-01T00:00:00,5Z", nil),
        ("2026-01-01T00Z", nil), ("2026-01-01T00:00:00+01", nil), ("2026-01-01T00:00:00ZZ", nil),
        ("12026-01-01T00:00:00Z", nil), ("2025-12-31T23:59:59.5-23:59", 1_767_311_939_500_000), ("now", nil),
        ("-026-01-01T00:00:00Z", nil), ("٢٠٢٦-01-01T00:00:00Z", nil), ("1767607872", nil),
    ]

    @Test(arguments: read) func `a moment is read in any offset`(text: String, microseconds: Int64?) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test func `what is written can be read`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let moment = Timestamp(
                microseconds: .random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &generator))
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
        }
    }
}
