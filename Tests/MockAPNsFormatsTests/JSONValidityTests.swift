import Foundation
import MockAPNsFormats
import TestSupport
import Testing

/// What is JSON and what is not, by the parser that only checks.
@Suite struct JSONValidityTests {
    private static let limit = 512

    private static func isValid(_ text: [UInt8]) -> Bool {
        let isValid = text.withUnsafeBufferPointer { JSONParser.isValid($0, maximumDepth: limit) }
        // Whether a value is made makes no difference.
        #expect((JSONParser.value(of: text, maximumDepth: limit) != nil) == isValid)
        return isValid
    }

    private static func isValid(_ text: String) -> Bool { isValid(Array(text.utf8)) }

    private static func foundationAccepts(_ text: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
    }

    @Test func `agrees with Foundation`() {
        var generator = Generator(seed: 1)
        var valid = 0
        var invalid = 0
        for _ in 0..<20_000 {
            var text = Self.document(&generator)
            if generator.chance(oneIn: 2) { text = generator.damaged(text, with: Self.alphabet) }
            guard !Self.isMatterOfTaste(text) else { continue }
            let expected = Self.foundationAccepts(text)
            if expected { valid += 1 } else { invalid += 1 }
            #expect(Self.isValid(text) == expected, "\(String(decoding: text, as: UTF8.self).debugDescription)")
        }
        // The comparison is worth something only when both kinds come up.
        #expect(valid > 2_000)
        #expect(invalid > 2_000)
    }

