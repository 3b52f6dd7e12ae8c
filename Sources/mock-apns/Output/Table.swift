enum Table {
    /// A column of text, written as its title, or of something that is cut differently.
    struct Column: ExpressibleByStringLiteral {
        /// How a column becomes narrower when the terminal is.
        enum Kind {
            /// Cut at its end.
            case text
            /// Cut at its beginning, because the end tells more, as in `com.example.app`.
            case name
            /// Continued on the next line.
            case wrapped
            /// Never cut: an id, a status, a word of a fixed list.
            case fixed
            /// Never cut, and aligned to the right.
            case number
            /// A time of day remains of a date with a time.
            case time
        }

        let title: String
        private(set) var kind = Kind.text
        /// The columns with the highest rank are left out first on a narrow terminal; those with 0 last.
        private(set) var rank = 0

        init(stringLiteral title: String) { self.title = title }

        private init(_ title: String, _ kind: Kind) { (self.title, self.kind) = (title, kind) }

        static func text(_ title: String) -> Column { Column(title, .text) }
        static func name(_ title: String) -> Column { Column(title, .name) }
        static func wrapped(_ title: String) -> Column { Column(title, .wrapped) }
        static func fixed(_ title: String) -> Column { Column(title, .fixed) }
        static func number(_ title: String) -> Column { Column(title, .number) }
        static func time(_ title: String) -> Column { Column(title, .time) }

        /// A column that a narrow terminal may do without.
        func optional(_ rank: Int) -> Column {
            var column = self
            column.rank = rank
            return column
        }
    }

    /// Returns the lines of a table with a row for each item, as wide as the terminal at most.
    static func text<Item>(_ columns: [Column], of items: [Item], row: (Item) -> [any CellText]) -> String {
        let terminal = Terminal.output
        let titles: [any CellText] = columns.map { $0.title.styled(.heading) }
        let lines = ([titles] + items.map(row)).map { line in
            line.map { StyledText(text: TerminalText.plain($0.text), style: $0.style) }
        }
        let layout = TableLayout(columns, of: lines.map { $0.map(\.text) }, width: terminal.width)
        return lines.flatMap { layout.lines($0, on: terminal) }.joined(separator: "\n")
    }

    /// Returns a message when a table is empty or incomplete, followed by the note of a page.
    static func note(_ shown: Int, of matched: Int, _ items: String, ifNone none: String, _ note: String?) -> String? {
        let more = "\(shown) of \(matched) \(items) shown; --limit \(min(matched, 1_000)) shows more"
        let count = matched == 0 ? none : shown < matched ? more : nil
        return [count, note.map(TerminalText.plain)].given(joinedBy: "\n")
    }

    /// Names and values, a pair on each line; a name without a value is omitted.
    static func sheet(_ lines: [(name: String, value: String?)]) -> String {
        sheet(lines.map { (name: $0.name, value: $0.value as (any CellText)?) })
    }

    /// Names and values, some with a style.
    static func sheet(_ lines: [(name: String, value: (any CellText)?)]) -> String {
        let terminal = Terminal.output
        let given = lines.compactMap { line in line.value.map { (name: line.name, value: $0) } }
        let width = (given.map { TerminalText.width(of: $0.name) }.max() ?? 0) + 2
        return given.map { line in
            guard !line.value.text.isEmpty else { return terminal.styled(line.name, .secondary) }
            let space = String(repeating: " ", count: width - TerminalText.width(of: line.name))
            // The first line of the paragraph has the name in its margin.
            let value = terminal.paragraph(line.value, indent: width).drop { $0 == " " }
            return terminal.styled(line.name, .secondary) + space + value
        }.joined(separator: "\n")
    }
}

/// Which columns of a table are shown, and how wide.
struct TableLayout {
    private static let gap = "  "
    /// A column of text is not cut further than this, so that its beginning is still recognized.
    private static let narrowest = 12
    /// The width of a time of day: `10:11:12Z`.
    private static let timeOfDay = 9

    private let columns: [Table.Column]
    private var shown: [Int]
    private var widths: [Int]

    /// `lines` has the titles first; without a `width`, all columns are shown in full.
    init(_ columns: [Table.Column], of lines: [[String]], width: Int?) {
        self.columns = columns
        shown = Array(columns.indices)
        widths = columns.indices.map { column in
            lines.map { $0.indices.contains(column) ? TerminalText.width(of: $0[column]) : 0 }.max() ?? 0
        }
        if let width { fit(into: width) }
    }

    private var total: Int { shown.reduce(Self.gap.count * (shown.count - 1)) { $0 + widths[$1] } }

    private mutating func fit(into width: Int) {
        // From what is missed least to what is missed most.
        if total > width {
            for column in shown where columns[column].kind == .time {
                widths[column] = min(widths[column], max(Self.timeOfDay, columns[column].title.count))
            }
        }
        let least = columns.indices.map { column in
            isFlexible(column) ? min(widths[column], Self.narrowest) : widths[column]
        }
        func smallestTotal() -> Int { shown.reduce(Self.gap.count * (shown.count - 1)) { $0 + least[$1] } }
        while smallestTotal() > width, shown.count > 1 {
            let next = shown.last { column in columns[column].rank == shown.map { columns[$0].rank }.max() }
            shown.removeAll { $0 == next }
        }
        while total > width {
            let texts = shown.filter { isFlexible($0) && widths[$0] > least[$0] }
            guard let widest = texts.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        if let only = shown.first, total > width { widths[only] = max(1, width) }
    }

    private func isFlexible(_ column: Int) -> Bool {
        switch columns[column].kind {
        case .text, .name, .wrapped: true
        case .fixed, .number, .time: false
        }
    }

    /// Returns the lines of a row; cells of columns that are not shown are left out.
    func lines(_ cells: [StyledText], on terminal: Terminal) -> [String] {
        let parts = cells.enumerated().map { column, cell in
            fitted(cell.text, in: column).map { StyledText(text: $0, style: cell.style) }
        }
        let count = shown.compactMap { $0 < parts.count ? parts[$0].count : nil }.max() ?? 0
        return (0..<count).map { index in
            line(parts.map { index < $0.count ? $0[index] : StyledText(text: "", style: nil) }, on: terminal)
        }
    }

    private func line(_ cells: [StyledText], on terminal: Terminal) -> String {
        var line = ""
        // Nothing follows the last text on a line, not even spaces.
        var space = ""
        for (position, column) in shown.enumerated() where column < cells.count {
            if position > 0 { space += Self.gap }
            let text = cells[column].text
            let rest = String(repeating: " ", count: max(0, widths[column] - TerminalText.width(of: text)))
            guard !text.isEmpty else {
                space += rest
                continue
            }
            let isNumber = columns[column].kind == .number
            let before = isNumber ? space + rest : space
            line += before + terminal.styled(text, cells[column].style)
            space = isNumber ? "" : rest
        }
        return line
    }

    private func fitted(_ text: String, in column: Int) -> [String] {
        let width = widths[column]
        guard TerminalText.width(of: text) > width else { return [text] }
        return switch columns[column].kind {
        case .time: [String(text.suffix(Self.timeOfDay))]
        case .name: [TerminalText.cutBeginning(text, to: width)]
        case .wrapped: TerminalText.broken(text, to: width)
        case .text, .fixed, .number: [TerminalText.cut(text, to: width)]
        }
    }
}
