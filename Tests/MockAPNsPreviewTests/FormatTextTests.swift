import Testing

@testable import MockAPNsPreview

@Suite struct FormatTextTests {
    static let texts: [(format: String, arguments: [String], text: String, remarks: Int)] = [
        ("", [], "", 0), ("plain", ["a"], "plain", 0), ("%@", ["a"], "a", 0), ("%@ %@", ["a", "b"], "a b", 0),
        ("%2$@ %1$@", ["a", "b"], "b a", 0), ("%1$@ %1$@", ["a"], "a a", 0), ("%2$@ %@ %@", ["a", "b"], "b a b", 0),
        ("100%%", [], "100%", 0), ("%%@", ["a"], "%@", 0), ("%@", [], "(null)", 1), ("%3$@", ["a"], "(null)", 1),
        ("%0$@", ["a"], "(null)", 1), ("%@%@%@", ["a"], "a(null)(null)", 2), ("%d", ["3"], "3", 1),
        ("%ld of %lu", ["1", "2"], "1 of 2", 2), ("%s", ["a"], "a", 1), ("%.2f", ["1.5"], "1.5", 1),
        ("%1$d%2$@", ["1", "b"], "1b", 1), ("%-10.3@|", ["a"], "a|", 0), ("%", ["a"], "%", 1),
        ("50% off", ["a"], "50a" + "ff", 1), ("%y", [], "%y", 1), ("%1$", ["a"], "%1$", 1),
        ("%99999999999999999999$@", ["a"], "%99999999999999999999$@", 1), ("%@", ["%@"], "%@", 0),
        ("é%@😀", ["ü"], "éü😀", 0),
    ]

    @Test(arguments: texts) func `placeholders are filled`(
        format: String, arguments: [String], text: String, remarks: Int
    ) {
        let filled = FormatText(format, arguments)
        #expect(filled.text == text)
        #expect(filled.remarks.count == remarks, "\(filled.remarks)")
    }

    @Test func `a text that arguments make too long is cut`() {
        let argument = String(repeating: "x", count: 4_000)
        let filled = FormatText(String(repeating: "%1$@", count: 100_000), [argument])
        #expect(filled.text.utf8.count < 30_000)
        #expect(filled.remarks == ["the text is too long to be shown whole"])
    }
}
