import Testing

/// Fails where a text is not the expected one, and shows the lines that differ.
///
/// `source` says where the expected text is from, and what to do if the difference is intended.
public func expectNoDifference(
    _ text: String, _ expected: String, _ source: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    if let difference = LineDifference.text(text, expected) {
        Issue.record("differs from \(source) (- expected, + seen)\n\(difference)", sourceLocation: sourceLocation)
    }
}

/// The lines in which two texts differ.
public enum LineDifference {
    /// So many equal lines are shown before and after others.
    private static let context = 3
    /// Longer lines are shown only around the first character that differs.
    private static let longest = 200

    private struct Row {
        let sign: Character
        let line: Substring
        let number: Int
    }

    /// The lines that are removed from `expected` (`-`) and added to it (`+`) with some around them, each group after the
    /// number of its first line; `nil` for equal texts.
    public static func text(_ text: String, _ expected: String) -> String? {
        guard text != expected else { return nil }
        let (old, new) = (lines(expected), lines(text))
        let rows = rows(old, new)
        let isNear = rows.indices.map { index in
            rows[max(0, index - context)...min(rows.count - 1, index + context)].contains { $0.sign != " " }
        }
        var shown: [String] = []
        for (index, row) in rows.enumerated() where isNear[index] {
            if index == 0 || !isNear[index - 1] { shown.append("@@ line \(row.number) @@") }
            shown.append("\(row.sign) \(window(row, in: rows, at: index))")
        }
        return shown.joined(separator: "\n")
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// All lines in order, each with the number that it has, or would have, in the old text.
    private static func rows(_ old: [Substring], _ new: [Substring]) -> [Row] {
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var rows: [Row] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            let number = oldIndex + 1
            if removed.contains(oldIndex) {
                rows.append(Row(sign: "-", line: old[oldIndex], number: number))
                oldIndex += 1
            } else if inserted.contains(newIndex) {
                rows.append(Row(sign: "+", line: new[newIndex], number: number))
                newIndex += 1
            } else {
                rows.append(Row(sign: " ", line: old[oldIndex], number: number))
                (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
            }
        }
        return rows
    }

    /// A line; of a long one, what is around its first difference from the line that it replaces or is replaced by.
    private static func window(_ row: Row, in rows: [Row], at index: Int) -> String {
        guard row.line.count > longest else { return String(row.line) }
        let neighbors = [index - 1, index + 1].filter(rows.indices.contains).map { rows[$0] }
        let other = neighbors.first { $0.sign != " " && $0.sign != row.sign }
        let common = other.map { zip(row.line, $0.line).prefix(while: ==).count } ?? 0
        let start = max(0, common - longest / 4)
        let part = row.line.dropFirst(start).prefix(longest)
        return (start > 0 ? "…" : "") + part + "… (\(row.line.count) characters, different from \(common) on)"
    }
}
