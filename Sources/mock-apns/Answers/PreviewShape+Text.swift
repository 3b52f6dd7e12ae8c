internal import MockAPNsAPI

extension APIObject<PreviewShape> {
    /// What would be seen, then what happens in each state of the app, then what is odd.
    var text: String {
        var rows = [
            ("kind", "\(self.kind): \(self.headline)"), ("app", "\(self.app.name) (\(self.app.bundleId))"),
        ]
        if let language = self.language { rows.append(("language", language)) }
        for (name, text) in [("title", title), ("subtitle", self.subtitle), ("body", self.body)] {
            guard let text else { continue }
            rows.append((name, text.source == "key-not-found" ? "\(text.text) (key not found)" : text.text))
        }
        switch self.kind {
        case "alert", "quiet", "live-activity":
            rows += [
                ("badge", self.badge.meaning), ("sound", self.sound.meaning),
                ("level", self.interruptionLevel.meaning),
            ]
        default: rows.append(("seen", self.summary))
        }
        rows += self.appStates.map { ($0.appState, $0.summary) }
        let sheet = Table.sheet(rows.map { ($0.0, TerminalText.plain($0.1)) })
        return ([sheet] + self.notes.map { "note: \(TerminalText.plain($0))" }).joined(separator: "\n")
    }
}
