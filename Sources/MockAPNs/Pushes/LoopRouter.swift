internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// Routes pushes on the shared connections to the namespace of their device token.
///
/// Used only on its loop. It has all the loop's references to other namespaces, so a removed namespace can be
/// released.
final class LoopRouter {
    private let table: RoutingTable
    /// The version of the table for `owners` and `workers`.
    private var version: UInt64 = 0
    private var edition: UInt64 = 0
    private var owners = TokenOwners()
    /// The worker of each namespace on this loop, by the namespace's number.
    private var workers: [UInt64: Worker] = [:]
    /// The responders of each connection, by the numbers of the connection and the namespace.
    private var responders: [UInt64: [UInt64: PushResponder]] = [:]
    /// The workers with unpublished records.
    private var touched: [Worker] = []
    private var published: [LogEnd] = []

    init(_ table: RoutingTable) { self.table = table }

    /// Whether there are no namespaces; this costs one load and two comparisons.
    var isIdle: Bool { table.version == version && workers.isEmpty }

    /// Returns the responder for a request on a connection of `standard`, or `nil` if `standard` answers it itself.
    func responder(
        for request: borrowing RequestView, on connection: ConnectionRecord, of standard: Worker
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

    /// Makes the recorded pushes visible.
    func publish() {
        guard !touched.isEmpty else { return }
        for worker in touched {
            worker.publish()
            if let end = worker.takePublished() { published.append(end) }
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Returns, once, the ends of the logs after the last published batches.
    func takePublished() -> [LogEnd] {
        guard !published.isEmpty else { return [] }
        defer { published = [] }
        return published
    }

    /// Handles the end of a shared connection.
    func connectionEnded(_ connection: ConnectionRecord, because reason: CloseReason) {
        guard let numbers = responders.removeValue(forKey: connection.id)?.keys else { return }
        for number in numbers { workers[number]?.noteEnd(of: connection, because: reason) }
    }

    /// Reads the current table, and releases removed namespaces.
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
