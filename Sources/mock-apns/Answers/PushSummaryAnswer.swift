/// A push on one line of a list, as the API shows it.
struct PushSummaryAnswer: Decodable {
    let id: String
    let seq: UInt64
    let receivedAt: String
    let token: String?
    let device: String?
    let topic: String?
    let pushType: String
    let title: String?
    let body: String?
    let status: Int
    let reason: String?
    let delivery: String

    /// The words of the alert.
    private var words: String {
        let words = [title, body].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? "-" : words.joined(separator: ": ")
    }

    /// What it was answered.
    var answer: String { "\(status)\(reason.map { " \($0)" } ?? "")" }

    /// A line for each push.
    static func table(_ pushes: [PushSummaryAnswer], full: Bool) -> String {
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

/// A list of pushes, as the API shows it.
struct PushPageAnswer: Decodable {
    let pushes: [PushSummaryAnswer]
    let matched: Int
    let satisfied: Bool
    let nextAfter: UInt64
    let note: String?

    /// What a table does not say: that it is empty, or does not show everything.
    func omission(isFiltered: Bool) -> String? {
        let line: String? =
            if matched == 0 {
                isFiltered
                    ? "No push is what was asked for." : "No pushes. mock-apns pushes --help says more."
            } else if pushes.count < matched {
                "\(pushes.count) of \(matched) pushes shown; --limit \(min(matched, 1_000)) shows more"
            } else {
                nil
            }
        let notes = [line, note.map(TerminalText.plain)].compactMap { $0 }
        return notes.isEmpty ? nil : notes.joined(separator: "\n")
    }
}

/// How many pushes there are, as the API shows it.
struct PushCountAnswer: Decodable {
    let count: Int
    let note: String?
}
