internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// Finds pushes on the shared connections whose device token belongs to a namespace.
///
/// Never leaves its loop. It holds what the loop needs of each namespace, so that nothing of one is left when it has
/// been removed.
final class LoopRouter {
    private let table: RoutingTable
    /// The version of the table that `owners` and `workers` are of.
    private var version: UInt64 = 0
    private var edition: UInt64 = 0
    private var owners = TokenOwners()
    /// What judges the pushes of each namespace on this loop, by the namespace's number.
    private var workers: [UInt64: Worker] = [:]
    /// The responders of each connection, by the numbers of the connection and the namespace.
    private var responders: [UInt64: [UInt64: PushResponder]] = [:]
    /// The workers with records that are not published yet.
    private var touched: [Worker] = []

    init(_ table: RoutingTable) { self.table = table }

    /// Whether there are no namespaces; one load and two comparisons.
    var isIdle: Bool { table.version == version && workers.isEmpty }

    /// Returns the responder for a request on a connection of `standard`, or `nil` if `standard` answers it itself.
    func responder(
        for request: borrowing RequestView,
        on connection: ConnectionRecord,
        of standard: Worker
    ) -> PushResponder? {
        refresh()
        guard !workers.isEmpty, let token = request.devicePart.flatMap({ DeviceToken(hex: $0) }),
            let number = owners.owner(of: token, besides: standard.latestRuleset.find(token)),
            let worker = workers[number]
        else { return nil }
        if !touched.contains(where: { $0 === worker }) { touched.append(worker) }
        if let known = responders[connection.id]?[number] { return known }
        let made = PushResponder(worker: worker, connection: connection, routing: .token)
        worker.world.journal.connectionOpened(connection)
        responders[connection.id, default: [:]][number] = made
        return made
    }

    /// Makes what was recorded visible.
    func publish() {
        guard !touched.isEmpty else { return }
        for worker in touched { worker.publish() }
        touched.removeAll(keepingCapacity: true)
    }

    /// A shared connection has ended.
    func connectionEnded(_ connection: ConnectionRecord, because reason: CloseReason) {
        guard let numbers = responders.removeValue(forKey: connection.id)?.keys else { return }
        for number in numbers { workers[number]?.noteEnd(of: connection, because: reason) }
    }

    /// Takes the table as it is now, and lets go of the namespaces that were removed.
    func refresh() {
        let latest = table.version
        guard latest != version else { return }
        let routes = table.routes
        version = latest
        owners = routes.owners
        guard routes.edition != edition else { return }
        publish()
        edition = routes.edition
        workers = routes.workers.compactMapValues { $0.first { $0.eventLoop.inEventLoop }?.value }
        responders = responders.mapValues { $0.filter { workers[$0.key] != nil } }
    }
}
