/// What became of notifications because something changed, as the API shows it.
struct DeliveryAnswer: Decodable {
    /// How many entries of a list are printed unless all are asked for.
    private static let shownEntries = 4

    let delivered: [String]
    let expired: [String]
    let discarded: [String]
    let inactive: [String]
    let deliveredCount: Int
    let expiredCount: Int
    let discardedCount: Int
    let inactiveCount: Int

    /// Whether nothing happened.
    var isEmpty: Bool { deliveredCount + expiredCount + discardedCount + inactiveCount == 0 }

    /// A line for each list that is not empty.
    func lines(full: Bool) -> [(name: String, value: String)] {
        let tokens = full ? inactive : inactive.map { TerminalText.shortened(token: $0) }
        let lists = [
            ("delivered", delivered, deliveredCount), ("expired", expired, expiredCount),
            ("discarded", discarded, discardedCount), ("inactive", tokens, inactiveCount),
        ]
        return lists.filter { $0.2 > 0 }.map { name, entries, count in
            let shown = full ? entries[...] : entries.prefix(Self.shownEntries)
            let rest = count > shown.count ? " and \(count - shown.count) more" : ""
            return (name, "\(count): \(shown.joined(separator: " "))\(rest)")
        }
    }

    /// A sentence, then what became of notifications, if anything did.
    func text(after sentence: String, full: Bool) -> String {
        let lines = lines(full: full)
        return TerminalText.plain(sentence) + (lines.isEmpty ? "" : "\n" + Table.sheet(lines))
    }
}
