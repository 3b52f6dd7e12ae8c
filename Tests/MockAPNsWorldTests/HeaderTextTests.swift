import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsWorld

struct HeaderTextTests {
    /// The text for a push with these fields.
    private static func written(_ fields: [Draft.Field]) -> [UInt8] {
        let batch = RecordBatch()
        Draft(fields: fields).append(to: batch)
        var text = Array("what was there before".utf8)
        HeaderText.write(RecordView(at: batch.bytes.baseAddress!), to: &text)
        return text
    }

    private static func read(_ text: [UInt8]) throws -> [Draft.Field] {
        let found = try text.withUnsafeBufferPointer { text throws(ArchiveError) in try HeaderText.read(ByteSpan(text))
        }
        return found.fields.map { field in
            let name = Array(found.bytes[Int(field.valueOffset - field.nameLength)..<Int(field.valueOffset)])
            let value = found.bytes[Int(field.valueOffset)..<Int(field.valueOffset + field.valueLength)]
            return Draft.Field(
                name: field.name == .other ? name : Array(field.name.text.description.utf8), value: Array(value))
        }
    }

    /// The text as the view `push` shows it.
    private static func shown(_ text: [UInt8]) -> String {
        HeaderText.codes.reduce(String(decoding: text, as: UTF8.self)) { text, name in
            text.split(separator: Character(UnicodeScalar(UInt8(name.code))), omittingEmptySubsequences: false).joined(
                separator: name.text)
        }
    }

    @Test func `fields become lines that people can read`() throws {
        let fields = [
            Draft.Field(":path", "/3/device/ab"), Draft.Field("apns-topic", "com.example.app: x"),
            Draft.Field("user-agent", "a"),
        ]
        let text = Self.written(fields)
        #expect(Self.shown(text) == ":path: /3/device/ab\napns-topic: com.example.app: x\nuser-agent: a\n")
        #expect(try Self.read(text) == fields)
    }

    @Test func `every name that the rules know takes one byte, and no other name begins like one`() throws {
        for name in HeaderName.allCases where name != .other {
            let text = Self.written([Draft.Field(name.text.description, "a")])
            #expect(text == [0x10 + name.rawValue, UInt8(ascii: "a"), UInt8(ascii: "\n")])
            #expect(Self.shown(text) == "\(name.text): a\n")
        }
        let odd = [Draft.Field(name: [0x10], value: [0x11])]
        #expect(try Self.read(Self.written(odd)) == odd)
    }

    @Test func `bytes that cannot be shown are escaped`() {
        let text = Self.written([Draft.Field("a b:c", "1\n2\\é\u{7f}")])
        #expect(Self.shown(text) == #"a\x20b\x3ac: 1\x0a2\x5c\xc3\xa9\x7f"# + "\n")
    }

    @Test func `all fields of three bytes and fewer that matter are read back exactly`() throws {
        let bytes: [UInt8] = [0, 0x0a, 0x20, 0x3a, 0x5c, 0x78, 0x61, 0x7f, 0xff]
        var texts: [[UInt8]] = [[]]
        var longest: [[UInt8]] = [[]]
        for _ in 0..<3 {
            longest = longest.flatMap { text in bytes.map { text + [$0] } }
            texts += longest
        }
        for text in texts {
            let fields = [
                Draft.Field(name: text, value: text), Draft.Field(name: text, value: []),
                Draft.Field(name: [], value: text),
            ]
            #expect(try Self.read(Self.written(fields)) == fields, "\(text)")
        }
    }

    @Test(arguments: [
        ("a: b", "its headers end too early"), ("a\n", "a header has no name"), ("a:b\n", "a header has no name"),
        ("\n", "a header has no name"), ("\u{1d}b\n", "a header has the unknown name 29"),
        ("\u{01}b\n", "a header has the unknown name 1"),
        (#"a: \x4"# + "\n", #"a header has an escape that is not \x and two hex digits"#),
        (#"a: \"# + "\n", #"a header has an escape that is not \x and two hex digits"#),
    ]) func `text that was not written this way is refused`(text: String, problem: String) {
        #expect(throws: ArchiveError.badMember(problem)) { try Self.read(Array(text.utf8)) }
    }
}
