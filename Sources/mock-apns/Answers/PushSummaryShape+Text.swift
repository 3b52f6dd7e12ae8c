internal import MockAPNsAPI

extension APIObject<PushSummaryShape> {
    private var words: String {
        let words = [title, self.body].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? "-" : words.joined(separator: ": ")
    }

    var answer: String { "\(self.status)\(self.reason.map { " \($0)" } ?? "")" }

    static func table(_ pushes: [APIObject<PushSummaryShape>], full: Bool) -> String {
        let columns: [Table.Column] = [
            "PUSH", .number("SEQ"), "RECEIVED", "ANSWER", "DELIVERY",
            "TYPE", "TOPIC", "DEVICE", "TEXT",
        ]
        return Table.text(columns, of: pushes) { push in
            let token = push.token.map { full ? $0 : TerminalText.shortened(token: $0) }
            let device = full ? [push.device, token].compactMap { $0 }.joined(separator: " ") : nil
            return [
                push.id, "\(push.seq)", TerminalText.time(push.receivedAt), push.answer, push.delivery,
                push.pushType, Self.cut(push.topic ?? "-", 60), device ?? push.device ?? token ?? "-",
                Self.cut(push.words, 60),
            ]
        }
    }

    /// The text, with an ellipsis where it is longer.
    static func cut(_ text: String, _ length: Int) -> String {
        text.count > length ? text.prefix(length - 1) + "…" : text
    }
}

extension APIObject<PushPageShape> {
    var summaries: [APIObject<PushSummaryShape>] {
        get throws { try self.pushes.map { try APIObject<PushSummaryShape>(json: $0) } }
    }

    /// A message when the table is empty or incomplete.
    func omission(isFiltered: Bool) -> String? {
        let none = isFiltered ? "No matching pushes." : "No pushes. mock-apns pushes --help says more."
        return Table.note(self.pushes.count, of: self.matched, "pushes", ifNone: none, self.note)
    }
}
