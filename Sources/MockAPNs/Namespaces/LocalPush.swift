public import MockAPNsRules
internal import MockAPNsTransport
public import MockAPNsWorld
internal import NIOCore

extension Namespace {
    /// A push that the server sends to itself.
    public struct LocalPush: Sendable {
        /// The header fields in their order, the pseudo-header fields of HTTP/2 first; names in lower case.
        public var headers: [(name: String, value: String)]
        /// The body.
        public var body: [UInt8]
        /// The service that it is sent to.
        public var environment: Environment

        /// A push of these parts.
        public init(headers: [(name: String, value: String)], body: [UInt8], environment: Environment) {
            self.headers = headers
            self.body = body
            self.environment = environment
        }
    }

    /// Lets a push come in as if a provider had sent it, but over no network.
    ///
    /// It is judged, recorded and delivered as any other, on a connection of its own that is in the log of connections,
    /// and belongs to this namespace whoever else knows its device token. A fault may decide on its answer; what faults
    /// do on the wire, a delay included, does not happen.
    ///
    /// - Returns: the record; `nil` when it has been put away already.
    /// - Throws: `NamespaceError` when the server is going down.
    public func send(_ push: LocalPush) async throws(NamespaceError) -> PushRecord? {
        // A loop that is shut down would never answer; the last thing that it does is later than this.
        guard let worker = workers.first, !world.ruleset.isStopping else { throw Self.goingDown }
        let connection = admission.next()
        let before: UInt64
        do {
            before = try await worker.eventLoop.submit { [world] in
                let before = world.journal.extent.lastSeq
                worker.value.answer(push, onConnection: connection)
                return before
            }.get()
        } catch {
            throw Self.goingDown
        }
        var query = PushQuery()
        query.after = before
        query.condition = { _, outline in outline.connectionID == connection }
        return world.journal.pushes(query).pushes.first
    }

    private static let goingDown = NamespaceError(.stopping, "the server is stopping")
}

extension Worker {
    /// Answers a push that came over no network, on a connection of its own.
    fileprivate func answer(_ push: Namespace.LocalPush, onConnection id: UInt64) {
        let connection = ConnectionRecord(
            id: id,
            remoteAddress: ConnectionRecord.ownAddress,
            environment: push.environment,
            openedAt: world.clock.read().system,
            tlsVersion: nil,
            applicationProtocol: nil,
            serverName: nil,
            clientCertificate: nil
        )
        world.journal.connectionOpened(connection)
        let responder = PushResponder(worker: self, connection: connection, routing: .api)
        // As the transport does: what no push type allows is counted and not kept.
        RequestView.withRequest(
            headers: push.headers,
            body: Array(push.body.prefix(PushType.largestPayload)),
            bodyLength: push.body.count
        ) { request in
            _ = responder.respond(to: request, streamID: 1, after: .zero)
        }
        responder.closed(because: CloseReason(.closedByPeer, "the push has its answer"))
    }
}
