/// Rows under titles, in aligned columns.
struct Table {
    /// A column.
    struct Column {
        let title: String
        var isNumber = false

        /// A column of text.
        static func text(_ title: String) -> Column { Column(title: title) }

        /// A column of numbers, aligned to the right.
        static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    let columns: [Column]
    var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// The lines.
    var text: String {
        let lines = ([columns.map(\.title)] + rows).map { $0.map(TerminalText.plain) }
        let widths = columns.indices.map { column in
            lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return lines.map { line in
            let cells = zip(columns.indices, line).map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return columns[column].isNumber ? space + cell : cell + space
            }
            return Self.withoutTrailingSpace(cells.joined(separator: "  "))
        }.joined(separator: "\n")
    }

    /// Names and values, a pair on each line.
    static func sheet(_ lines: [(name: String, value: String)]) -> String {
        let width = lines.map(\.name.count).max() ?? 0
        return lines.map { line in
            let space = String(repeating: " ", count: width - line.name.count)
            return withoutTrailingSpace("\(line.name)\(space)  \(TerminalText.plain(line.value))")
        }.joined(separator: "\n")
    }

    private static func withoutTrailingSpace(_ line: String) -> String {
        guard let end = line.lastIndex(where: { $0 != " " }) else { return "" }
        return String(line[...end])
    }
}
