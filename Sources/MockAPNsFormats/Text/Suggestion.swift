/// Finds what somebody probably meant: a parameter of the API, an option or a command of the command line.
package enum Suggestion {
    /// Longer texts are not looked at: the comparison takes the product of both lengths.
    private static let longestText = 64

    /// The candidate nearest to `text`; `nil` when none is near enough to be a slip of the hand.
    ///
    /// Letter case does not matter. A text is also near when one begins or ends with the other: `deviceToken`
    /// means `token`.
    package static func nearest(to text: String, among candidates: [String]) -> String? {
        // Of one character, every other one would be a slip.
        guard text.utf8.count > 1, text.utf8.count <= longestText else { return nil }
        let wanted = text.lowercased()
        let allowed = max(1, min(3, wanted.count / 3))
        var best: (candidate: String, rank: (Int, Int, Int))?
        for candidate in candidates {
            let name = candidate.lowercased()
            let edits = distance(wanted, name)
            let near = isPart(wanted, of: name) || isPart(name, of: wanted) ? 1 : edits
            guard near <= allowed else { continue }
            // Of two that are equally near, the one that begins more alike: slips come late in a word.
            let isSlip = edits <= allowed
            let rank = (near, isSlip ? 0 : 1, isSlip ? -prefix(wanted, name) : 0)
            if best.map({ rank < $0.rank }) ?? true { best = (candidate, rank) }
        }
        return best?.candidate
    }

    /// How many characters both begin with.
    private static func prefix(_ left: String, _ right: String) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }

    private static func isPart(_ part: String, of whole: String) -> Bool {
        part.count > 2 && (whole.hasPrefix(part) || whole.hasSuffix(part))
    }

    /// How many characters have to be inserted, removed, replaced, or swapped with their neighbour.
    package static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        // Three rows of the table of distances between all beginnings of both texts.
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let isSame = left[row - 1] == right[column - 1]
                var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1]
                {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
