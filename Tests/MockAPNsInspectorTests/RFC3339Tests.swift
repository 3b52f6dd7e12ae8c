import Foundation
import MockAPNsRules
import Testing

@testable import MockAPNsInspector

@Suite struct RFC3339Tests {
    static let table: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000000Z"), (1_767_607_872_345_678, "2026-01-05T10:11:12.345678Z"),
        (951_782_399_999_999, "2000-02-28T23:59:59.999999Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
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

    @Test(arguments: [Int64.min, .max]) func `no moment is too far`(microseconds: Int64) {
        #expect(Timestamp(microseconds: microseconds).rfc3339.hasSuffix("Z"))
    }
}
