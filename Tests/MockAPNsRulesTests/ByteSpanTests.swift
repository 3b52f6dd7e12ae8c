import TestSupport
import Testing

@testable import MockAPNsRules

/// Looking into bytes, where a mistake would read what belongs to somebody else.
@Suite struct ByteSpanTests {
    @Test(
        arguments: [
            ("", true, false), ("a", true, false), ("ab", true, true), ("ba", true, false),
            ("xab", true, true), ("abx", true, true), ("xabx", true, true), ("aab", true, true),
            ("a b", true, false), ("AB", true, false), ("bbbbba", true, false), ("bababa", true, true),
        ] as [(String, Bool, Bool)]
    )
    func aWordIsFoundWhereverItStands(text: String, hasNothing: Bool, hasWord: Bool) {
        text.withSpan { span in
            #expect(span.contains("") == hasNothing)
            #expect(span.contains("ab") == hasWord)
        }
    }

    /// What stands right before and right behind the bytes does not belong to them.
    @Test func theSurroundingsAreNotLookedAt() {
        Array("needle needl eedle needle".utf8).withSpan { span in
            let inner = span.dropFirst(6).prefix(13)
            #expect(inner.text == " needl eedle ")
            #expect(!inner.contains("needle"))
            #expect(inner.contains("needl") && inner.contains("eedle") && inner.contains(" "))
        }
    }

    @Test func nothingAtAllHoldsNoWord() {
        let nothing = ByteSpan(start: nil, count: 0)
        #expect(nothing.contains(""))
        #expect(!nothing.contains("a"))
    }

    @Test func containsAgreesWithANaiveReader() {
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