    /// Letters soup, in which hardly anything is valid; it must be refused without a crash.
    @Test func `agrees with Foundation on random text`() {
        var generator = Generator(seed: 2)
        for _ in 0..<20_000 {
            let text = generator.array(0...12, of: Self.alphabet)
            guard !Self.isMatterOfTaste(text) else { continue }
            #expect(
                Self.isValid(text) == Self.foundationAccepts(text),
                "\(String(decoding: text, as: UTF8.self).debugDescription)")
        }
    }

    /// Bytes of every value; nothing but survival is asked for.
    @Test func `does not crash on random bytes`() {
        var generator = Generator(seed: 3)
        for _ in 0..<20_000 {
            let text = generator.bytes(0...24)
            _ = Self.isValid([UInt8(ascii: "{"), UInt8(ascii: "\"")] + text)
            _ = Self.isValid(text)
        }
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "0.0", "1e5", "1E+5", "-1.5e-10", "\"\"", "[]", "{}", " [ ] ", "[1,2]",
        "{\"\":{}}", "\"\\u0000\"", "\"\\ud83d\\ude00\"", "\"\u{7f}\"", "\"é\"", "\t\r\n 1 \t\r\n", "{\"a\":1,\"a\":2}",
        "1e999", "123456789012345678901234567890",
        // Half a character is no text, but it is JSON by the letter of RFC 8259.
        "\"\\ud800\"", "\"\\ude00x\"", "\"\\ud800\\ud800\"", "\"\\ud800\\u0041\"", "\"\\ud800\\n\"",
    ]) func `accepts every form of JSON value`(_ text: String) { #expect(Self.isValid(text)) }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", ".5", "1.", "1.e5", "1e", "1e+",
        "0x10", "'a'", "\"", "\"a", "\"\\\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\\u12\"",
        "\"\n\"", "\"\t\"", "\"\u{0}\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "}", "{\"a\"}",
        "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1]]", "1 2", "[}", "{]",
        "/* */1", "1//", "\u{feff}1", "\u{a0}1", "1\u{0}",
    ]) func `refuses text that is not JSON`(_ text: String) { #expect(!Self.isValid(text)) }

    @Test(
        arguments: [
            [0xff], [0x80], [0xc3], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80],
            [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xc3, 0x28],
        ] as [[UInt8]]) func `refuses strings that are not UTF-8`(_ bytes: [UInt8])
    {
        #expect(!Self.isValid([0x22] + bytes + [0x22]))
        #expect(!Self.isValid([0x22] + bytes))
    }

    @Test func `control characters must be escaped`() {
        for byte in UInt8.min..<0x80 where byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
            #expect(Self.isValid([0x22, byte, 0x22]) == (byte >= 0x20))
        }
    }

    @Test func `accepts nesting up to the limit and refuses more`() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + String(repeating: close, count: depth)
        }
        let limit = Self.limit
        #expect(Self.isValid(nested(limit, "[", "]")))
        #expect(!Self.isValid(nested(limit + 1, "[", "]")))
        #expect(Self.isValid(nested(limit - 1, "{\"a\":", "}").replacing("{\"a\":}", with: "{\"a\":1}")))
        #expect(!Self.isValid(nested(limit + 1, "{\"a\":", "}").replacing("{\"a\":}", with: "{}")))
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[[],", "\"\\\"", "[\"", "-", " ", "\\"])
    func `refuses 100,000 repeated pieces without a crash`(_ piece: String) {
        let text = String(repeating: piece, count: 100_000)
        #expect(!Self.isValid(text))
    }

    /// Strings come out as Foundation reads them.
    @Test func `strings agree with Foundation`() throws {
        var generator = Generator(seed: 4)
        for _ in 0..<5_000 {
            let string = Self.string(&generator)
            let text = Array("{\"k\":".utf8) + string + Array("}".utf8)
            guard !Self.isMatterOfTaste(text) else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(text)) as? [String: String]
            let expected = try #require(object?["k"])
            #expect(JSONParser.value(of: text) == ["k": .string(expected)])
        }
    }

    // MARK: - Generated documents

    private static let alphabet = Array("{}[]\":,\\/bfnrtu0123456789aeE+-. \t\n\rx'\u{1}\u{7f}é".utf8)

    /// Where Foundation departs from the letter of RFC 8259, and the parser does not.
    private static func isMatterOfTaste(_ text: [UInt8]) -> Bool {
        // It guesses UTF-16 and UTF-32 from NUL bytes and byte order marks; the RFC knows UTF-8 alone.
        if text.contains(0) || text.starts(with: [0xef, 0xbb, 0xbf]) { return true }
        for (place, byte) in text.enumerated() {
            let rest = text.dropFirst(place + 1)
            switch byte {
            case UInt8(ascii: "\\"):
                // It refuses half a character written as an escape.
                if rest.starts(with: Array("ud".utf8)) || rest.starts(with: Array("uD".utf8)) { return true }
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // It refuses a number too large for a Double.
                let digits = rest.drop { $0 == UInt8(ascii: "+") }.prefix { (0x30...0x39).contains($0) }
                if digits.count > 2 { return true }
            case UInt8(ascii: ","):
                // On Linux it accepts a comma after the last element.
                let next = rest.first { !Array(" \t\r\n".utf8).contains($0) }
                if next == UInt8(ascii: "]") || next == UInt8(ascii: "}") { return true }
            default: break
            }
        }
        return false
    }

    private static func document(_ generator: inout Generator) -> [UInt8] { value(&generator, depth: 0) }

    private static func value(_ generator: inout Generator, depth: Int) -> [UInt8] {
        let space = generator.array(0...1, of: Array(" \t\n\r".utf8))
        let count = Int.random(in: 0...3, using: &generator)
        let inner: [UInt8]
        switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &generator) {
        case 0: inner = Array("null".utf8)
        case 1: inner = Array(generator.pick(["true", "false"]).utf8)
        case 2, 3: inner = number(&generator)
        case 4, 5: inner = string(&generator)
        case 6:
            let elements = (0..<count).map { _ in value(&generator, depth: depth + 1) }
            inner = Array("[".utf8) + elements.joined(separator: Array(",".utf8)) + space + Array("]".utf8)
        default:
            let members = (0..<count).map { _ in
                space + string(&generator) + space + Array(":".utf8) + value(&generator, depth: depth + 1)
            }
            inner = Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8)
        }
        return space + inner + space
    }

    /// Not so large that a reader could not hold it.
    private static func number(_ generator: inout Generator) -> [UInt8] {
        var text = generator.pick(["", "-"])
        text += generator.pick(["0", "\(Int.random(in: 1...99_999, using: &generator))"])
        if generator.chance(oneIn: 3) { text += ".\(Int.random(in: 0...999, using: &generator))" }
        if generator.chance(oneIn: 3) {
            text += generator.pick(["e", "E"]) + generator.pick(["", "+", "-"])
            text += "\(Int.random(in: 0...9, using: &generator))"
        }
        return Array(text.utf8)
    }

    private static func string(_ generator: inout Generator) -> [UInt8] {
        let pieces = [
            "a", "Z", "0", " ", "é", "€", "😀", "\u{7f}", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t",
            "\\u0041", "\\u00e9", "\\u20AC", "\\u0001", "{", "}", "[", "]", ":", ",",
        ]
        return Array("\"\(generator.array(0...6, of: pieces).joined())\"".utf8)
    }
}
