/// What Notification Center of a device shows, as the API shows it.
struct InboxAnswer: Decodable {
    /// A notification that the user sees.
    struct Notification: Decodable {
        let deliveredAt: String
        let topic: String?
        let title: String?
        let subtitle: String?
        let body: String?
        let badge: Int?
        let reaction: ReactionAnswer?

        /// The notification as people read it: when and which app, then its words, then what iOS did.
        var text: String {
            let badge = badge.map { "  badge \($0)" } ?? ""
            let words = [title, subtitle, body].compactMap { $0 }.filter { !$0.isEmpty }
            let lines =
                (words.isEmpty ? ["(no text)"] : words)
                + [reaction.map { "[\($0.summary)]" }].compactMap { $0 }
            return TerminalText.plain("\(TerminalText.time(deliveredAt))  \(topic ?? "no topic")\(badge)")
                + lines.map { "\n    " + TerminalText.plain($0) }.joined()
        }
    }

    let device: String
    let label: String?
    let badge: Int?
    let notifications: [Notification]
    let note: String?

    /// What people call the device.
    var name: String { label ?? device }

    /// The badge, then the notifications, newest first, with an empty line between.
    var text: String {
        let title = "\(name), badge \(badge.map(String.init) ?? "none")"
        return ([TerminalText.plain(title)] + notifications.map(\.text)).joined(separator: "\n\n")
    }
}
