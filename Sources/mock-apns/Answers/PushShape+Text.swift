internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery

extension APIObject<PushShape> {
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

    static func table(_ pushes: [APIObject<PushShape>]) -> String {
        Table.text(["PUSH", "RECEIVED", "TOPIC", "TYPE", "TEXT"], of: pushes) { push in
            [
                push.id, TerminalText.time(push.receivedAt), push.apns.topic ?? "-",
                push.apns.pushType,
                push.words ?? "-",
            ]
        }
    }
}

extension AlertText {
    /// The words on one line; `nil` when there are none.
    var line: String? {
        let words = [title, subtitle, body].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: ": ")
    }
}
