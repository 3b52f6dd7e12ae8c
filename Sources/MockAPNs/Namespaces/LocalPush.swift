public import MockAPNsRules
internal import MockAPNsTransport
public import MockAPNsWorld
internal import NIOCore

extension Namespace {
    /// A push that the server sends to itself.
    public struct LocalPush: Sendable {
        /// The header fields in order, starting with the pseudo-header fields of HTTP/2; names in lower case.
        public var headers: [(name: String, value: String)]
        /// The body.
        public var body: [UInt8]
        /// The environment to send to.
        public var environment: Environment

        /// Creates a push.
        public init(headers: [(name: String, value: String)], body: [UInt8], environment: Environment) {
            self.headers = headers
            self.body = body
            self.environment = environment
        }

        /// A body that is too large to keep is cut off, but its whole length is counted, as in the transport.
        func withRequest(_ use: (borrowing RequestView) -> Void) {
            let kept = Array(body.prefix(PushType.largestKept))
            RequestView.withRequest(headers: headers, body: kept, bodyLength: body.count, use)
        }
    }

    /// Handles a push as if a provider had sent it, but without a network.
    ///
    /// The push is judged, recorded and delivered like any other, and has its own entry in the connection log. It
    /// belongs to this namespace, even if its device token is registered in another one. A fault can replace the
    /// response, but has no effects on the wire, such as delays. Returns `nil` if the record was already evicted.
    public func send(_ push: LocalPush) async throws(NamespaceError) -> PushRecord? {
        // A loop that is shut down never answers, so check the refusal, which is set before loops are shut down.
        guard let worker = workers.first, world.ruleset.refusal != .shutdown else { throw .stopping }
        let connection = admission.next()
        let before = try? await worker.eventLoop.submit { [world] in
            let before = world.journal.extent.lastSeq
            worker.value.answer(push, onConnection: connection)
            return before
        }.get()
        guard let before else { throw .stopping }
        var query = PushQuery()
        query.after = before
        query.condition = { _, outline in outline.connectionID == connection }
        return world.journal.pushes(query).pushes.first
    }
}

extension Worker {
    /// Answers a local push on a separate connection.
    fileprivate func answer(_ push: Namespace.LocalPush, onConnection id: UInt64) {
        let connection = ConnectionRecord(
            id: id, remoteAddress: ConnectionRecord.ownAddress, environment: push.environment,
            openedAt: world.clock.read().system)
        world.journal.connectionOpened(connection)
        let responder = PushResponder(worker: self, connection: connection, routing: .api)
        push.withRequest { _ = responder.respond(to: $0, streamID: 1, after: .zero) }
        responder.closed(because: CloseReason(.closedByPeer, "the push was answered"))
    }
}
