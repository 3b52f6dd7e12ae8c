internal import MockAPNsRules
internal import MockAPNsUpstream
package import MockAPNsWorld

/// A push that waits to be sent, with the mock's own response.
struct ForwardedPush: Sendable {
    let world: World
    let seq: UInt64
    /// Where its client waits, if it does.
    let connection: UInt64
    let stream: Int32
    var epoch: UInt64 = 0
    var request: UpstreamRequest
    let status: Int
    let reason: String?

    /// The headers that are sent on.
    ///
    /// All others stay here: `authorization` is the client's own, and the rest belongs to its connection.
    private static let names: [HeaderName] = [
        .apnsID, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration, .apnsCollapseID,
    ]

    init(_ request: borrowing RequestView, _ head: RecordHead, in world: World) {
        self.world = world
        (seq, connection, stream) = (head.seq, head.connectionID, head.streamID)
        (status, reason) = (Int(head.status), head.verdict.reason?.name)
        var headers: [UpstreamHeader] = []
        for name in Self.names {
            if let value = request[name] { headers.append(UpstreamHeader(name.text.description, value.text)) }
        }
        let path = request[.path]?.text ?? ""
        self.request = UpstreamRequest(path, headers: headers, body: Array(request.body.bytes))
    }
}

extension ForwardTarget {
    /// Creates what lets the clients of forwarded pushes wait for the other service's responses.
    package func answers(upTo limit: Duration = .seconds(10)) -> ForwardAnswers {
        ForwardAnswers(upTo: limit) { includes($0, $1) }
    }

    /// Whether a push is forwarded: one to a device over HTTP/2 that is complete.
    func includes(_ request: borrowing RequestView, _ head: RecordHead) -> Bool {
        guard head.service == .push, !head.isBinary, !head.hasProblem, head.isAccepted || includesRejected,
            request.body.count == request.bodyLength, let topic = request[.apnsTopic]?.text, topics.contains(topic)
        else { return false }
        guard let token = request.devicePart?.text.lowercased() else { return false }
        return tokens.isEmpty || tokens.contains(token)
    }
}
