import Testing

@testable import MockAPNsFormats

@Suite struct SuggestionTests {
    static let distances: [(String, String, Int)] = [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1),
        ("ab", "abc", 1), ("limit", "limti", 1), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abcd", "badc", 2),
        ("é", "e", 1), ("topic", "token", 3), ("ca", "abc", 3),
    ]

    @Test(arguments: distances) func `the distance counts letters that are missing, added, changed or swapped`(
        left: String, right: String, distance: Int
    ) {
        #expect(Suggestion.distance(left, right) == distance)
        #expect(Suggestion.distance(right, left) == distance)
    }

    static let names = [
        "after", "before", "since", "token", "device", "topic", "pushType", "priority", "collapseId", "apnsId",
        "environment", "connection", "outcome", "status", "reason", "delivery", "order", "limit", "fields", "wait",
    ]

    static let nearest: [(String, String?)] = [
        ("limt", "limit"), ("Topic", "topic"), ("deviceToken", "token"), ("type", "pushType"), ("reasons", "reason"),
        ("befor", "before"), ("colour", nil), ("", nil), ("x", nil), (String(repeating: "limit", count: 20), nil),
    ]

    @Test(arguments: nearest) func `suggests the nearest word, or nothing if none is near`(
        text: String, suggestion: String?
    ) { #expect(Suggestion.nearest(to: text, among: Self.names) == suggestion) }
}
