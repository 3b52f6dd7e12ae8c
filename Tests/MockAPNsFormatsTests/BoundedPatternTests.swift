import Testing

@testable import MockAPNsFormats

@Suite struct BoundedPatternTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String
        let fitting: [String]
        let others: [String]
        var testDescription: String { pattern }

        init(_ pattern: String, _ fitting: [String], not others: [String]) {
            (self.pattern, self.fitting, self.others) = (pattern, fitting, others)
        }
    }

    static let rows = [
        Row("", ["", "a"], not: []), Row("ab", ["ab", "xaby"], not: ["", "a", "ba"]),
        Row("^ab$", ["ab"], not: ["xab", "abx", ""]), Row("a.c", ["abc", "aéc", "a😀c"], not: ["ac", "a\nc"]),
        Row("^a*$", ["", "a", "aaaa"], not: ["b", "ab"]), Row("^a+$", ["a", "aaa"], not: ["", "b"]),
        Row("^a?b$", ["b", "ab"], not: ["aab"]), Row("^a{2}$", ["aa"], not: ["a", "aaa"]),
        Row("^a{2,}$", ["aa", "aaaaa"], not: ["a"]), Row("^a{1,3}$", ["a", "aa", "aaa"], not: ["", "aaaa"]),
        Row("^a{0}b$", ["b"], not: ["ab"]), Row("^(ab|cd)+$", ["ab", "cdab"], not: ["", "abc", "ac"]),
        Row("^(?:a|b|)c$", ["ac", "bc", "c"], not: ["abc"]), Row("[a-c]", ["b"], not: ["d", ""]),
        Row("^[^a-c]$", ["d", "é"], not: ["a", "b", ""]), Row("^[]x]$", ["]", "x"], not: ["a"]),
        Row("^[a-]$", ["a", "-"], not: ["b"]), Row(#"^[\d_]+$"#, ["1_2"], not: ["a"]),
        Row(#"^\d+ \w+\s\D$"#, ["17 order x"], not: ["17 order 7", "x order x"]),
        Row(#"^\.\*\\$"#, [#".*\"#], not: ["xx"]), Row(#"^\[\]\{\}\(\)\|$"#, ["[]{}()|"], not: ["[]"]),
        Row("Order #[0-9]{2,4}", ["Order #17 is here"], not: ["Order #1"]),
        Row("^a.*b.*c$", ["abc", "a1b2c"], not: ["acb"]), Row("(a|b)*c|d", ["ababc", "d", "c"], not: ["ab"]),
    ]

    @Test(arguments: rows) func `an expression matches exactly the texts it describes`(row: Row) throws {
        let pattern = try BoundedPattern(row.pattern)
        for text in row.fitting { #expect(pattern.matches(text, StepBudget(.max)), "\(text)") }
        for text in row.others { #expect(!pattern.matches(text, StepBudget(.max)), "\(text)") }
    }

    static let refused: [(String, Int)] = [
        ("*a", 0), ("a|*", 2), ("(a", 2), ("a)", 1), ("[a", 2), ("[b-a]", 4), ("a{2,1}", 6), ("a{x}", 2),
        ("a{99999}", 7), (#"a\"#, 2), (#"\b"#, 1), (#"\1"#, 1), ("(?<n>a)", 2), (#"[\D]"#, 3), ("{2}", 0),
    ]

    @Test(arguments: refused) func `refuses an invalid expression with the position of the mistake`(
        text: String, offset: Int
    ) { #expect { try BoundedPattern(text) } throws: { ($0 as? BoundedPattern.Failure)?.offset == offset } }

    @Test func `refuses an expression that would need too much memory`() {
        let deep = String(repeating: "(", count: 60) + String(repeating: ")", count: 60)
        for text in [String(repeating: "a", count: 513), "(((a{100}){100}){100}){100}", deep] {
            #expect(throws: BoundedPattern.Failure.self) { try BoundedPattern(text) }
        }
    }

    /// Without an instruction in it, no bound on instructions ends the copying.
    @Test(arguments: ["", "(?:)", "a{0}"]) func `empty groups repeat to nothing`(_ group: String) throws {
        let nested = (0..<12).reduce("(\(group))") { text, _ in "(\(text)){1000}" }
        let pattern = try BoundedPattern("^\(nested)b$")
        #expect(pattern.matches("b"))
        #expect(!pattern.matches("ab"))
    }

    /// Engines that try one way after the other take longer than the universe has for these.
    @Test(arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)(.*)(.*)(.*)x"])
    func `matching takes time in proportion to the text, whatever the expression`(text: String) throws {
        let pattern = try BoundedPattern(text)
        #expect(!pattern.matches(String(repeating: "a", count: 2_000) + "!", StepBudget(.max)))
    }
}
