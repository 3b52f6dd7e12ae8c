/// Suggests the closest known name for a misspelled one, such as an API parameter or a command-line option.
public enum Suggestion {
    /// Longer texts are ignored, because the comparison takes time proportional to the product of both lengths.
    private static let longestText = 64

    /// Returns the candidate closest to `text`, or `nil` if none is close enough to be a typo.
    ///
    /// Case-insensitive. A candidate also counts as close if one text is a prefix or suffix of the other:
    /// `deviceToken` suggests `token`.
    public static func nearest(to text: String, among candidates: [String]) -> String? {
        // Any single character would be a typo of any other.
        guard text.utf8.count > 1, text.utf8.count <= longestText else { return nil }
        let wanted = text.lowercased()
        let allowed = max(1, min(3, wanted.count / 3))
        let ranked = candidates.compactMap { candidate -> (candidate: String, rank: (Int, Int, Int))? in
            let name = candidate.lowercased()
            // The distance is at least the difference of the lengths, and takes longer to compute.
            let isAlike = abs(wanted.count - name.count) <= allowed
            let edits = isAlike ? distance(wanted, name) : allowed + 1
            let near = isPart(wanted, of: name) || isPart(name, of: wanted) ? 1 : edits
            guard near <= allowed else { return nil }
            // Prefer the longer common prefix: typos tend to come late in a word.
            let isSlip = edits <= allowed
            let common = zip(wanted, name).prefix { $0 == $1 }.count
            return (candidate, (near, isSlip ? 0 : 1, isSlip ? -common : 0))
        }
        return ranked.min { $0.rank < $1.rank }?.candidate
    }

    /// Returns the end of an error message that asks for the closest candidate; empty if there is none.
    public static func question(for text: String, among candidates: [String]) -> String {
        nearest(to: text, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }

    private static func isPart(_ part: String, of whole: String) -> Bool {
        part.count > 2 && (whole.hasPrefix(part) || whole.hasSuffix(part))
    }

    /// The edit distance: insertions, deletions, replacements and swaps of adjacent characters.
    public static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        // The distances between all prefixes of both texts.
        var table = (0...left.count).map { row in (0...right.count).map { row == 0 ? $0 : row } }
        for row in left.indices {
            for column in right.indices {
                let replaced = table[row][column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(table[row][column + 1] + 1, table[row + 1][column] + 1, replaced)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, table[row - 1][column - 1] + 1)
                }
                table[row + 1][column + 1] = cost
            }
        }
        return table[left.count][right.count]
    }
}
