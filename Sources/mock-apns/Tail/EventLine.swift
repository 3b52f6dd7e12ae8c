internal import MockAPNsAPI
internal import MockAPNsFormats

/// An event as a line: number, type and subject.
struct EventLine {
    let event: ServerSentEvent

    /// The line, without control characters.
    var text: String {
        let name = event.name + String(repeating: " ", count: max(0, 14 - event.name.count))
        let number = event.id.map { "#\($0)" } ?? ""
        return TerminalText.plain("\(number)  \(name)  \(subject)")
    }

    var json: String {
        let id = event.id.map(\.json) ?? .null
        let head = JSONValue.string(event.name).text + Array(",\"id\":".utf8) + id.text
        return "{\"event\":\(String(decoding: head, as: UTF8.self)),\"data\":\(event.line)}"
    }

    private var subject: String {
        if event.name.hasPrefix("push."), let push = try? event.decoded(as: PushShape.self) {
            let topic = push.apns.topic ?? "no topic"
            let text = push.words ?? "no text (\(push.apns.pushType))"
            return "\(push.id)\(outcome(of: push))  \(topic)  \(text)"
        }
        let token = event.text("token").map { TerminalText.shortened(token: $0) }
        let words = [
            event.text("label") ?? token ?? event.text("name") ?? event.text("remote"), event.text("state"),
            event.text("mode"), event.text("now"), event.text("cause"), event.text("closeDetail"),
            event.text("epoch").map { "epoch \($0)" },
        ].compactMap { $0 }
        return words.isEmpty
            ? APIObject<PushSummaryShape>.cut(event.data, 160) : words.joined(separator: "  ")
    }

    /// The part of the push that is new in this event.
    private func outcome(of push: APIObject<PushShape>) -> String {
        switch event.name {
        case "push.responded":
            return "  \(push.verdict.status)\(push.verdict.reason.map { " \($0)" } ?? "")"
        case "push.delivered": return push.delivery.reaction.map { "  [\($0.summary)]" } ?? ""
        default: return ""
        }
    }
}
