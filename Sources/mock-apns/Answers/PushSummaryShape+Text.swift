internal import MockAPNsAPI

extension APIObject<PushSummaryShape> {
    /// The words of the alert.
    private var words: String {
        let words = [title, self.body].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? "-" : words.joined(separator: ": ")
    }

    /// What it was answered.
    var answer: String { "\(self.status)\(self.reason.map { " \($0)" } ?? "")" }

    /// A line for each push.
    static func table(_ pushes: [APIObject<PushSummaryShape>], full: Bool) -> String {
        var table = Table([
            .text("PUSH"), .number("SEQ"), .text("RECEIVED"), .text("ANSWER"), .text("DELIVERY"),
            .text("TYPE"), .text("TOPIC"), .text("DEVICE"), .text("TEXT"),
        ])
        table.rows = pushes.map { push in
            let token = push.token.map { full ? $0 : TerminalText.shortened(token: $0) }
            let device = full ? [push.device, token].compactMap { $0 }.joined(separator: " ") : nil
            return [
                push.id, "\(push.seq)", TerminalText.time(push.receivedAt), push.answer, push.delivery,
                push.pushType, Self.cut(push.topic ?? "-", 60), device ?? push.device ?? token ?? "-",
                Self.cut(push.words, 60),
            ]
        }
        return table.text
    }

    /// The text, with an ellipsis where it is longer.
    static func cut(_ text: String, _ length: Int) -> String {
        text.count > length ? text.prefix(length - 1) + "…" : text
    }
}

extension APIObject<PushPageShape> {
    /// The pushes, each on one line.
    var summaries: [APIObject<PushSummaryShape>] {
        get throws { try self.pushes.map { try APIObject<PushSummaryShape>(json: $0) } }
    }

    /// What a table does not say: that it is empty, or does not show everything.
    func omission(isFiltered: Bool) -> String? {
        let line: String? =
            if self.matched == 0 {
                isFiltered
                    ? "No push is what was asked for." : "No pushes. mock-apns pushes --help says more."
            } else if self.pushes.count < self.matched {
                "\(self.pushes.count) of \(self.matched) pushes shown; --limit \(min(self.matched, 1_000)) shows more"
            } else {
                nil
            }
        let notes = [line, self.note.map(TerminalText.plain)].compactMap { $0 }
        return notes.isEmpty ? nil : notes.joined(separator: "\n")
    }
}
