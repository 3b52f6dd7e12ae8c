internal import MockAPNsAPI

extension APIObject<DeliveriesShape> {
    /// How many entries of a list are printed unless all are asked for.
    private static let shownEntries = 4

    var isEmpty: Bool {
        self.deliveredCount + self.expiredCount + self.discardedCount + self.inactiveCount == 0
    }

    /// A line for each list that is not empty.
    func lines(full: Bool) -> [(name: String, value: String)] {
        let tokens = full ? self.inactive : self.inactive.map { TerminalText.shortened(token: $0) }
        let lists = [
            ("delivered", self.delivered, self.deliveredCount), ("expired", self.expired, self.expiredCount),
            ("discarded", self.discarded, self.discardedCount), ("inactive", tokens, self.inactiveCount),
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
