/// Random numbers that are the same in every run (SplitMix64), so that a failure can be repeated.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Whether an event of this chance happens.
    mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &self)]
    }

    /// So many elements out of `choices`, with repetition.
    mutating func array<Element>(_ count: ClosedRange<Int>, of choices: [Element]) -> [Element] {
        let count = Int.random(in: count, using: &self)
        return (0..<count).map { _ in pick(choices) }
    }

    /// So many bytes of any value.
    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        let count = Int.random(in: count, using: &self)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// The same text with a byte or two taken out, put in or replaced.
    mutating func damaged(_ text: [UInt8], with alphabet: [UInt8]) -> [UInt8] {
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
