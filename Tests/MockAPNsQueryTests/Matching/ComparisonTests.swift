import MockAPNsFormats
import Testing

@testable import MockAPNsQuery

@Suite struct ComparisonTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let comparison: Comparison
        let isText: Bool
        let fitting: [JSONValue?]
        let others: [JSONValue?]
        var testDescription: String { "\(comparison)\(isText ? " of a text" : "")" }

        init(_ comparison: Comparison, isText: Bool = false, _ fitting: [JSONValue?], not others: [JSONValue?]) {
            (self.comparison, self.isText, self.fitting, self.others) = (comparison, isText, fitting, others)
        }
    }

    static let rows = [
        Row(.equals("Hi"), ["Hi"], not: ["hi", "Hi ", nil, 1, .null]),
        Row(.equals(3), [3, .literal("3.0"), .literal("30e-1")], not: ["3", 4, nil, true]),
        Row(.equals(3), isText: true, ["3", 3], not: ["03", "3.0", nil]),
        Row(.equals(.integer(.max)), [.integer(.max)], not: [.integer(.max - 1)]),
        Row(.equals(.null), [.null], not: [nil, 0, "null"]), Row(.equals(true), [true], not: ["true", 1, false]),
        Row(
            .equals(["a": [1, 2]]), [["a": [1, .literal("2.0")]]], not: [["a": [2, 1]], ["a": [1, 2], "b": 1], [:]]),
        Row(.includes(["a": 1]), [["a": 1], ["a": 1, "b": 2]], not: [["b": 2], [], "a", nil]),
        Row(.includes(["a": ["b": 1]]), [["a": ["b": 1, "c": 2]]], not: [["a": 1], ["a": ["c": 2]]]),
        Row(.includes(["a": [1, 2]]), [["a": [3, 2, 1]]], not: [["a": [1]], ["a": [1, 3]]]),
        Row(.contains("rde"), ["Order"], not: ["Odrer", "", 7, nil, ["Order"]]),
        Row(.contains("x"), [["y", "x"]], not: [["xy"], []]), Row(.contains(""), ["", "a"], not: [nil]),
        Row(.contains("é"), ["café"], not: ["cafe"]), Row(.startsWith("Or"), ["Order"], not: ["order", "O", nil]),
        Row(.endsWith("er"), ["Order"], not: ["Orders", "r", nil]),
        Row(.among([1, "a"]), [1, "a", .literal("1.0")], not: [2, "1", nil]),
        Row(.number(.gt, 1), [2, .literal("1.5")], not: [1, 0, "2", nil]),
        Row(.number(.gte, 1), [1, 2], not: [0, "1", nil]),
        Row(.number(.gte, 1), isText: true, ["1", "2"], not: ["0", "x"]),
        Row(.number(.lt, 1), [0, .literal("0.5")], not: [1, nil]), Row(.number(.lte, 1), [1, 0], not: [2, nil, "0"]),
        Row(.present, [1, .null, "", false], not: [nil]), Row(.absent, [nil], not: [1, .null]),
        Row(.not([.equals(1)]), [2, nil, "1"], not: [1]),
        Row(.not([.number(.gte, 1), .number(.lte, 3)]), [0, 4, nil], not: [1, 2, 3]),
    ]

    @Test(arguments: rows) func `a comparison holds for exactly the values it describes`(row: Row) {
        for value in row.fitting {
            #expect(row.comparison.holds(for: value, isText: row.isText, StepBudget(.max)), "\(value as Any)")
        }
        for value in row.others {
            #expect(!row.comparison.holds(for: value, isText: row.isText, StepBudget(.max)), "\(value as Any)")
        }
    }

    @Test(arguments: [("", "", true), ("a", "", true), ("", "a", false), ("aab", "ab", true), ("aaa", "ab", false)])
    func `a part of a text is found`(text: String, part: String, isThere: Bool) {
        #expect(Comparison.find(part, in: text) == isThere)
    }
}
