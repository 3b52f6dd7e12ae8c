internal import MockAPNsFormats

/// Options with a type: each replaces a value, which is also the default.
extension OptionReader {
    /// A whole number in a range.
    mutating func number<Number: BinaryInteger>(
        _ name: String,
        _ flag: String?,
        _ range: ClosedRange<Int>,
        into value: inout Number
    ) throws {
        value = try self.value(name, flag, default: "\(value)") { text in
            guard let number = Int(text), range.contains(number) else {
                let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
                throw Expected("a whole number from \(range.lowerBound)\(upper)")
            }
            return Number(number)
        }
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ flag: String?,
        into value: inout Choice
    ) throws {
        value = try self.value(name, flag, default: value.rawValue) { text in
            guard let choice = Choice(rawValue: text) else {
                throw Expected(Choice.allCases.map(\.rawValue).joined(separator: " or "))
            }
            return choice
        }
    }

    /// A duration, in microseconds.
    mutating func duration(
        _ name: String,
        _ flag: String?,
        allowsZero: Bool = true,
        into value: inout Int64
    ) throws {
        value = try self.value(name, flag, default: DurationText.text(value)) { text in
            let milliseconds = try DurationText.milliseconds(text)
            guard allowsZero || milliseconds > 0 else {
                throw Expected("\(DurationText.expected), greater than 0")
            }
            return milliseconds * 1_000
        }
    }
}
