enum Table {
    /// A column of text, written as its title, or of numbers.
    struct Column: ExpressibleByStringLiteral {
        let title: String
        var isNumber = false

        init(stringLiteral title: String) { self.title = title }

        /// A column of numbers, aligned to the right.
        static func number(_ title: String) -> Column {
            var column = Column(stringLiteral: title)
            column.isNumber = true
            return column
        }
    }

    /// Returns the lines of a table with a row for each item.
    static func text<Item>(_ columns: [Column], of items: [Item], row: (Item) -> [String]) -> String {
        let lines = ([columns.map(\.title)] + items.map(row)).map { $0.map(TerminalText.plain) }
        let widths = columns.indices.map { column in
            lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return lines.map { line in
            let cells = zip(columns.indices, line).map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return columns[column].isNumber ? space + cell : cell + space
            }
            return withoutTrailingSpace(cells.joined(separator: "  "))
        }.joined(separator: "\n")
    }

    /// Returns a message when a table is empty or incomplete, followed by the note of a page.
    static func note(
        _ shown: Int,
        of matched: Int,
        _ items: String,
        ifNone none: String,
        _ note: String?
    ) -> String? {
        let more = "\(shown) of \(matched) \(items) shown; --limit \(min(matched, 1_000)) shows more"
        let count = matched == 0 ? none : shown < matched ? more : nil
        return [count, note.map(TerminalText.plain)].given(joinedBy: "\n")
    }

    /// Names and values, a pair on each line; a name without a value is omitted.
    static func sheet(_ lines: [(name: String, value: String?)]) -> String {
        let given = lines.compactMap { line in line.value.map { (name: line.name, value: $0) } }
        let width = given.map(\.name.count).max() ?? 0
        return given.map { line in
            let space = String(repeating: " ", count: width - line.name.count)
            return withoutTrailingSpace("\(line.name)\(space)  \(TerminalText.plain(line.value))")
        }.joined(separator: "\n")
    }

    private static func withoutTrailingSpace(_ line: String) -> String {
        guard let end = line.lastIndex(where: { $0 != " " }) else { return "" }
        return String(line[...end])
    }
}
