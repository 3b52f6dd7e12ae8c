/// A JSON number with all its digits, so that comparisons are exact.
package struct DecimalNumber: Sendable, Equatable {
    private let isNegative: Bool
    /// The digits without zeros at either end; empty for 0.
    private let digits: [UInt8]
    /// The power of ten of the last digit.
    private let exponent: Int

    /// The largest exponent that is kept, in either direction; no finite double has a larger one.
    private static let largestExponent = 100_000

    /// Reads a number; `nil` for any other value.
    package init?(_ value: JSONValue) {
        switch value {
        case .integer, .unsigned, .literal: self.init(text: value.text)
        case .number(let number): self.init(text: Array(number.description.utf8))
        case .null, .bool, .string, .array, .object, .written: return nil
        }
    }

    /// Reads the text of a valid JSON number.
    private init?(text: [UInt8]) {
        var digits: [UInt8] = []
        var (exponent, isAfterPoint) = (0, false)
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "."): isAfterPoint = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits.append(byte - UInt8(ascii: "0"))
                if isAfterPoint { exponent -= 1 }
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                let isSmall = rest.first == UInt8(ascii: "-")
                if isSmall || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
                let shift = rest.reduce(0) { min($0 * 10 + Int($1 &- UInt8(ascii: "0")), Self.largestExponent) }
                exponent += isSmall ? -shift : shift
                rest = []
            // Infinity and NaN, which no JSON has.
            default: return nil
            }
        }
        digits = Array(digits.drop { $0 == 0 })
        let zeros = digits.reversed().prefix { $0 == 0 }.count
        digits.removeLast(zeros)
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent + zeros
        self.isNegative = isNegative && !digits.isEmpty
    }

    /// Whether the number is whole, in any notation: `1.0` is.
    package var isWhole: Bool { exponent >= 0 }

    package var isPositive: Bool { !isNegative && !digits.isEmpty }

    /// Whether this number can be the divisor of `isMultiple`: positive, with up to 18 digits and a usual exponent.
    package var isDivisor: Bool { isPositive && digits.count <= 18 && abs(exponent) <= 400 }

    /// Returns whether the number is a multiple of another one, which must be a divisor.
    package func isMultiple(of divisor: DecimalNumber) -> Bool {
        guard !digits.isEmpty else { return true }
        // A smaller last digit than the divisor's can be in no multiple of it.
        guard exponent >= divisor.exponent, divisor.isDivisor else { return false }
        let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
        func next(_ rest: UInt64, _ digit: UInt8) -> UInt64 {
            let (high, low) = rest.multipliedFullWidth(by: 10)
            let (sum, carries) = low.addingReportingOverflow(UInt64(digit))
            return modulus.dividingFullWidth((high + (carries ? 1 : 0), sum)).remainder
        }
        var rest = digits.reduce(UInt64(0), next)
        for _ in 0..<(exponent - divisor.exponent) where rest != 0 { rest = next(rest, 0) }
        return rest == 0
    }
}

extension DecimalNumber: Comparable {
    /// Orders by size.
    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }

    /// Compares without the signs.
    private func isSmaller(than other: DecimalNumber) -> Bool {
        guard !digits.isEmpty, !other.digits.isEmpty else { return digits.isEmpty && !other.digits.isEmpty }
        let (size, otherSize) = (digits.count + exponent, other.digits.count + other.exponent)
        return size == otherSize ? digits.lexicographicallyPrecedes(other.digits) : size < otherSize
    }
}
