internal import MockAPNsFormats

/// An event as a line: number, type and subject.
struct EventLine {
    /// The members that events may have; each has some of them.
    private struct Subject: Decodable {
        let label: String?
        let state: String?
        let mode: String?
        let now: String?
        let token: String?
        let cause: String?
        let name: String?
        let remote: String?
        let closeDetail: String?
        let epoch: UInt64?
    }

    /// The response to a push.
    private struct Verdict: Decodable {
        struct Answer: Decodable {
            let status: Int
            let reason: String?
        }

        let verdict: Answer?
    }

    let event: ServerSentEvent

    /// The line, without control characters.
    var text: String {
        let name = event.name + String(repeating: " ", count: max(0, 14 - event.name.count))
        let number = event.id.map { "#\($0)" } ?? ""
        return TerminalText.plain("\(number)  \(name)  \(subject)")
    }

    /// The event as one line of JSON.
    var json: String {
        let id = event.id.map(\.json) ?? .null
        let head = JSONValue.string(event.name).text + Array(",\"id\":".utf8) + id.text
        return "{\"event\":\(String(decoding: head, as: UTF8.self)),\"data\":\(event.line)}"
    }

    private var subject: String {
        if event.name.hasPrefix("push."), let push = try? event.decoded(as: PushAnswer.self) {
            let topic = push.apns.topic ?? "no topic"
            let text = push.request.payload?.line ?? "no text (\(push.apns.pushType ?? "no push type"))"
            return "\(push.id)\(outcome(of: push))  \(topic)  \(text)"
        }
        guard let subject = try? event.decoded(as: Subject.self) else {
            return PushSummaryAnswer.cut(event.data, 160)
        }
        let token = subject.token.map { TerminalText.shortened(token: $0) }
        let epoch = subject.epoch.map { "epoch \($0)" }
        let words = [
            subject.label ?? token ?? subject.name ?? subject.remote, subject.state, subject.mode,
            subject.now, subject.cause, subject.closeDetail, epoch,
        ].compactMap { $0 }
        return words.isEmpty ? PushSummaryAnswer.cut(event.data, 160) : words.joined(separator: "  ")
    }

    /// The part of the push that is new in this event.
    private func outcome(of push: PushAnswer) -> String {
        switch event.name {
        case "push.responded":
            guard let answer = try? event.decoded(as: Verdict.self).verdict else { return "" }
            return "  \(answer.status)\(answer.reason.map { " \($0)" } ?? "")"
        case "push.delivered": return push.delivery?.reaction.map { "  [\($0.summary)]" } ?? ""
        default: return ""
        }
    }
}
