import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsPreview

@Suite struct DrawnTextTests {
    private static let font = DrawnText.Font(size: 15)

    static let cleaned: [(given: String, text: String)] = [
        ("plain", "plain"), ("a\tb", "a b"), ("a\r\nb\u{2028}c", "a\nb\nc"), ("a\0\u{7}\u{1b}[31mb", "a[31mb"),
        ("\u{202e}evil\u{202c}", "evil"), ("\u{2066}a\u{2069}", "a"),
        (Noncharacters.text + "x" + Noncharacters.text, "x"), ("a\u{85}\u{9f}b", "a\nb"), ("👨‍👩‍👧‍👦🏳️‍🌈🇦🇹", "👨‍👩‍👧‍👦🏳️‍🌈🇦🇹"),
        ("שלום", "שלום"), ("नमस्ते", "नमस्ते"), ("é", "é"), ("\u{feff}a\u{200b}b", "ab"),
    ]

    @Test(arguments: cleaned) func `characters that break a picture are removed`(given: String, text: String) {
        #expect(Array(DrawnText(given).text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test func `combining marks are limited per character`() {
        let text = DrawnText("Z" + String(repeating: "\u{301}", count: 4_000) + "algo").text
        #expect(text.unicodeScalars.count == 8)
        #expect(DrawnText(String(repeating: "x", count: 100_000)).text.count == 2_000)
    }

    static let directions: [(text: String, isRightToLeft: Bool)] = [
        ("", false), ("Hi", false), ("123", false), ("مرحبا", true), ("שלום Hi", true), ("Hi שלום", false),
        ("1. مرحبا", true), ("😀 مرحبا", true), ("日本", false), ("\u{200f}Hi", true),
    ]

    @Test(arguments: directions) func `the first letter decides the direction of a text`(
        text: String, isRightToLeft: Bool
    ) { #expect(DrawnText(text).isRightToLeft == isRightToLeft) }

    static let breaks: [(text: String, most: Int, lines: [String])] = [
        ("", 4, []), ("\n\n", 4, []), ("one", 4, ["one"]), ("one two three four", 4, ["one two", "three four"]),
        ("one\ntwo\n\nthree", 4, ["one", "two", "", "three"]), ("one two three four", 1, ["one two…"]),
        ("a\nb\nc\nd\ne", 4, ["a", "b", "c", "d…"]), ("mmmmmmmmmmmm", 4, ["mmmmmm", "mmmmmm"]),
        ("日本語日本語日本語", 4, ["日本語日本", "語日本語"]), ("日本語日本語日本語", 1, ["日本語日…"]), ("one    two", 4, ["one    two"]),
        ("  one \n", 4, ["one"]), ("a\nb\nc\n\nd", 3, ["a", "b", "c…"]), ("a\n\n\n\nb", 2, ["a", "…"]), ("one", 0, []),
    ]

    @Test(arguments: breaks) func `lines break between words`(text: String, most: Int, lines: [String]) {
        #expect(DrawnText(text).lines(Self.font, width: 88, most: most) == lines)
    }

    @Test func `no line is wider than its place, and text is cut only at the end`() {
        var random = SplitMix64(seed: 7)
        let alphabet = Array("abcWi .-/\n日本😀éمש")
        for _ in 0..<400 {
            let length = Int(random.next() % 120)
            let text = String((0..<length).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            let width = Double(40 + random.next() % 200)
            for most in [1, 3, 1_000] {
                let drawn = DrawnText(text)
                let lines = drawn.lines(Self.font, width: width, most: most)
                #expect(lines.count <= most)
                for line in lines { #expect(TextMeasure.width(of: line, Self.font) <= width, "\(line)") }
                let isCut = lines.last?.hasSuffix("…") == true
                let shown = lines.joined().filter { $0 != " " && $0 != "…" }
                let all = drawn.text.filter { $0 != " " && $0 != "\n" }
                #expect(isCut ? all.hasPrefix(shown) && shown.count <= all.count : all == shown, "\(text)")
            }
        }
    }
}
