import TestSupport
import Testing

@testable import MockAPNsRules

/// Looking into bytes, where a mistake would read what belongs to somebody else.
@Suite struct ByteSpanTests {
    @Test(
        arguments: [
            ("", true, false), ("a", true, false), ("ab", true, true), ("ba", true, false), ("xab", true, true),
            ("abx", true, true), ("xabx", true, true), ("aab", true, true), ("a b", true, false), ("AB", true, false),
            ("bbbbba", true, false), ("bababa", true, true),
        ] as [(String, Bool, Bool)]) func `a word is found at any position`(
            text: String, hasNothing: Bool, hasWord: Bool
        )
    {
        text.withSpan { span in
            #expect(span.contains("") == hasNothing)
            #expect(span.contains("ab") == hasWord)
        }
    }

    /// What stands right before and right behind the bytes does not belong to them.
    @Test func `bytes outside of the span are not read`() {
        Array("needle needl eedle needle".utf8).withSpan { span in
            let inner = span.dropFirst(6).prefix(13)
            #expect(inner.text == " needl eedle ")
            #expect(!inner.contains("needle"))
            #expect(inner.contains("needl") && inner.contains("eedle") && inner.contains(" "))
        }
    }

    @Test func `no bytes hold no word`() {
        let nothing = ByteSpan(start: nil, count: 0)
        #expect(nothing.contains(""))
        #expect(!nothing.contains("a"))
    }

    /// Bytes are looked at in words, whose ends must not matter.
    @Test func `a single different byte makes two spans different`() {
        for count in 1...40 {
            let bytes = (0..<count).map { UInt8(0x30 + $0) }
            for position in 0..<count {
                var other = bytes
                other[position] ^= 0x80
                bytes.withSpan { span in
                    #expect(span.firstIndex(of: bytes[position]) == position)
                    #expect(span.firstIndex(of: other[position]) == nil)
                    #expect(span.equals(span))
                    other.withSpan { #expect(!span.equals($0)) }
                }
            }
        }
    }

    @Test func `word readers agree with naive ones`() {
        var generator = Generator(seed: 43)
        // The bytes at which the answer changes, and their neighbours.
        let bytes: [UInt8] = [0x00, 0x1f, 0x20, 0x21, 0x2e, 0x7e, 0x7f, 0x80, 0xa0, 0xff]
        for _ in 0..<20_000 {
            let text = generator.array(0...20, of: generator.chance(oneIn: 2) ? bytes : [0x21, 0x7e, 0x80])
            text.withSpan { span in
                #expect(span.hasOnlyVisible == text.allSatisfy { $0 > 0x20 && $0 != 0x7f })
                for byte in bytes { #expect(span.firstIndex(of: byte) == text.firstIndex(of: byte)) }
            }
        }
    }

    @Test func `contains agrees with a naive reader`() {
        var generator = Generator(seed: 41)
        let words: [StaticString] = ["a", "ab", "aab", "abab", "aaaa"]
        var found = 0
        for _ in 0..<4_000 {
            let text = generator.array(0...12, of: Array("ab".utf8))
            for word in words {
                let bytes = Array(word.description.utf8)
                let isIn = text.indices.contains { text[$0...].starts(with: bytes) }
                found += isIn ? 1 : 0
                #expect(text.withSpan { $0.contains(word) } == isIn)
            }
        }
        #expect((5_000...15_000).contains(found))
    }
}
