internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// Finds pushes on the connections that all share whose device token belongs to a namespace.
///
/// Never leaves its loop. It holds what the loop needs of each namespace, so that nothing of one is left when it has
/// been removed.
final class LoopRouter {
    /// A namespace on this loop.
    private struct Lane {
        let namespace: Namespace
        let worker: Worker
        /// Who answers for the namespace, by the number of the connection.
        var responders: [UInt64: PushResponder] = [:]
    }

    private let table: NamespaceTable
    private let eventLoop: any EventLoop
    /// The version of the table that `lanes` are of.
    private var version: UInt64 = 0
    private var lanes: [Lane] = []
    /// Those with records that are not published yet.
    private var touched: [Worker] = []

    init(_ table: NamespaceTable, on eventLoop: any EventLoop) {
        self.table = table
        self.eventLoop = eventLoop
    }

    /// Whether there are no namespaces; one load and two comparisons.
    var isIdle: Bool { table.version == version && lanes.isEmpty }

    /// Who answers a request on a connection of `standard`; `nil` for `standard` itself.
    func responder(
        for request: borrowing RequestView,
        on connection: ConnectionRecord,
        of standard: Worker
    ) -> PushResponder? {
        refresh()
        guard !lanes.isEmpty, let token = request.devicePart.flatMap({ DeviceToken(hex: $0) }),
            let position = owner(of: token, besides: standard)
        else { return nil }
        let worker = lanes[position].worker
        if !touched.contains(where: { $0 === worker }) { touched.append(worker) }
        if let known = lanes[position].responders[connection.id] { return known }
        let made = PushResponder(worker: worker, connection: connection, routing: .token)
        worker.world.journal.connectionOpened(connection)
        lanes[position].responders[connection.id] = made
        return made
    }

    /// The only namespace that knows the token.
    ///
    /// Where several do, a device that only a push made counts for nothing beside one that somebody described or changed.
    private func owner(of token: DeviceToken, besides standard: Worker) -> Int? {
        let owners = lanes.indices.filter { lanes[$0].worker.knows(token) }
        guard !owners.isEmpty else { return nil }
        let isStandards = standard.knows(token)
        if owners.count == 1, !isStandards { return owners[0] }
        if isStandards, standard.world.isKept(token) { return nil }
        let kept = owners.filter { lanes[$0].worker.world.isKept(token) }
        return kept.count == 1 ? kept[0] : nil
    }

    /// Makes what was recorded visible.
    func publish() {
        guard !touched.isEmpty else { return }
        for worker in touched { worker.publish() }
        touched.removeAll(keepingCapacity: true)
    }

    /// A connection of all is gone.
    func connectionEnded(_ connection: ConnectionRecord, because reason: CloseReason) {
        for position in lanes.indices
        where lanes[position].responders.removeValue(forKey: connection.id) != nil {
            lanes[position].worker.noteEnd(of: connection, because: reason)
        }
    }

    /// Takes the namespaces that there are now, and lets go of the others.
    func refresh() {
        let latest = table.version
        guard latest != version else { return }
        publish()
        version = latest
        let known = lanes
        lanes = table.all.compactMap { namespace in
            if let lane = known.first(where: { $0.namespace === namespace }) { return lane }
            return namespace.worker(on: eventLoop).map { Lane(namespace: namespace, worker: $0) }
        }
    }
}
