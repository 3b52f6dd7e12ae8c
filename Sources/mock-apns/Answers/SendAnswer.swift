/// A push that the server has sent to itself.
struct SendAnswer: Decodable {
    let push: PushDetailAnswer
    /// Where the inspector shows it.
    let page: String?

    /// What it was answered, what became of it, and where to look.
    var text: String {
        let verdict = push.verdict
        let reason = verdict.reason.map { " \($0)" } ?? ""
        let state = [push.delivery.state, push.delivery.status, push.delivery.detail].compactMap { $0 }
        let facts: [(name: String, value: String?)] = [
            ("push", "\(push.id)  #\(push.seq)"),
            ("answer", "\(verdict.status)\(reason)"),
            ("why", verdict.reason == nil ? nil : verdict.meaning),
            ("hint", verdict.hint),
            ("device", push.delivery.device ?? push.apns.token),
            ("delivery", state.joined(separator: ", ")),
            ("look", page),
        ]
        return Table.sheet(facts.compactMap { name, value in value.map { (name, $0) } })
    }
}
