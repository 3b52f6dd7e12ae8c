import TestSupport
import Testing

/// What a golden test shows.
struct LineDifferenceTests {
    private static let lines = (1...20).map { "\($0)\n" }.joined()

    @Test func `equal texts have no difference`() { #expect(LineDifference.text(Self.lines, Self.lines) == nil) }

    @Test func `changed lines are shown with three lines before and after`() {
        let text = Self.lines.replacing("\n9\n", with: "\nnine\nmore\n").replacing("20\n", with: "20")
        #expect(
            LineDifference.text(text, Self.lines) == """
                @@ line 6 @@
                  6
                  7
                  8
                - 9
                + nine
                + more
                  10
                  11
                  12
                @@ line 18 @@
                  18
                  19
                  20
                -\u{20}
                """)
    }

    @Test func `a long line is shown from shortly before its first difference`() {
        let start = String(repeating: "a", count: 300)
        let difference = LineDifference.text(start + "b", start + "c")
        let window = "…" + String(repeating: "a", count: 50)
        #expect(
            difference == """
                @@ line 1 @@
                - \(window)c… (301 characters, different from 300 on)
                + \(window)b… (301 characters, different from 300 on)
                """)
    }
}
