internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

extension APIObject<PushShape> {
    /// The words of the alert on one line; `nil` when there are none.
    var words: String? { AlertText(self.request.payload["aps"]?["alert"]).line }

    /// When it reached the device, or else when it arrived.
    var time: String {
        self.delivery.timeline.last { $0.event == "delivered" }?.at ?? self.receivedAt
    }

    /// One line for one notification on a device.
    var line: String {
        let topic = self.apns.topic ?? "no topic"
        let text = words ?? "no text (\(self.apns.pushType))"
        let reaction = self.delivery.reaction.map { "  [\($0.summary)]" } ?? ""
        return TerminalText.plain("\(TerminalText.time(time))  \(topic)  \(text)\(reaction)")
    }

    /// A line for each push.
    static func table(_ pushes: [APIObject<PushShape>]) -> String {
        var table = Table([.text("PUSH"), .text("RECEIVED"), .text("TOPIC"), .text("TYPE"), .text("TEXT")])
        table.rows = pushes.map { push in
            [
                push.id, TerminalText.time(push.receivedAt), push.apns.topic ?? "-",
                push.apns.pushType,
                push.words ?? "-",
            ]
        }
        return table.text
    }
}

extension AlertText {
    /// The words on one line; `nil` when there are none.
    var line: String? {
        let words = [title, subtitle, body].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: ": ")
    }
}
