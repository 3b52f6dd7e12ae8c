/// A localized format string with its placeholders replaced by the payload's arguments.
///
/// Documented: `%@` takes the next argument, `%n$@` takes argument n, and `%%` is a percent sign
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification and Apple's "String
/// Format Specifiers"). Observed: a missing argument is shown as null (ZhukV/AppleApnPush#33; the spelling `(null)` is
/// inferred from Foundation), and an argument for `%s` is not shown as intended
/// (EddyVerbruggen/nativescript-localize#20). For every conversion except `%@`, showing the argument is therefore a
/// guess.
struct FormatText {
    /// A format can repeat an argument any number of times, and no device shows more than this.
    private static let longest = 16_384
    /// The maximum number of remarks, because a format can have any number of problems.
    private static let mostRemarks = 20
    private static let digits = "0123456789"

    private(set) var text = ""
    private(set) var remarks: [String] = []

    private let arguments: [String]
    private var rest: Substring.UnicodeScalarView
    /// The number of arguments used by placeholders without a position.
    private var taken = 0

    init(_ format: String, _ arguments: [String]) {
        self.arguments = arguments
        rest = Substring(format).unicodeScalars
        while let scalar = rest.first {
            guard text.utf8.count <= Self.longest else {
                note("the text is too long to be shown whole")
                break
            }
            if scalar == "%" { fillPlaceholder() } else { text.unicodeScalars.append(rest.removeFirst()) }
        }
    }

    private mutating func fillPlaceholder() {
        let start = rest
        rest.removeFirst()
        let position = takePosition()
        skip("-+ #0'")
        skip(Self.digits)
        if rest.first == "." {
            rest.removeFirst()
            skip(Self.digits)
        }
        skip("hlqLztj")
        let conversion = rest.popFirst()
        let placeholder = String(start[..<rest.startIndex])
        switch conversion {
        case nil:
            text += placeholder
            note("it ends within a placeholder")
        case "%"?: text += "%"
        case "@"?: text += argument(position)
        case let scalar? where "dDiuUxXoOcCsSpaAeEfFgG".unicodeScalars.contains(scalar):
            text += argument(position)
            note("\(placeholder) is not %@: how iOS shows its argument is a guess")
        default:
            text += placeholder
            note("\(placeholder) is not a placeholder")
        }
    }

    private mutating func takePosition() -> Int? {
        let digits = rest.prefix { Self.digits.unicodeScalars.contains($0) }
        let next = rest[digits.endIndex...]
        guard next.first == "$", let position = Int(String(digits)) else { return nil }
        rest = next.dropFirst()
        return position
    }

    private mutating func argument(_ position: Int?) -> String {
        if position == nil { taken += 1 }
        let number = position ?? taken
        guard number >= 1, number <= arguments.count else {
            note("argument \(number) is missing")
            return "(null)"
        }
        return arguments[number - 1]
    }

    private mutating func skip(_ scalars: String) { rest = rest.drop { scalars.unicodeScalars.contains($0) } }

    private mutating func note(_ remark: String) {
        if remarks.count < Self.mostRemarks, !remarks.contains(remark) { remarks.append(remark) }
    }
}
