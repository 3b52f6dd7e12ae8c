/// The device tokens that do not work any more, as the API shows them.
struct FeedbackAnswer: Decodable {
    /// A device token, and what happened to it.
    struct Entry: Decodable {
        let token: String
        let device: String?
        let topic: String?
        let unregisteredAt: String
        let cause: String
        let reported410: Int
        let pushesAfterFirst410: Int
    }

    let feedback: [Entry]

    /// A line for each token.
    func table(full: Bool) -> String {
        var table = Table([
            .text("UNREGISTERED"), .text("CAUSE"), .number("410S"), .number("PUSHES AFTER"), .text("DEVICE"),
            .text("TOPIC"), .text("TOKEN"),
        ])
        table.rows = feedback.map { entry in
            [
                TerminalText.time(entry.unregisteredAt), entry.cause, "\(entry.reported410)",
                "\(entry.pushesAfterFirst410)", entry.device ?? "-", entry.topic ?? "-",
                full ? entry.token : TerminalText.shortened(token: entry.token),
            ]
        }
        return table.text
    }
}

/// How many entries were removed, as the API shows it.
struct DeletionAnswer: Decodable {
    let deleted: Int
}
