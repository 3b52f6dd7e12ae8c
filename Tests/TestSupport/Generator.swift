import MockAPNsFormats

/// Random numbers that are the same in every run, so that a failure can be repeated.
public struct Generator: RandomNumberGenerator {
    private var generator: SplitMix64

    /// The same seed gives the same numbers.
    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 { generator.next() }

    /// A number of a range.
    public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Whether an event of this chance happens.
    public mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// One of these.
    public mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &self)]
    }

    /// So many elements out of `choices`, with repetition.
    public mutating func array<Element>(_ count: ClosedRange<Int>, of choices: [Element]) -> [Element] {
        let count = Int.random(in: count, using: &self)
        return (0..<count).map { _ in pick(choices) }
    }

    /// So many bytes of any value.
    public mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        let count = Int.random(in: count, using: &self)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// The same text with a byte or two taken out, put in or replaced.
    public mutating func damaged(_ text: [UInt8], with alphabet: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0...Int.random(in: 0...1, using: &self) {
            let place = Int.random(in: 0...text.count, using: &self)
            switch Int.random(in: 0..<3, using: &self) {
            case 0: text.insert(pick(alphabet), at: place)
            case 1 where place < text.count: text.remove(at: place)
            default: if place < text.count { text[place] = pick(alphabet) }
            }
        }
        return text
    }
}
