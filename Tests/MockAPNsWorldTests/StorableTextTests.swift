import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// What is examined eight bytes at a time.
struct StorableTextTests {
    private static func facts(_ bytes: [UInt8]) -> (isASCII: Bool, isStorable: Bool) {
        bytes.withUnsafeBufferPointer { (ByteSpan($0).isASCII, ByteSpan($0).isStorableText) }
    }

    @Test(arguments: 0...26) func `one byte at any place decides`(length: Int) {
        let plain = [UInt8](repeating: 0x61, count: length)
        #expect(Self.facts(plain) == (true, true))
        for place in 0..<length {
            for (byte, isASCII, isStorable) in [
                (0x00, true, false), (0x01, true, true), (0x7f, true, true), (0x80, false, false), (0xff, false, false),
            ] as [(UInt8, Bool, Bool)] {
                var bytes = plain
                bytes[place] = byte
                #expect(Self.facts(bytes) == (isASCII, isStorable), "\(byte) at \(place)")
            }
        }
    }

    @Test(arguments: 0...17) func `UTF-8 can be stored, unless it has U+0000`(offset: Int) {
        let text = Array((String(repeating: "a", count: offset) + "é\u{1}€").utf8)
        #expect(Self.facts(text) == (false, true))
        #expect(Self.facts(text + [0]) == (false, false))
        #expect(Self.facts(Array(text.dropLast())) == (false, false))
    }
}
