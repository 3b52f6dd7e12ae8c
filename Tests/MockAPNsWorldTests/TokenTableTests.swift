import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// The table of registered device tokens, against a dictionary.
struct TokenTableTests {
    private static func value(_ place: UInt32) -> RegisteredToken {
        RegisteredToken(
            place: place, generation: place &* 3, topic: place % 7,
            environment: place % 2 == 0 ? .sandbox : .production, standing: place % 5 == 0 ? .unregistered : .valid,
            deadSince: Int64(place))
    }

    private static func usual(_ random: inout Generator) -> DeviceToken {
        DeviceToken((random.next(), random.next(), random.next(), random.next()))
    }

    /// A token of any size but the usual one.
    private static func unusual(_ random: inout Generator) -> DeviceToken {
        let size = random.pick([1, 2, 31, 33, 48, 54, 80, 100])
        let digits = random.bytes(size...size).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return DeviceToken(hex: digits.joined())!
    }

    @Test func `an empty table knows nothing`() {
        var table = TokenTable()
        #expect(table.count == 0)
        #expect(table[DeviceToken((1, 2, 3, 4))] == nil)
        table[DeviceToken((1, 2, 3, 4))] = nil
        #expect(table.count == 0)
    }

    @Test func `a token is found changed and taken out`() {
        var table = TokenTable()
        let token = DeviceToken((1, 2, 3, 4))
        table[token] = Self.value(1)
        #expect(table[token] == Self.value(1) && table.count == 1)
        table[token] = Self.value(2)
        #expect(table[token] == Self.value(2) && table.count == 1)
        table[token] = nil
        #expect(table[token] == nil && table.count == 0)
        table[token] = nil
        #expect(table.count == 0)
        table[token] = Self.value(3)
        #expect(table[token] == Self.value(3) && table.count == 1)
    }

    /// Tokens of zeros differ by their size alone.
    @Test func `the size of a token counts`() {
        let tokens = (1...100).compactMap { DeviceToken(hex: String(repeating: "00", count: $0)) }
        var table = TokenTable()
        for (place, token) in tokens.enumerated() { table[token] = Self.value(UInt32(place)) }
        #expect(table.count == 100)
        for (place, token) in tokens.enumerated() { #expect(table[token] == Self.value(UInt32(place))) }
        for token in tokens[..<50] { table[token] = nil }
        #expect(table.count == 50)
        for (place, token) in tokens.enumerated() {
            #expect(table[token] == (place < 50 ? nil : Self.value(UInt32(place))))
        }
    }

    /// Whoever holds a copy sees nothing of what happens to the other.
    @Test func `copies do not share changes`() {
        var random = Generator(seed: 3)
        let tokens = (0..<4_000).map { _ in Self.usual(&random) }
        var table = TokenTable()
        var copies: [(table: TokenTable, known: Int)] = []
        for (place, token) in tokens.enumerated() {
            if place % 1_000 == 0 { copies.append((table, place)) }
            table[token] = Self.value(UInt32(place))
        }
        let full = table
        for token in tokens { table[token] = nil }
        #expect(table.count == 0 && full.count == tokens.count)
        for (copy, known) in copies {
            #expect(copy.count == known)
            let found = tokens.map { copy[$0] }
            #expect(found == tokens.indices.map { $0 < known ? Self.value(UInt32($0)) : nil })
        }
        #expect(tokens.map { full[$0] } == tokens.indices.map { Self.value(UInt32($0)) })
    }

    /// Dozens of tokens in each of its small tables, of which most go again, one after the other.
    @Test func `many tokens come and go`() {
        var random = Generator(seed: 4)
        // Half of them count up, as those of tests do.
        let tokens = (0..<60_000 as Range<UInt64>).map { number in
            number % 2 == 0 ? DeviceToken((0, 0, 0, number)) : Self.usual(&random)
        }
        var table = TokenTable()
        for (place, token) in tokens.enumerated() { table[token] = Self.value(UInt32(place)) }
        #expect(table.count == tokens.count)
        var misses = tokens.indices.count { table[tokens[$0]] != Self.value(UInt32($0)) }
        #expect(misses == 0)

        let order = tokens.indices.shuffled(using: &random)
        let (gone, kept) = (order[..<50_000], order[50_000...])
        for place in gone { table[tokens[place]] = nil }
        #expect(table.count == kept.count)
        misses = gone.count { table[tokens[$0]] != nil }
        #expect(misses == 0)
        misses = kept.count { table[tokens[$0]] != Self.value(UInt32($0)) }
        #expect(misses == 0)

        for place in gone { table[tokens[place]] = Self.value(UInt32(place) + 1) }
        misses = gone.count { table[tokens[$0]] != Self.value(UInt32($0) + 1) }
        #expect(misses == 0 && table.count == tokens.count)
    }

    /// Coming, changing and going at random, among few tokens and among many.
    @Test(arguments: 1...12) func `it agrees with a dictionary`(seed: UInt64) {
        var random = Generator(seed: seed)
        let size = [30, 600, 8_000][Int(seed % 3)]
        let tokens = (0..<size).map { _ in random.number(0...2) == 0 ? Self.unusual(&random) : Self.usual(&random) }
        var (table, model) = (TokenTable(), [DeviceToken: RegisteredToken]())
        // Mostly coming at first, mostly going later, so that tables grow, are full of holes, and fill again.
        for round in 0..<8_000 {
            let token = random.pick(tokens)
            let isGoing = random.number(0...9) < (round / 2_000 % 2 == 0 ? 3 : 7)
            let value = isGoing ? nil : Self.value(UInt32(truncatingIfNeeded: random.next()))
            table[token] = value
            model[token] = value
            let other = random.pick(tokens)
            guard table[other] == model[other], table[token] == value, table.count == model.count else {
                Issue.record("after \(round) changes: \(table.count) tokens instead of \(model.count)")
                return
            }
        }
        #expect(tokens.map { table[$0] } == tokens.map { model[$0] })
        #expect(!model.isEmpty)
        for _ in 0..<1_000 { #expect(table[Self.usual(&random)] == nil) }
    }
}
