package import MockAPNsLog
internal import MockAPNsTransport

/// One of several servers that share their worlds through a log.
package struct Replica: Sendable {
    /// How many connection IDs are reserved for each replica.
    private static let connections: UInt64 = 1_000_000_000

    /// The number, which no other replica of the log ever gets.
    package let number: UInt64
    /// The turns in which this replica changes the worlds.
    package let turns: LogTurns
    /// The head of the log at the time of joining.
    private let head: LogHead
    private let sharing: Configuration.Sharing

    /// Joins the replicas of a log.
    init(_ keeping: Configuration.Keeping, _ sharing: Configuration.Sharing) async throws(StoreError) {
        self.sharing = sharing
        let status = ReplicaStatus(name: sharing.name, address: "", version: sharing.version)
        (number, head) = try await sharing.stores.join(as: status)
        turns = LogTurns(
            of: sharing.stores, from: head.position, material: keeping.material, options: sharing.options,
            onTrouble: { keeping.report($0) })
    }

    /// Starts taking turns; `address` is where this replica serves pushes.
    func begin(at address: String, onNamespaces: @escaping @Sendable () async -> StoreError?) {
        let status = ReplicaStatus(number: number, name: sharing.name, address: address, version: sharing.version)
        turns.begin(as: status, namespaces: head.namespaces, onNamespaces: onNamespaces)
    }

    /// The first connection ID of this replica's range; its connections get the IDs after it.
    var firstConnection: UInt64 { number * Self.connections }

    /// Returns the number of the replica that accepted a connection; `nil` if the server was not a replica.
    package static func number(ofConnection id: UInt64) -> UInt64? {
        let number = id / connections
        return number == 0 ? nil : number
    }

    /// Returns the replicas that have reported in the last seconds, including this one.
    package func all() async throws(StoreError) -> [ReplicaStatus] { try await sharing.stores.replicas() }

    package var name: String { sharing.name }

    /// Processes client input only in this replica's turns.
    var gate: any InputGate { TurnGate(turns: turns) }

    private struct TurnGate: InputGate {
        let turns: LogTurns

        func enter(_ use: @escaping @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void) {
            turns.enter { entry in use { entry.leave() } }
        }
    }
}

extension Configuration.Keeping {
    /// Reports that worlds cannot be stored, or with `nil` that they can be stored again.
    func report(_ error: StoreError?, namespace: String? = nil) {
        if let namespace, !stores.isFirst(error, of: namespace) { return }
        let place = stores.place + (namespace.map { ", namespace \($0)" } ?? "")
        // The errors of a database already name it.
        let start = error?.description.contains(stores.place) == true ? "" : "\(place): "
        onTrouble(
            error.map { "\(start)\($0). Pushes get 503 ServiceUnavailable until it works again." }
                ?? "\(place): changes are kept again")
    }

    /// Reports that work fails for which no push waits, or with `nil` that it succeeds again.
    func report(_ work: BackgroundWork, _ error: StoreError?, namespace: String) {
        let place = "\(stores.place), namespace \(namespace): "
        onTrouble(
            error.map { "\(place)\($0). \(work.effect). Pushes are answered and kept as before." }
                ?? "\(place)background work succeeds again")
    }

    /// Reports that lists miss stored pushes, because they cannot be read.
    func report(unread error: StoreError, namespace: String) {
        onTrouble("\(stores.place), namespace \(namespace): \(error). Lists miss pushes.")
    }
}
