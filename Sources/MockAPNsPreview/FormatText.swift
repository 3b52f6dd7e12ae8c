/// A localized format string with its placeholders replaced by the payload's arguments.
///
/// Documented: `%@` takes the next argument, `%n$@` takes argument n, and `%%` is a percent sign
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification and Apple's "String
/// Format Specifiers"). Observed: a missing argument is shown as null (ZhukV/AppleApnPush#33; the spelling `(null)` is
/// inferred from Foundation), and an argument for `%s` is not shown as intended
/// (EddyVerbruggen/nativescript-localize#20). For every conversion except `%@`, showing the argument is therefore a
/// guess.
struct FormatText: Equatable {
    static let missing = "(null)"
    /// A format can repeat an argument any number of times, and no device shows more than this.
    private static let longest = 16_384
    /// The maximum number of remarks, because a format can have any number of problems.
    private static let mostRemarks = 20

    private(set) var text = ""
    private(set) var remarks: [String] = []

    private let format: [Unicode.Scalar]
    private let arguments: [String]
    private var at = 0
    /// The number of arguments used by placeholders without a position.
    private var taken = 0

    init(_ format: String, _ arguments: [String]) {
        self.format = Array(format.unicodeScalars)
        self.arguments = arguments
        while at < self.format.count {
            guard text.utf8.count <= Self.longest else {
                note("the text is too long to be shown whole")
                break
            }
            if self.format[at] == "%" {
                fillPlaceholder()
            } else {
                text.unicodeScalars.append(self.format[at])
                at += 1
            }
        }
    }

    private mutating func fillPlaceholder() {
        let start = at
        at += 1
        let position = takePosition()
        take { "-+ #0'".unicodeScalars.contains($0) }
        take(Self.isDigit)
        if at < format.count, format[at] == "." {
            at += 1
            take(Self.isDigit)
        }
        take { "hlqLztj".unicodeScalars.contains($0) }
        guard at < format.count else {
            text += string(start..<at)
            return note("it ends within a placeholder")
        }
        let conversion = format[at]
        at += 1
        switch conversion {
        case "%": text += "%"
        case "@": text += argument(position)
        case _ where "dDiuUxXoOcCsSpaAeEfFgG".unicodeScalars.contains(conversion):
            text += argument(position)
            note("\(string(start..<at)) is not %@: how iOS shows its argument is a guess")
        default:
            text += string(start..<at)
            note("\(string(start..<at)) is not a placeholder")
        }
    }

    private mutating func takePosition() -> Int? {
        let start = at
        take(Self.isDigit)
        guard at > start, at < format.count, format[at] == "$", let position = Int(string(start..<at)) else {
            at = start
            return nil
        }
        at += 1
        return position
    }

    private mutating func argument(_ position: Int?) -> String {
        if position == nil { taken += 1 }
        let number = position ?? taken
        guard number >= 1, number <= arguments.count else {
            note("argument \(number) is missing")
            return Self.missing
        }
        return arguments[number - 1]
    }

    private mutating func take(_ isTaken: (Unicode.Scalar) -> Bool) {
        while at < format.count, isTaken(format[at]) { at += 1 }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private func string(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(format[range]))
    }

    private mutating func note(_ remark: String) {
        if remarks.count < Self.mostRemarks, !remarks.contains(remark) { remarks.append(remark) }
    }
}
