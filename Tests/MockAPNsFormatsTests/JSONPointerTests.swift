import Testing

@testable import MockAPNsFormats

@Suite struct JSONPointerTests {
    @Test(arguments: [
        ("", ""), ("/aps/alert", "aps.alert"), ("/0/a", "[0].a"), ("/devices/12/x-y", "devices[12].x-y"),
        ("/a~1b/~0", "a/b.~"), ("/a~2", "a~2"),
    ]) func `is written in words`(_ pointer: String, _ words: String) { #expect(JSONPointer.words(pointer) == words) }

    /// The document of RFC 6901, section 5.
    static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    static let rows: [(String, JSONValue?)] = [
        ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3),
        ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8), ("/foo/2", nil), ("/foo/01", nil),
        ("/foo/-", nil), ("/foo/bar", nil), ("/nothing", nil), ("/foo/0/x", nil), ("/foo/99999999999999999999", nil),
        ("/foo/", nil),
    ]

    @Test(arguments: rows) func `a pointer finds its value`(text: String, value: JSONValue?) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(pointer.value(in: Self.document) == value)
        #expect(pointer.description == text)
    }

    /// A slash or tilde and a combining accent are one character, and still a slash or tilde in a pointer.
    @Test func `accents after a slash or tilde change nothing`() throws {
        let name = "a/\u{301}b~\u{301}"
        let pointer = try #require(JSONPointer("/" + JSONPointer.escaped(name)))
        #expect(pointer.value(in: .object([name: 1])) == 1)
        let nested: JSONValue = ["a": ["\u{301}b": 2]]
        #expect(JSONPointer("/a/\u{301}b")?.value(in: nested) == 2)
        #expect(JSONPointer("/\u{301}b")?.value(in: ["\u{301}b": 3]) == 3)
    }

    @Test(arguments: ["foo", "foo/bar", "/~", "/~2", "/a~", "~0"]) func `refuses text that is not a pointer`(
        text: String
    ) { #expect(JSONPointer(text) == nil) }
}
