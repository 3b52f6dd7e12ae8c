internal import MockAPNsAPI

extension APIObject<PushSentShape> {
    /// What it was answered, what became of it, and where to look.
    var text: String {
        let verdict = self.push.verdict
        let reason = verdict.reason.map { " \($0)" } ?? ""
        let state = [self.push.delivery.state, self.push.delivery.status, self.push.delivery.detail]
            .compactMap { $0 }
        let facts: [(name: String, value: String?)] = [
            ("push", "\(self.push.id)  #\(self.push.seq)"),
            ("answer", "\(verdict.status)\(reason)"),
            ("why", verdict.reason == nil ? nil : verdict.meaning),
            ("hint", verdict.hint),
            ("device", self.push.delivery.device ?? self.push.apns.token),
            ("delivery", state.joined(separator: ", ")),
            ("look", self.page),
        ]
        return Table.sheet(facts.compactMap { name, value in value.map { (name, $0) } })
    }
}
