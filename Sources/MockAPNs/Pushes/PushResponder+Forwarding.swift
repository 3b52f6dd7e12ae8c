internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

extension PushResponder {
    /// Holds a response back until another push service has answered; `nil` if the client gets the mock's own at once.
    func awaitedAnswer(to request: borrowing RequestView, _ facts: RecordHead) -> WireFault? {
        guard let answers = worker.answers, answers.includes(request, facts) else { return nil }
        let late = LateAnswer()
        let waits = answers.wait(connection: facts.connectionID, stream: facts.streamID) { record in
            late.give(record.flatMap { LateAnswer.Content($0) })
        }
        return waits ? WireFault(awaiting: late, upTo: TimeAmount(answers.limit)) : nil
    }
}

extension LateAnswer.Content {
    /// What belongs to the other service's connection, not to its response.
    private static let hopHeaders: Set<String> = [
        "connection", "content-length", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    fileprivate init?(_ record: ForwardRecord) {
        guard let status = record.status.flatMap({ UInt16(exactly: $0) }), (200...599).contains(status) else {
            return nil
        }
        let headers = record.headers.filter { !$0.name.hasPrefix(":") && !Self.hopHeaders.contains($0.name) }
        self.init(status: status, headers: headers.map { FaultAction.Header($0.name, $0.value) }, body: record.body)
    }
}
