import TestSupport
import Testing

@testable import MockAPNsRules

/// Device tokens as values: made of numbers, and spread over tables.
@Suite struct DeviceTokenTests {
    private static let seed: UInt64 = 0x0123_4567_89ab_cdef

    /// The numbers that `mixed` is made with: where a token has them, a product could lose its other half.
    private static let constants: [UInt64] = [
        0, .max, 0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb,
    ]

    @Test func `numbers and text make the same token`() throws {
        var generator = Generator(seed: 31)
        for _ in 0..<1_000 {
            let words = (generator.next(), generator.next(), generator.next(), generator.next())
            let token = DeviceToken(words)
            let hex = [words.0, words.1, words.2, words.3].map(Self.hex).joined()
            let read = try #require(DeviceToken(hex: hex))
            #expect(token == read && token.hex == hex && token.hashValue == read.hashValue)
            #expect(token.mixed(with: Self.seed) == read.mixed(with: Self.seed))
            let upper = try #require(DeviceToken(hex: hex.uppercased()))
            #expect(upper.mixed(with: Self.seed) == token.mixed(with: Self.seed))
        }
    }

    @Test func `zeros are a valid token`() {
        #expect(DeviceToken((0, 0, 0, 0)).hex == String(repeating: "0", count: 64))
        #expect(DeviceToken((0, 0, 0, 1)).hex == String(repeating: "0", count: 63) + "1")
    }

    /// Every bit of the usual size changes the hash.
    @Test(arguments: [0, 1, seed, .max] as [UInt64]) func `each bit of a token changes its hash`(seed: UInt64) {
        var generator = Generator(seed: 32)
        var (tokens, hashes) = (Set<DeviceToken>(), Set<UInt64>())
        for _ in 0..<20 {
            let words = (0..<4).map { _ in generator.next() }
            for bit in 0..<256 {
                var words = words
                words[bit / 64] ^= 1 << UInt64(bit % 64)
                let token = DeviceToken((words[0], words[1], words[2], words[3]))
                tokens.insert(token)
                hashes.insert(token.mixed(with: seed))
            }
        }
        #expect(tokens.count == 20 * 256)
        #expect(hashes.count == tokens.count)
    }

    @Test func `another seed gives other hashes`() {
        let tokens = [DeviceToken((1, 2, 3, 4)), DeviceToken(hex: "abcdef")].compactMap { $0 }
        for token in tokens {
            let hashes = Set((0..<1_000).map { token.mixed(with: $0 &* 0x9e37_79b9_7f4a_7c15) })
            #expect(hashes.count == 1_000)
        }
    }

    /// Tokens that somebody chooses, knowing the code but not the seed, do not all fall to one place.
    ///
    /// Three numbers of a token are such that the code is made with, and the fourth counts up.
    @Test func `chosen tokens do not have equal hashes`() {
        var weak: [String] = []
        for free in 0..<4 {
            for choice in 0..<125 {
                let fixed = [choice % 5, choice / 5 % 5, choice / 25].map { Self.constants[$0] }
                let hashes = (1...16 as ClosedRange<UInt64>).map { number in
                    var words = fixed
                    words.insert(number &* 0x2545_f491_4f6c_dd1d, at: free)
                    return DeviceToken((words[0], words[1], words[2], words[3])).mixed(with: Self.seed)
                }
                if Set(hashes).count < hashes.count { weak.append("number \(free) beside \(fixed.map(Self.hex))") }
            }
        }
        #expect(weak.isEmpty, "\(weak.count) choices, \(weak.first ?? "")")
    }

    /// Some bits choose a table and others a place in it; tokens that count up reach all of them alike.
    @Test(arguments: [0, 11, 22, 33, 44, 54], [0, 1, 2, 3]) func `hashes are spread`(shift: UInt64, counting: Int) {
        var counts = [Int](repeating: 0, count: 1_024)
        for number in 0..<64 * 1_024 as Range<UInt64> {
            var words: [UInt64] = [0, 0, 0, 0]
            words[counting] = number
            let hash = DeviceToken((words[0], words[1], words[2], words[3])).mixed(with: Self.seed)
            counts[Int(hash >> shift & 1_023)] += 1
        }
        // 64 in each on average.
        #expect(counts.allSatisfy { (16...160).contains($0) })
    }

    private static func hex(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    @Test(
        arguments: [
            ("ab", nil), ("abc", "3 characters, an odd number"), ("abcg", "character 4 is 'g', not a hex digit"),
            ("<ab cd>", "7 characters, an odd number; character 1 is '<', not a hex digit"),
            (String(repeating: "ab", count: 100), nil),
            (String(repeating: "ab", count: 101), "202 characters, more than 200"),
        ] as [(String, String?)]) func `the flaw of a text says why it is not a token`(text: String, flaw: String?)
    {
        #expect(DeviceToken.flaw(of: text) == flaw)
        #expect((DeviceToken(hex: text) == nil) == (flaw != nil))
    }
}
