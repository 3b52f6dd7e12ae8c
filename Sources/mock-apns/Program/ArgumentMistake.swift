internal import ArgumentParser
internal import MockAPNsFormats

/// A mistake in the arguments that ArgumentParser or a `validate` has found, in the form of all other errors.
///
/// ArgumentParser's errors are only public as texts, so a table says how each is rewritten; a text that is not in it is
/// shown as it is.
struct ArgumentMistake {
    private typealias Form = (text: [String], words: @Sendable ([String]) -> String)

    private static let forms: [Form] = [
        (
            ["Unknown option '", "'. Did you mean '", "'?"],
            { "unknown option '\($0[0])'" + (isLikely($0[1], for: $0[0]) ? "; did you mean '\($0[1])'?" : "") }
        ), (["Unknown option '", "'"], { "unknown option '\($0[0])'" }),
        (
            ["The value '", "' is invalid for '", "'. Please provide one of ", "."],
            { "invalid \(name($0[1])) '\($0[0])': expected \(choice($0[2]))" }
        ), (["The value '", "' is invalid for '", "': ", ""], { "invalid \(name($0[1])) '\($0[0])': \($0[2])" }),
        (["The value '", "' is invalid for '", "'"], { "invalid \(name($0[1])) '\($0[0])'" }),
        (["Missing value for '", "'"], { "missing value for \($0[0])" }),
        (["Missing expected argument '", "'"], { "missing argument \($0[0])" }),
        (["Unexpected argument '", "'"], { "unexpected argument '\($0[0])'" }),
        (["", " unexpected arguments: ", ""], { "unexpected arguments \($0[1])" }),
        (
            ["The option '", "' does not take any value, but '", "' was specified."],
            { "unexpected value '\($0[1])' for \($0[0]), which takes none" }
        ),
        (
            ["Value to be set with flag '", "' had already been set with flag '", "'"],
            { "\($0[0]) and \($0[1]) cannot be combined" }
        ),
    ]

    /// What is wrong.
    let words: String
    /// The option or argument, and what it is for.
    let help: String?
    let path: CommandPath

    /// `message` and `full` are ArgumentParser's short and full texts for an error of a command.
    init(message: String, full: String, of path: CommandPath) {
        let text = TerminalText.plain(message)
        let known = Self.forms.lazy.compactMap { form in Self.gaps(in: text, of: form.text).map(form.words) }
        words = known.first ?? TerminalText.clause(text)
        let prefix = "Help:  "
        help = full.split(separator: "\n").first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        self.path = path
    }

    var failure: CommandFailure {
        // A suggestion says how to go on.
        let next = words.hasSuffix("?") ? "" : "; see \(path.text) --help"
        return CommandFailure(.usage, words + next + (help.map { "\n  " + $0 } ?? ""))
    }

    /// The texts between the pieces of a form; `nil` if a text does not have it.
    private static func gaps(in text: String, of pieces: [String]) -> [String]? {
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1, text.hasPrefix(first) else {
            return nil
        }
        var rest = text.dropFirst(first.count)
        var gaps: [String] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: piece) else { return nil }
            gaps.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        guard rest.hasSuffix(last) else { return nil }
        return gaps + [String(rest.dropLast(last.count))]
    }

    /// Whether an option is a typo of another, or longer: ArgumentParser's limit is generous for short ones.
    private static func isLikely(_ known: String, for typed: String) -> Bool {
        let plain = { (option: String) in String(option.drop { $0 == "-" }) }
        return typed.hasPrefix(known) || Suggestion.nearest(to: plain(typed), among: [plain(known)]) != nil
    }

    /// The option alone: `--limit` for `--limit <n>`.
    private static func name(_ option: String) -> String {
        option.hasPrefix("-") ? String(option.prefix { $0 != " " }) : option
    }

    /// `'a', 'b' or 'c'`, or `'a' and 'b'`, as a choice without quotation marks.
    private static func choice(_ words: String) -> String {
        words.replacing("' and '", with: "' or '").replacing("'", with: "")
    }
}
