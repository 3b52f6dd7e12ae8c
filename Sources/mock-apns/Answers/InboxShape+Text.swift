internal import MockAPNsAPI

extension APIObject<InboxShape> {
    /// What people call the device.
    var name: String { self.label ?? self.device }

    /// The badge, then the notifications, newest first, with an empty line between.
    var text: String {
        let title = "\(name), badge \(self.badge.map(String.init) ?? "none")"
        return ([TerminalText.plain(title)] + self.notifications.map(\.text)).joined(separator: "\n\n")
    }
}

extension APIObject<InboxShape.Notification> {
    /// The notification as people read it: when and which app, then its words, then what iOS did.
    var text: String {
        let badge = self.badge.map { "  badge \($0)" } ?? ""
        let words = [self.title, self.subtitle, self.body].compactMap { $0 }.filter { !$0.isEmpty }
        let lines =
            (words.isEmpty ? ["(no text)"] : words)
            + ["[\(self.reaction.summary)]"]
        return TerminalText.plain(
            "\(self.deliveredAt.map(TerminalText.time) ?? "?")  \(self.topic ?? "no topic")\(badge)"
        )
            + lines.map { "\n    " + TerminalText.plain($0) }.joined()
    }
}
