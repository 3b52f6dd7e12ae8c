/// An event as people read it: when, what, and about whom.
struct EventLine {
    /// What all events may have in common; each has what the API shows of its subject.
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

    /// What a push that was answered says besides its words.
    private struct Verdict: Decodable {
        struct Answer: Decodable {
            let status: Int
            let reason: String?
        }

        let verdict: Answer?
    }

    let event: ServerSentEvent

    /// The line, with nothing in it that moves a cursor.
    var text: String {
        let name = event.name + String(repeating: " ", count: max(0, 14 - event.name.count))
        let number = event.id.map { "#\($0)" } ?? ""
        return TerminalText.plain("\(number)  \(name)  \(subject)")
    }

    /// The event as one line of JSON.
    var json: String {
        // Between the values of JSON, where alone it may stand, a line feed is as good as a space.
        let data = event.data.split(separator: "\n").joined(separator: " ")
        let id = event.id.map(ReadyNotice.quoted) ?? "null"
        return "{\"event\":\(ReadyNotice.quoted(event.name)),\"id\":\(id),\"data\":\(data)}"
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

    /// What this event says of the push that the ones before it did not.
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
