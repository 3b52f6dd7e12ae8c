/// Finds what somebody probably meant.
enum Suggestion {
    /// The word with the fewest edits from `word`; `nil` when none is near.
    static func nearest(to word: String, among words: [String]) -> String? {
        let ranked = words.map { (word: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(2, word.count / 3) ? best.word : nil
    }

    /// The number of letters to add, drop or change (Levenshtein).
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (position, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(
                    above + 1,
                    row[column] + 1,
                    diagonal + (letter == right[column] ? 0 : 1)
                )
                diagonal = above
            }
        }
        return row[right.count]
    }
}
