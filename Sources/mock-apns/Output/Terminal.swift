/// What the reader of an output can see: how long lines may be, and whether text has color and weight.
struct Terminal: Sendable, Equatable {
    /// Lines of any length without styles, for pipes and files.
    static let plain = Terminal(width: nil, hasStyle: false)

    /// The width of a terminal that does not report one.
    static let standardWidth = 80

    /// Standard output; `plain` unless the program's `main` has found a terminal.
    @TaskLocal static var output = plain

    /// The columns of a line; `nil` for any number.
    let width: Int?
    /// Whether text has color and weight.
    let hasStyle: Bool

    init(width: Int?, hasStyle: Bool) { (self.width, self.hasStyle) = (width, hasStyle) }

    /// Determines the properties of an output; `columns` is the width that a terminal reports.
    ///
    /// `COLUMNS` replaces the reported width. `NO_COLOR` and `TERM=dumb` turn styles off; `CLICOLOR_FORCE` and
    /// `FORCE_COLOR` turn them on in pipes too.
    init(isTerminal: Bool, columns: Int?, environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let reported = columns ?? Self.standardWidth
        width = isTerminal ? Self.columns(in: environment) ?? reported : nil
        let isForced = ["CLICOLOR_FORCE", "FORCE_COLOR"].contains { value($0).map { $0 != "0" } ?? false }
        let isAble = isTerminal && value("TERM") != "dumb"
        hasStyle = value("NO_COLOR") == nil && (isForced || isAble)
    }

    /// The width that the user asks for.
    static func columns(in environment: [String: String]) -> Int? {
        environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The terminal without some columns, for text that is indented afterwards.
    func narrower(by columns: Int) -> Terminal {
        Terminal(width: width.map { max(TerminalText.narrowest, $0 - columns) }, hasStyle: hasStyle)
    }

    /// Adds a style to a text without control characters.
    func styled(_ text: String, _ style: Style?) -> String {
        guard hasStyle, let style, !text.isEmpty else { return text }
        return "\u{1b}[\(style.code)m\(text)\u{1b}[0m"
    }

    /// Returns texts from a push or an answer on one line, which ends with an ellipsis where the terminal does.
    func line(_ parts: [any CellText]) -> String {
        var left = width ?? .max
        var line = ""
        for part in parts where !part.text.isEmpty && left > 0 {
            let gap = line.isEmpty ? "" : "  "
            guard left > gap.count else { break }
            left -= gap.count
            let text = TerminalText.cut(TerminalText.plain(part.text), to: left)
            left -= TerminalText.width(of: text)
            line += gap + styled(text, part.style)
        }
        return line
    }

    /// Returns a text from a push or an answer, wrapped at spaces; the lines after the first have `hanging` more columns
    /// of indentation.
    func paragraph(_ part: any CellText, indent: Int = 0, hanging: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        let plain = TerminalText.plain(part.text)
        guard let width else { return margin + styled(plain, part.style) }
        let room = max(width - indent - hanging, TerminalText.narrowest)
        let lines = TerminalText.wrapped(plain, first: max(width - indent, TerminalText.narrowest), rest: room)
        let indentation = String(repeating: " ", count: max(0, indent + hanging))
        return margin + lines.map { styled($0, part.style) }.joined(separator: "\n" + indentation)
    }

    /// Returns a text of several lines without control characters, with its first line in a style.
    func report(_ text: String, _ style: Style?) -> String {
        let lines = TerminalText.plainLines(Array(text.utf8)).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { paragraph(String($1).styled($0 == 0 ? style : nil), hanging: 4) }.joined(
            separator: "\n")
    }

    /// Returns a text with details below it, which are indented.
    func entry(_ lines: [any CellText]) -> String {
        lines.enumerated().map { paragraph($1, indent: $0 == 0 ? 0 : 4, hanging: $0 == 0 ? 4 : 0) }.joined(
            separator: "\n")
    }

    /// Returns a heading with indented lines below it; `nil` without lines.
    func section(_ title: String, _ lines: [any CellText], hanging: Int = 2) -> String? {
        guard !lines.isEmpty else { return nil }
        return section(title, of: lines.map { paragraph($0, indent: 2, hanging: hanging) })
    }

    /// Returns a heading above lines that are complete.
    func section(_ title: String, of lines: [String]) -> String {
        ([styled(title, .heading)] + lines).joined(separator: "\n")
    }
}

/// What color and weight say; used sparingly, and never alone: the words say the same.
enum Style: CaseIterable {
    case heading
    /// A push that was accepted, a verification that passed.
    case good
    /// A push that was rejected, an error.
    case bad
    /// A warning.
    case caution
    /// Text that only helps to read other text.
    case secondary

    /// The parameter of the escape sequence Select Graphic Rendition (ECMA-48).
    var code: String {
        switch self {
        case .heading: "1"
        case .good: "32"
        case .bad: "31"
        case .caution: "33"
        case .secondary: "2"
        }
    }

    /// The style of the status of a response.
    static func of(status: Int) -> Style { (200..<300).contains(status) ? .good : .bad }
}

/// A text with or without a style.
protocol CellText {
    var text: String { get }
    var style: Style? { get }
}

extension String: CellText {
    var text: String { self }
    var style: Style? { nil }

    func styled(_ style: Style?) -> StyledText { StyledText(text: self, style: style) }
}

struct StyledText: CellText {
    let text: String
    let style: Style?
}
