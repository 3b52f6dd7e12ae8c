internal import MockAPNsFormats
internal import MockAPNsWorld

/// A localized text in the form for its arguments and the device, with its placeholders replaced.
///
/// Documented: `%@` takes the next argument, `%n$@` takes argument n, `%%` is a percent sign
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification and Apple's "String
/// Format Specifiers"), and `%#@name@` is replaced by a form of the variable with that name ("Stringsdict File Format"),
/// where `%arg` is its argument (string catalogs). Observed: a missing argument is shown as null (ZhukV/AppleApnPush#33;
/// the spelling `(null)` is inferred from Foundation), and an argument for `%s` is not shown as intended
/// (EddyVerbruggen/nativescript-localize#20). For every conversion except `%@`, showing the argument is therefore a
/// guess, and so is that a text with digits counts as a number: arguments in a payload are texts.
struct FormatText {
    /// A format can repeat an argument any number of times, and no device shows more than this.
    private static let longest = 16_384
    /// The maximum number of remarks, because a format can have any number of problems.
    private static let mostRemarks = 20
    /// The most texts within each other.
    private static let deepest = 4
    /// The most substitutions, because a variable can name itself several times.
    private static let mostSubstitutions = 100
    private static let digits = "0123456789"
    private static let conversions = "dDiuUxXoOcCsSpaAeEfFgG".unicodeScalars

    private(set) var text = ""
    private(set) var remarks: [String] = []

    private let source: LocalizedText
    private let arguments: [String]
    private let setting: PreviewSetting
    private var substitutions = 0

    init(_ source: LocalizedText, _ arguments: [String], setting: PreviewSetting = PreviewSetting()) {
        (self.source, self.arguments, self.setting) = (source, arguments, setting)
        let position = Self.countedArgument(in: source.form.text)
        var run = Run(pick(source.form, argument: position))
        fill(&run)
    }

    /// What is being filled: a text, or the form of a variable within it.
    private struct Run {
        var rest: Substring.UnicodeScalarView
        /// The number of arguments used by placeholders without a position.
        var taken = 0
        /// The argument of the variable.
        var argument: Int?
        var depth = 1

        init(_ format: String) { rest = Substring(format).unicodeScalars }

        mutating func skip(_ scalars: String) { rest = rest.drop { scalars.unicodeScalars.contains($0) } }

        mutating func takePosition() -> Int? {
            let found = rest.prefix { digits.unicodeScalars.contains($0) }
            let next = rest[found.endIndex...]
            guard next.first == "$", let position = Int(String(found)) else { return nil }
            rest = next.dropFirst()
            return position
        }

        mutating func number(_ position: Int?) -> Int {
            if position == nil { taken += 1 }
            return position ?? taken
        }
    }

    // MARK: Forms

    /// Returns the number of the argument by which a text without variables varies: that of its first placeholder for a
    /// number, or else of its first placeholder.
    private static func countedArgument(in format: String) -> Int {
        var run = Run(format)
        var first: Int?
        while let start = run.rest.firstIndex(of: "%") {
            run.rest = run.rest[start...].dropFirst()
            let position = run.takePosition()
            run.skip("-+ #0'" + digits + ".")
            run.skip("hlqLztj")
            guard let conversion = run.rest.popFirst(), conversion == "@" || conversions.contains(conversion) else {
                continue
            }
            let number = run.number(position)
            if conversion != "@" { return number }
            first = first ?? number
        }
        return first ?? 1
    }

    private mutating func pick(_ form: TextForm, argument: Int) -> String {
        switch form {
        case .text(let text): return text
        case .device(let forms):
            return setting.family.substitutes.lazy.compactMap { forms[$0] }.first.map { pick($0, argument: argument) }
                ?? ""
        case .plural(let forms):
            let category = category(ofArgument: argument, among: forms)
            return (forms[category] ?? forms[.other]).map { pick($0, argument: argument) } ?? form.text
        }
    }

    private mutating func category(ofArgument position: Int, among forms: [PluralCategory: TextForm]) -> PluralCategory
    {
        guard position >= 1, position <= arguments.count else { return .other }
        let argument = arguments[position - 1]
        guard let number = PluralOperands(argument) else {
            note(
                "argument \(position) is \"\(JSONValue.shortened(argument))\", not a number: the form 'other' is shown")
            return .other
        }
        // A form for zero is used for 0 in every language (observed with Foundation).
        if number.isZero, forms[.zero] != nil { return .zero }
        return PluralRules.category(of: number, language: setting.language, region: setting.region)
    }

    // MARK: Placeholders

    private mutating func fill(_ run: inout Run) {
        while let scalar = run.rest.first {
            guard text.utf8.count <= Self.longest else { return note("the text is too long to be shown whole") }
            if scalar == "%" { fillPlaceholder(&run) } else { text.unicodeScalars.append(run.rest.removeFirst()) }
        }
    }

    private mutating func fillPlaceholder(_ run: inout Run) {
        let start = run.rest
        run.rest.removeFirst()
        if let argument = run.argument, run.rest.starts(with: "arg".unicodeScalars) {
            run.rest.removeFirst(3)
            text += value(argument)
            return
        }
        let position = run.takePosition()
        if run.rest.starts(with: "#@".unicodeScalars), let end = run.rest.dropFirst(2).firstIndex(of: "@") {
            let name = String(run.rest[..<end].dropFirst(2))
            run.rest = run.rest[end...].dropFirst()
            return substitute(name, position, String(start[..<run.rest.startIndex]), &run)
        }
        run.skip("-+ #0'")
        run.skip(Self.digits)
        if run.rest.first == "." {
            run.rest.removeFirst()
            run.skip(Self.digits)
        }
        run.skip("hlqLztj")
        let conversion = run.rest.popFirst()
        let placeholder = String(start[..<run.rest.startIndex])
        switch conversion {
        case nil:
            text += placeholder
            note("it ends within a placeholder")
        case "%"?: text += "%"
        case "@"?: text += value(run.number(position))
        case let scalar? where Self.conversions.contains(scalar):
            text += value(run.number(position))
            note("\(placeholder) is not %@: how iOS shows its argument is a guess")
        default:
            text += placeholder
            note("\(placeholder) is not a placeholder")
        }
    }

    /// Fills in a form of a variable, whose first placeholder takes the argument that the form was chosen by.
    private mutating func substitute(_ name: String, _ position: Int?, _ placeholder: String, _ run: inout Run) {
        guard let substitution = source.substitutions[name] else {
            text += placeholder
            return note("\(JSONValue.shortened(placeholder)) names a variable that the text does not have")
        }
        substitutions += 1
        guard run.depth < Self.deepest, substitutions <= Self.mostSubstitutions else {
            return note("its variables name each other too often")
        }
        let fixed = position ?? substitution.argument
        let number = fixed ?? run.taken + 1
        var inner = Run(pick(substitution.form, argument: number))
        (inner.taken, inner.argument, inner.depth) = (number - 1, number, run.depth + 1)
        fill(&inner)
        if fixed == nil { run.taken = max(number, inner.taken) }
    }

    private mutating func value(_ number: Int) -> String {
        guard number >= 1, number <= arguments.count else {
            note("argument \(number) is missing")
            return "(null)"
        }
        return arguments[number - 1]
    }

    private mutating func note(_ remark: String) {
        if remarks.count < Self.mostRemarks, !remarks.contains(remark) { remarks.append(remark) }
    }
}
