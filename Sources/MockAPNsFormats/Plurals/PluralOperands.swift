/// A number as plural rules see it: 1 and 1.0 are different there.
///
/// Source: UTS #35, part 3, "Plural Operand Meanings".
package struct PluralOperands: Equatable, Sendable {
    /// The most digits of a number on each side of the point; others are not a number.
    private static let mostDigits = 15

    /// The integer digits.
    let integer: UInt64
    /// The number of visible fraction digits, with trailing zeros.
    let places: Int
    /// The visible fraction digits, with trailing zeros.
    let fraction: UInt64
    /// The visible fraction digits, without trailing zeros.
    let shortFraction: UInt64
    /// The exponent of a compact notation, such as 6 in 1c6.
    let exponent: Int

    /// Reads a decimal number such as `3`, `-2` or `1.50`, or one in compact notation, such as `1c6`; `nil` for other text.
    package init?(_ text: String) {
        var digits = text.utf8[...]
        if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let powers = digits.split(separator: UInt8(ascii: "c"), maxSplits: 1, omittingEmptySubsequences: false)
        var power = 0
        if powers.count == 2 {
            guard let value = Int(String(Substring(powers[1]))), (0...12).contains(value) else { return nil }
            power = value
        }
        let parts = powers[0].split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        var (whole, rest) = (Array(parts[0]), parts.count == 2 ? Array(parts[1]) : [])
        guard !whole.isEmpty, parts.count == 1 || !rest.isEmpty,
            (whole + rest).allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), whole.count <= Self.mostDigits,
            rest.count <= Self.mostDigits
        else { return nil }
        // The operands are those of the number without its exponent: 1.2c3 is 1200.
        for _ in 0..<power { whole.append(rest.isEmpty ? UInt8(ascii: "0") : rest.removeFirst()) }
        guard whole.count <= 18 else { return nil }
        func value(_ digits: some Sequence<UInt8>) -> UInt64 {
            digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
        }
        integer = value(whole)
        places = rest.count
        fraction = value(rest)
        shortFraction = value(rest.reversed().drop { $0 == UInt8(ascii: "0") }.reversed())
        exponent = power
    }

    /// Whether the number is 0, in any notation.
    package var isZero: Bool { integer == 0 && fraction == 0 }

    /// The value of an operand by its letter; `nil` for the number itself if it is not whole.
    func value(of letter: Character) -> UInt64? {
        switch letter {
        case "n": fraction == 0 ? integer : nil
        case "i": integer
        case "v": UInt64(places)
        case "f": fraction
        case "t": shortFraction
        case "e", "c": UInt64(exponent)
        default: nil
        }
    }
}
