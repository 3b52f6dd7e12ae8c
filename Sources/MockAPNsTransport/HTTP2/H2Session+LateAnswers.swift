internal import MockAPNsRules
internal import NIOCore

/// Holds responses back for answers that come from elsewhere.
extension H2Session {
    func takeAwaited() -> [(stream: Int32, answer: LateAnswer)] {
        guard let faults, !faults.awaited.isEmpty else { return [] }
        defer { faults.awaited = [] }
        return faults.awaited
    }

    /// Sends the response of a stream, with the content that was given; nothing happens if it was sent already.
    func answerGiven(on id: Int32, now: NIODeadline) {
        self.now = now
        guard let faults, var held = faults.responses[id], let own = held.response else { return }
        if let content = held.fault.awaits?.content {
            held.fault = WireFault(headers: content.headers)
            held.response = Response(
                status: content.status, headers: (nil, nil, nil), body: content.body,
                liftsStreamLimit: own.liftsStreamLimit, endsConnection: own.endsConnection)
            let admitsContent = held.stream.pointee.admitsContent(status: content.status)
            held.body = FaultyBody(admitsContent ? content.body : [], with: nil)
            faults.responses[id] = held
        }
        giveResponse(on: id, faults)
    }
}
