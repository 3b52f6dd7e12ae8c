import Testing

@testable import MockAPNsInspector

@Suite struct SuggestionTests {
    static let distances: [(String, String, Int)] = [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1),
        ("ab", "abc", 1), ("limit", "limti", 1), ("kitten", "sitting", 3), ("ab", "ba", 1),
        ("abcd", "badc", 2),
        ("é", "e", 1), ("topic", "token", 3), ("ca", "abc", 3),
    ]

    @Test(arguments: distances) func `a distance counts slips`(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(left, right) == distance)
        #expect(Suggestion.distance(right, left) == distance)
    }

    static let nearest: [(String, String?)] = [
        ("limt", "limit"), ("Topic", "topic"), ("deviceToken", "token"), ("type", "pushType"),
        ("reasons", "reason"),
        ("befor", "before"), ("colour", nil), ("", nil), ("x", nil),
        (String(repeating: "limit", count: 20), nil),
    ]

    @Test(arguments: nearest) func `the nearest is found, or nothing`(text: String, suggestion: String?) {
        #expect(Suggestion.nearest(to: text, among: PushRoutes.listParameters) == suggestion)
    }
}

@Suite struct PercentEncodingTests {
    static let table: [(String, String?)] = [
        ("a%20b", "a b"), ("a+b", "a+b"), ("%C3%a9", "é"), ("%", nil), ("%2", nil), ("%zz", nil),
        ("%ff", nil),
        ("seq%3A1", "seq:1"), ("", ""),
    ]

    @Test(arguments: table) func `text is decoded, or refused`(text: String, decoded: String?) {
        #expect(PercentEncoding.decode(text) == decoded)
    }

    @Test func `a plus is a space in a query alone`() {
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }
}
