import Testing

@testable import MockAPNsFormats

@Suite struct DurationTextTests {
    static let durations: [(String, Int64?)] = [
        ("500ms", 500_000), ("5s", 5_000_000), ("2m", 120_000_000), ("1h", 3_600_000_000), ("30d", 2_592_000_000_000),
        ("0s", 0), ("-1h", -3_600_000_000), ("007s", 7_000_000), ("106751991d", 9_223_372_022_400_000_000),
        ("106751992d", nil), ("9223372036854775808ms", nil), ("", nil), ("s", nil), ("5", nil), ("5 s", nil),
        (" 5s", nil), ("5S", nil), ("1.5h", nil), ("+5s", nil), ("1h30m", nil), ("5us", nil), ("ms", nil),
        ("--1s", nil), ("٥s", nil),
    ]

    @Test(arguments: durations) func `a duration is a number and a unit`(text: String, microseconds: Int64?) {
        #expect(DurationText.microseconds(text) == microseconds)
    }
}
