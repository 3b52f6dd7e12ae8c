/// A text of an app whose placeholders are filled with the arguments of a payload.
///
/// Documented: `%@` takes the arguments in their order, `%n$@` the one of that number, and `%%` is a percent sign
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification and Apple's "String
/// Format Specifiers"). Observed: an argument that is missing is shown as null (ZhukV/AppleApnPush#33; the spelling
/// `(null)` is inferred from Foundation), and one for `%s` does not appear as meant
/// (EddyVerbruggen/nativescript-localize#20), so that what is shown for anything but `%@` is a guess: the argument.
struct FormatText: Equatable {
    /// What is shown where the format asks for an argument that is not there.
    static let missing = "(null)"
    /// No device shows more, and a format can name an argument as often as it likes, in bytes.
    private static let longest = 16_384
    /// A format can be odd in as many places as it likes; nobody reads more remarks.
    private static let mostRemarks = 20

    /// The text as it is shown.
    private(set) var text = ""
    /// What is odd about it, for people, each once.
    private(set) var remarks: [String] = []

    private let format: [Unicode.Scalar]
    private let arguments: [String]
    private var at = 0
    /// How many arguments have been taken in their order.
    private var taken = 0

    /// Fills a format.
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

    /// What a placeholder begins with: `%`, then perhaps the number of an argument, flags, width and precision, length.
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
            note("\(string(start..<at)) is no %@: how iOS shows an argument there is a guess")
        default:
            text += string(start..<at)
            note("\(string(start..<at)) is no placeholder")
        }
    }

    /// `2$` of `%2$@`.
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
