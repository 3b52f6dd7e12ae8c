internal import MockAPNsAPI

extension APIObject<FeedbackListShape> {
    /// A line for each token.
    func table(full: Bool) -> String {
        var table = Table([
            .text("UNREGISTERED"), .text("CAUSE"), .number("410S"), .number("PUSHES AFTER"), .text("DEVICE"),
            .text("TOPIC"), .text("TOKEN"),
        ])
        table.rows = self.feedback.map { entry in
            [
                TerminalText.time(entry.unregisteredAt), entry.cause, "\(entry.reported410)",
                "\(entry.pushesAfterFirst410)", entry.device ?? "-", entry.topic ?? "-",
                full ? entry.token : TerminalText.shortened(token: entry.token),
            ]
        }
        return table.text
    }
}
