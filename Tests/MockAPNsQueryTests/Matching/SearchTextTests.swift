import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsQuery

@Suite struct SearchTextTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    static let written: [(String, String)] = [
        ("", ""), ("  a   b ", "a b"), ("a AND b", "a b"), ("a OR b c", "a OR b c"), ("(a OR b) c", "(a OR b) c"),
        ("(a b) c", "a b c"), ("((a)) OR (b OR c)", "a OR b OR c"), ("NOT a", "!a"), ("NOT NOT a", "a"),
        ("!NOT", "!\"NOT\""), ("\"NOT\"", "\"NOT\""), ("-is:rejected", "!is:rejected"), ("-a", "-a"),
        ("NOT (a b)", "NOT (a b)"), ("NOT(a OR b)", "NOT (a OR b)"), ("!(a)", "!a"), ("!!a", "!\"!a\""),
        ("NOT !a", "a"), ("\"a:b\"", "\"a:b\""), ("text:a(b)", "text:\"a(b)\""), ("(foo(bar))", "\"foo(bar)\""),
        ("payload:/a=\"b c\"", "payload:/a=\"b c\""), ("payload:\"/a=b\"", "payload:\"/a=b\""),
        ("payload:=1", "payload:\"\"=1"), ("header:x=", "header:x=\"\""),
        ("title:\"a \\\" \\\\\"", "title:\"a \\\" \\\\\""), ("priority:\">5\"", "priority:\">5\""),
        ("status:>=400", "status:>=400"), ("(a)b", "a b"), ("a(b", "\"a(b\""),
    ]

    @Test(arguments: written) func `a search has one canonical form`(text: String, wanted: String) throws {
        let search = try SearchText(text, now: Self.now)
        #expect(search.expression.text == wanted)
        #expect(try SearchText(wanted, now: Self.now).condition == search.condition)
    }

    static let same: [(String, String)] = [
        ("a b OR c d", "(a AND b) OR (c AND d)"), ("NOT a b", "(NOT a) b"), ("a NOT b", "a AND (NOT b)"),
        ("!a OR b", "(NOT a) OR b"), ("a OR b AND c OR d", "a OR (b c) OR d"), ("NOT (a) OR b", "(!a) OR b"),
    ]

    @Test(arguments: same) func `not binds before and, and before or`(text: String, other: String) throws {
        #expect(try SearchText(text, now: Self.now).condition == SearchText(other, now: Self.now).condition)
    }

    @Test func `a search asks for a response by a key, a class or a reason`() {
        for text in ["is:rejected", "a OR status:400", "NOT 4xx", "BadTopic", "status:>399", "(a (reason:BadTopic))"] {
            #expect(SearchText.asksForVerdict(text), "\(text)")
        }
        for text in ["410", "badtopic", "type:alert", "a OR b", "(", "size:>4000"] {
            #expect(!SearchText.asksForVerdict(text), "\(text)")
        }
    }

    @Test func `the parts of a search that a fault cannot know are named`() throws {
        let text = "a OR is:delivered (seq:>4 OR NOT (latency:>1s is:faulted)) size:>1"
        #expect(
            try SearchText(text, now: Self.now).condition.partsKnownLater == [
                "delivery", "seq", "latency", "is:faulted",
            ])
    }
}
