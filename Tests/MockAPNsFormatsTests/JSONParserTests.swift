import Foundation
import Testing

@testable import MockAPNsFormats

@Suite struct JSONParserTests {
    static let kept: [(String, String)] = [
        ("{}", "{}"), (" [ ] ", "[]"), ("null", "null"), ("[true,false]", "[true,false]"),
        ("18446744073709551615", "18446744073709551615"), ("-9223372036854775808", "-9223372036854775808"),
        ("123456789012345678901234567890", "123456789012345678901234567890"), ("1e999", "\"1e999\""),
        ("1e-999", "1e-999"), ("1.0", "1.0"), ("-0", "0"), ("0.1E-5", "0.1E-5"),
        (#""\u00e9\ud83d\ude00\/""#, "\"é😀/\""), (#"{"a":1,"a":2}"#, #"{"a":2}"#),
        (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#),
        (#""\u0000\u001f\u007f\b\f\n\r\t\"\\""#, #""\u0000\u001f\u007f\u0008\u000c\n\r\t\"\\""#),
        (#""\ud800""#, "\"\u{fffd}\""), (#""\ud800x""#, "\"\u{fffd}x\""), (#""\ud800\u0041""#, "\"\u{fffd}A\""),
        (#""\udc00""#, "\"\u{fffd}\""),
    ]

    @Test(arguments: kept) func `a value comes back as it was sent`(text: String, written: String) {
        #expect(JSONParser.value(of: Array(text.utf8)).map { String(decoding: $0.text, as: UTF8.self) } == written)
    }

    static let refused = [
        "", " ", "{", "[", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "01", "+1", ".5", "1.", "1e",
        "-", "nul", "nullx", "tru", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "1 2", "{}\0",
        "{\0}\0", "\u{feff}{}", "NaN", "Infinity", "'a'",
    ]

    @Test func `a name that comes twice is refused where that is asked for`() throws {
        let text = Array(#"{"a":{"b":1,"c":2,"b":3}}"#.utf8)
        #expect(JSONParser.value(of: text)?["a"]?["b"] == 3)
        #expect { try JSONParser.parse(text, repeatedNames: .refused) } throws: { error in
            (error as? JSONParser.Failure)?.offset == 18
        }
        let once = Array(#"[{"a":1},{"a":2}]"#.utf8)
        #expect(try JSONParser.parse(once, repeatedNames: .refused) == [["a": 1], ["a": 2]])
    }

    @Test(arguments: refused) func `what is not JSON is refused`(text: String) {
        #expect(JSONParser.value(of: Array(text.utf8)) == nil)
    }

    @Test(arguments: [[0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0xff]])
    func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) { #expect(JSONParser.value(of: bytes) == nil) }

    @Test func `refuses nesting beyond the limit without reading on`() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
            Array((String(repeating: open, count: depth) + String(repeating: close, count: depth)).utf8)
        }
        #expect(JSONParser.value(of: nested(128, "[", "]")) != nil)
        #expect(JSONParser.value(of: nested(129, "[", "]")) == nil)
        #expect(JSONParser.value(of: nested(100_000, "[", "]")) == nil)
        #expect(JSONParser.value(of: nested(100_000, "{\"a\":", "}")) == nil)
        #expect(JSONParser.value(of: Array(String(repeating: "[", count: 100_000).utf8)) == nil)
        #expect(JSONParser.value(of: Array("{\"a\":\"".utf8) + nested(100_000, "[", "]")) == nil)
    }

    @Test func `Foundation reads what is written, whatever was read`() throws {
        var random = SystemRandomNumberGenerator()
        let pieces = Array(#"{}[]":,\u0123456789abcdeftrunl.-+E "#.utf8) + [0xc3, 0xa9, 0x80]
        for _ in 0..<20_000 {
            let length = Int.random(in: 1...12, using: &random)
            let text = (0..<length).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
            guard let value = JSONParser.value(of: text) else { continue }
            let written = Data(value.text)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: written, options: .fragmentsAllowed) }
            #expect(JSONParser.value(of: Array(written)) == value)
        }
    }
}

@Suite struct JSONValueTests {
    @Test func `numbers of every type are written whole`() {
        let values: JSONValue = [
            JSONValue(UInt64.max), JSONValue(Int64.min), JSONValue(Int32(-1)), .number(0.8), .number(.infinity),
            .number(.nan), JSONValue(nil), JSONValue("x"), true,
        ]
        let expected = #"[18446744073709551615,-9223372036854775808,-1,0.8,null,null,null,"x",true]"#
        #expect(String(decoding: values.text, as: UTF8.self) == expected)
    }

    @Test func `members have one order, also where Swift has none for their names`() {
        let names = ["e\u{301}", "é;", "a"]
        // A dictionary's own order depends on its size.
        let texts = (0..<12).map { scale in
            var members: [String: JSONValue] = Dictionary(minimumCapacity: 1 << scale)
            for name in names { members[name] = .null }
            return String(decoding: JSONValue.object(members).text, as: UTF8.self)
        }
        #expect(Set(texts) == ["{\"a\":null,\"e\u{301}\":null,\"é;\":null}"])
    }
}
