internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// What the namespaces of a server share.
struct ServerBase: Sendable {
    let configuration: Configuration
    let credentials: Credentials
    let certificates: ClientCertificates
    let group: any EventLoopGroup
    let admission: ConnectionAdmission
    /// `nil` if this server does not share its worlds.
    let replica: Replica?
    /// The routes from the default namespace to the others.
    let routes = RoutingTable()

    /// Listens at the addresses, if there are any; requests are answered by the worker on their loop.
    func listen(
        at addresses: [ListenAddress], _ workers: [NIOLoopBound<Worker>]
    ) async throws -> (TransportServer?, [BoundListener]) {
        guard !addresses.isEmpty else { return (nil, []) }
        let options = configuration.transport
        let transport = try await TransportServer(
            group: group, options: options, admission: admission, gate: replica?.gate
        ) { eventLoop in
            guard let worker = workers.first(where: { $0.eventLoop === eventLoop }) else {
                preconditionFailure("there is a worker for every loop")
            }
            return worker.value
        }
        var listeners: [BoundListener] = []
        for (index, var address) in addresses.enumerated() {
            do {
                let bound = try await transport.listen(
                    host: address.host, port: address.port, tls: credentials.tls(for: address),
                    faultyTLS: credentials.faultyTLS, index: index, interface: address.interface)
                address.port = bound.port ?? address.port
                listeners.append(BoundListener(address: address))
            } catch {
                await transport.stop(grace: .zero)
                throw error
            }
        }
        return (transport, listeners)
    }

    /// Creates a namespace besides the default one; its `store` may be open already.
    func namespace(
        _ draft: Namespaces.Draft, number: UInt64, in store: KeptStores.Opened? = nil
    ) async throws(NamespaceError) -> Namespace {
        let seed = configuration.seed ^ Self.hash(draft.name)
        let world = world(of: draft, seed: seed)
        let keeper: (any WorldKeeping)?
        do throws(MockAPNsError) {
            keeper = try await Self.keep(
                world, of: draft.name, in: store, creates: draft.kept == nil, by: configuration, as: replica)
        } catch { throw NamespaceError(code: .cannotKeep, description: error.description) }
        do {
            let made = try await namespace(draft, number, keeper?.world ?? world, keeper, seed: seed)
            let properties = NamespaceProperties(of: made).values
            // Replicas on one machine cannot share a port, so only the one that creates the namespace stores its port.
            if properties != draft.kept, replica == nil || draft.kept == nil {
                try await keeper?.write(properties: properties)
            }
            return made
        } catch {
            await keeper?.close()
            if draft.kept == nil { await forget(draft.name) }
            throw switch error {
            case let problem as TransportServer.BindProblem:
                NamespaceError(code: .cannotListen, description: problem.description)
            case let problem as StoreError: NamespaceError(code: .cannotKeep, description: problem.description)
            default: NamespaceError.stopping
            }
        }
    }

    private func namespace(
        _ draft: Namespaces.Draft, _ number: UInt64, _ world: World, _ keeper: (any WorldKeeping)?, seed: UInt64
    ) async throws -> Namespace {
        func listening(at port: Int) async throws -> Namespace {
            var address = configuration.listeners.first ?? ListenAddress(host: "127.0.0.1", port: 0)
            address.environment = draft.environment ?? address.environment
            address.port = port
            return try await Namespace(
                name: draft.name, number: number, world: world, keptBy: keeper, seed: seed,
                listeningAt: draft.hasListener ? [address] : [], ttl: draft.ttl, on: self)
        }
        guard let port = draft.port else { return try await listening(at: 0) }
        do { return try await listening(at: port) } catch is TransportServer.BindProblem {
            // Another process uses the port now, so take any free one.
            return try await listening(at: 0)
        }
    }

    private func world(of draft: Namespaces.Draft, seed: UInt64) -> World {
        let source = draft.source?.world
        let rules = source?.ruleset
        let ruleset = Ruleset(
            options: rules?.options ?? RuleOptions(), pipeline: configuration.pipeline, keys: rules?.keys ?? [:])
        do {
            return try World(
                ruleset: ruleset, journalCapacity: configuration.journal,
                deviceOptions: source?.options.devices ?? Devices.Options(),
                channelOptions: configuration.channelOptions, startUp: source?.startUp ?? World.StartUp(), seed: seed)
        } catch { preconditionFailure("devices that are in one world can be in another: \(error)") }
    }

    /// Returns the FNV-1a hash: the same name gives the same IDs, whatever other namespaces exist.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
