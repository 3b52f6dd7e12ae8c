import Testing

@testable import MockAPNsFormats

@Suite struct DecimalNumberTests {
    /// Numbers from small to large; those of one row are equal.
    static let ordered: [[String]] = [
        ["-1e300"], ["-10", "-1e1", "-10.0"], ["-9.5"], ["-0.001", "-1E-3"],
        ["0", "-0", "0.0", "0e5", "0e-99999999999"], ["1e-300"], ["0.1", "1e-1", "0.10"], ["0.11"],
        ["1", "1.0", "100e-2"], ["9", "9.00"], ["10", "1e1", "1e+1"], ["9007199254740992"],
        ["9007199254740993", "9007199254740993.0"], ["18446744073709551615"], ["1e300"],
    ]

    @Test func `numbers are ordered by size, and equal in any notation`() throws {
        for (left, lefts) in Self.ordered.enumerated() {
            for (right, rights) in Self.ordered.enumerated() {
                for (first, second) in lefts.flatMap({ first in rights.map { (first, $0) } }) {
                    let (first, second) = (try number(first), try number(second))
                    #expect((first < second) == (left < right))
                    #expect((first == second) == (left == right))
                }
            }
        }
    }

    static let multiples: [(String, String, Bool)] = [
        ("10", "2", true), ("7", "2", false), ("0", "2", true), ("-4", "2", true), ("4.5", "1.5", true),
        ("0.0075", "0.0001", true), ("0.00751", "0.0001", false), ("1e300", "7", false), ("1e300", "8", true),
        ("12345678901234567890123456789", "999999999999999999", false),
        ("999999999999999999000000000000000001e0", "999999999999999999", false),
        ("999999999999999999e9", "999999999999999999", true), ("1e-300", "1e300", false), ("1e300", "1e-99", true),
    ]

    @Test(arguments: multiples) func `multiples are found with all digits`(
        _ value: String, _ divisor: String, _ isSo: Bool
    ) throws { #expect(try number(value).isMultiple(of: try number(divisor)) == isSo) }

    private func number(_ text: String) throws -> DecimalNumber {
        let value = try #require(JSONParser.value(of: Array(text.utf8)))
        return try #require(DecimalNumber(value))
    }
}
