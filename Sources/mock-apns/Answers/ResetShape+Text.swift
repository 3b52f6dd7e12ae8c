internal import MockAPNsAPI

extension APIObject<ResetShape> {
    /// What was put away, line by line.
    var text: String {
        let cleared = self.cleared.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return Table.sheet([
            ("epoch", "\(self.epoch), after seq \(self.seq)"),
            ("cleared", cleared.isEmpty ? "nothing" : cleared.joined(separator: ", ")),
            ("connections", self.connections ?? "open"),
        ])
    }
}
