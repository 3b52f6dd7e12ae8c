import Foundation
import Testing

@testable import MockAPNsFormats

@Suite struct PlainTextTests {
    private static func end(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { PlainText.end(in: $0, from: start) }
    }

    /// What `PlainText` does eight bytes at a time, one by one.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    @Test(arguments: 0...17) func `the first byte to be escaped is found wherever it is`(length: Int) {
        for byte in UInt8.min...UInt8.max {
            for position in 0..<length {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                text[position] = byte
                #expect(Self.end(text, from: 0) == (Self.isPlain(byte) ? length : position))
                #expect(Self.end(text, from: length) == length)
            }
        }
    }

    @Test func `bytes beside it do not hide it, nor are taken for it`() {
        for before in UInt8.min...UInt8.max {
            for after in UInt8.min...UInt8.max {
                let text = Array("abc".utf8) + [before, after] + Array("defghijk".utf8)
                let expected = text.firstIndex { !Self.isPlain($0) } ?? text.count
                #expect(Self.end(text, from: 0) == expected)
                let next = text.indices.first { $0 > 3 && !Self.isPlain(text[$0]) } ?? text.count
                #expect(Self.end(text, from: 4) == next)
            }
        }
    }

    @Test func `long texts are read and written as Foundation does`() throws {
        let signs = ["a", "é", "😀", "\"", "\\", "\n", "\t", "\u{1}", "/"]
        var random = SystemRandomNumberGenerator()
        for length in 0..<200 {
            let text = (0..<length).map { _ in
                Int.random(in: 0..<8, using: &random) == 0 ? signs.randomElement(using: &random) ?? "" : "x"
            }.joined()
            let written = JSONValue.string(text).text
            #expect(try JSONDecoder().decode(String.self, from: Data(written)) == text)
            #expect(JSONParser.value(of: written) == .string(text))
            let others = Array(try JSONEncoder().encode(text))
            #expect(JSONParser.value(of: others) == .string(text))
        }
    }
}
