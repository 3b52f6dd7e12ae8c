package import MockAPNsLog
internal import MockAPNsTransport

/// A server among others that share its worlds.
package struct Replica: Sendable {
    /// The number of connections for which a replica has numbers of its own.
    private static let connections: UInt64 = 1_000_000_000

    /// Its number, which no other server of the log ever has.
    package let number: UInt64
    /// The turns in which it changes the worlds.
    package let turns: Turns
    /// How it was when it joined.
    private let head: LogHead
    private let sharing: Configuration.Sharing

    /// Joins the servers of a log.
    init(_ keeping: Configuration.Keeping, _ sharing: Configuration.Sharing) throws(StoreError) {
        self.sharing = sharing
        let status = ReplicaStatus(name: sharing.name, address: "", version: sharing.version)
        number = try sharing.log.join(as: status)
        head = try sharing.log.head()
        turns = Turns(
            of: sharing.log,
            from: head.position,
            material: WorldKeeper.Material(condition: keeping.condition),
            options: sharing.options,
            onTrouble: { keeping.report($0) }
        )
    }

    /// Begins the turns of a server that serves pushes at an address.
    func begin(at address: String, onNamespaces: @escaping @Sendable () async -> Void) {
        let status = ReplicaStatus(
            number: number,
            name: sharing.name,
            address: address,
            version: sharing.version
        )
        turns.begin(as: status, namespaces: head.namespaces, onNamespaces: onNamespaces)
    }

    /// The number below those of its connections.
    var firstConnection: UInt64 { number * Self.connections }

    /// The number of the replica that has accepted a connection; `nil` for a server alone.
    package static func number(ofConnection id: UInt64) -> UInt64? {
        let number = id / connections
        return number == 0 ? nil : number
    }

    /// The replicas of the log, this one included, as each has said of itself in the last seconds.
    package func all() throws(StoreError) -> [ReplicaStatus] { try sharing.log.replicas() }

    package var name: String { sharing.name }

    /// Lets what clients send in when the worlds may be changed.
    var gate: any InputGate { TurnGate(turns: turns) }

    private struct TurnGate: InputGate {
        let turns: Turns

        func enter(_ use: @escaping @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void) {
            turns.enter { entry in use { entry.leave() } }
        }
    }
}

extension Configuration.Keeping {
    /// Says that worlds cannot be kept, or can be kept again.
    func report(_ error: StoreError?, namespace: String? = nil) {
        let place = stores.place + (namespace.map { ", namespace \($0)" } ?? "")
        // The errors of a database name it themselves.
        let start = error?.description.contains(stores.place) == true ? "" : "\(place): "
        onTrouble(
            error.map { "\(start)\($0). Pushes get 503 ServiceUnavailable until it works again." }
                ?? "\(place): changes are kept again"
        )
    }

    /// Says that lists miss pushes that are kept.
    func report(unread error: StoreError, namespace: String) {
        onTrouble("\(stores.place), namespace \(namespace): \(error). Lists miss pushes.")
    }
}
