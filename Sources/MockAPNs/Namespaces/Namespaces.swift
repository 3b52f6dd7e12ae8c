internal import MockAPNsCrypto
public import MockAPNsRules
internal import MockAPNsTransport
public import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// The namespaces of a server.
///
/// A push belongs to the namespace at whose own port it arrived, or else to the only namespace in which its
/// device token is registered, or else to the default one.
public final class Namespaces: Sendable {
    /// The input for creating a namespace.
    public struct Draft: Sendable {
        /// The name: at most 64 letters, digits and `-._`.
        public var name: String
        /// Whether the namespace has its own port.
        public var hasListener = true
        /// The environment of its port; `nil` for that of the server's first listener.
        public var environment: Environment?
        /// How long the namespace is kept while it is idle; `nil` for no limit.
        public var ttl: Duration?
        /// The namespace from which current keys, settings and startup devices are copied; `nil` for none.
        public var source: Namespace?

        /// Creates a draft with its own port.
        public init(name: String) { self.name = name }
    }

    /// The maximum number of namespaces besides the default one.
    public static let limit = 1_000

    /// The namespace that every server has.
    public let standard: Namespace

    private let routes: RoutingTable
    private let configuration: Configuration
    private let credentials: Credentials
    private let group: MultiThreadedEventLoopGroup
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The namespaces besides the default one, in order of creation.
        var namespaces: [Namespace] = []
        /// The names of all namespaces, including those that are being created.
        var names: Set<String> = [Namespace.standardName]
        var isStopping = false
        var onRemoval: [@Sendable (Namespace) -> Void] = []
        var lastNumber: UInt64 = 0
        /// The tasks that end removed namespaces, by number.
        var endings: [UInt64: Task<Void, Never>] = [:]
        /// The namespaces that are ending, by number: pushes may still arrive there.
        var leaving: [UInt64: Namespace] = [:]
        /// The counts of namespaces that have ended.
        var tally = Tally()
    }

    init(
        standard: Namespace,
        routes: RoutingTable,
        configuration: Configuration,
        credentials: Credentials,
        group: MultiThreadedEventLoopGroup
    ) {
        self.standard = standard
        self.routes = routes
        self.configuration = configuration
        self.credentials = credentials
        self.group = group
    }

    /// The namespaces: the default one, then the others in order of creation.
    public var all: [Namespace] { [standard] + others }

    private var others: [Namespace] { state.withLockedValue { $0.namespaces } }

    /// The namespace with this name.
    public subscript(name: String) -> Namespace? {
        name == Namespace.standardName ? standard : others.first { $0.name == name }
    }

    /// Whether a string can be a name, which is a part of paths.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
            && text.utf8.allSatisfy(ClientCertificates.isNameByte)
    }

    /// Calls `notify` for every namespace that is removed, while its connections are ending.
    public func onRemoval(_ notify: @escaping @Sendable (Namespace) -> Void) {
        state.withLockedValue { $0.onRemoval.append(notify) }
    }

    /// The counts of all namespaces since startup, including removed ones.
    public var tally: Tally {
        let (namespaces, gone) = state.withLockedValue { ($0.namespaces + $0.leaving.values, $0.tally) }
        return ([standard] + namespaces).reduce(into: gone) { $0.add($1.world.tally) }
    }

    /// Creates a namespace; it is used for every push and call after this returns.
    public func add(_ draft: Draft) async throws(NamespaceError) -> Namespace {
        guard Self.isName(draft.name) else {
            throw NamespaceError(
                .badName,
                "invalid namespace name '\(draft.name)': use letters, digits, '-', '.' and '_'"
            )
        }
        let number = try reserve(draft.name)
        let made: Namespace
        do throws(NamespaceError) {
            made = try await make(draft, number: number)
        } catch {
            _ = state.withLockedValue { $0.names.remove(draft.name) }
            throw error
        }
        routes.insert(made.world, made.workers, number: number)
        // A server that has begun to stop in the meantime does not know about the namespace.
        let isStopping = state.withLockedValue { state in
            if !state.isStopping { state.namespaces.append(made) }
            return state.isStopping
        }
        if isStopping {
            forget(made)
            await made.stop(grace: .zero)
            throw Self.stopping
        }
        return made
    }

    private static let stopping = NamespaceError(.stopping, "the server is stopping")

    /// Reserves a name, and returns the number of the new namespace.
    private func reserve(_ name: String) throws(NamespaceError) -> UInt64 {
        let outcome = state.withLockedValue { state -> Result<UInt64, NamespaceError> in
            if state.isStopping { return .failure(Self.stopping) }
            if state.names.contains(name) {
                return .failure(NamespaceError(.nameTaken, "there is a namespace '\(name)'"))
            }
            guard state.names.count <= Self.limit else {
                let problem = "there are \(Self.limit) namespaces; remove some, or give them a ttl"
                return .failure(NamespaceError(.tooMany, problem))
            }
            state.names.insert(name)
            state.lastNumber += 1
            return .success(state.lastNumber)
        }
        return try outcome.get()
    }

    private func make(_ draft: Draft, number: UInt64) async throws(NamespaceError) -> Namespace {
        let seed = configuration.seed ^ Self.hash(draft.name)
        let world = world(of: draft, seed: seed)
        let first = configuration.listeners.first ?? ListenAddress(host: "127.0.0.1", port: 0)
        let environment = draft.environment ?? first.environment
        do {
            let workers = try await Self.workers(
                of: world,
                environments: [environment],
                seed: seed,
                configuration,
                on: group
            )
            var transport: TransportServer?
            var listeners: [BoundListener] = []
            if draft.hasListener {
                let admission = standard.admission
                let server = try await TransportServer(
                    workers,
                    admission: admission,
                    configuration,
                    on: group
                )
                var address = first
                address.environment = environment
                address.port = 0
                listeners = [try await Self.listen(address, credentials, on: server)]
                transport = server
            }
            return Namespace(
                name: draft.name,
                number: number,
                world: world,
                listeners: listeners,
                transport: transport,
                workers: workers,
                admission: standard.admission,
                ttl: draft.ttl,
                now: configuration.monotonicNow
            )
        } catch let problem as TransportServer.BindProblem {
            throw NamespaceError(.cannotListen, problem.description)
        } catch {
            throw Self.stopping
        }
    }

    private func world(of draft: Draft, seed: UInt64) -> World {
        let source = draft.source?.world
        let rules = source?.ruleset
        let ruleset = Ruleset(
            options: rules?.options ?? RuleOptions(),
            pipeline: configuration.pipeline,
            keys: rules?.keys ?? [:]
        )
        do {
            return try World(
                ruleset: ruleset,
                journalCapacity: configuration.journal,
                deviceOptions: source?.options.devices ?? Devices.Options(),
                startUp: source?.startUp ?? World.StartUp(),
                seed: seed
            )
        } catch {
            preconditionFailure("devices that are in one world can be in another: \(error)")
        }
    }

    /// Creates a worker on every loop; with `routes`, its pushes are routed to other namespaces.
    static func workers(
        of world: World,
        environments: [Environment],
        seed: UInt64,
        routes: RoutingTable? = nil,
        _ configuration: Configuration,
        on group: any EventLoopGroup
    ) async throws -> [NIOLoopBound<Worker>] {
        var workers: [NIOLoopBound<Worker>] = []
        for (position, eventLoop) in Array(group.makeIterator()).enumerated() {
            workers.append(
                try await eventLoop.submit {
                    let worker = Worker(
                        world: world,
                        environments: environments,
                        seed: seed &+ UInt64(position) << 32,
                        routing: routes == nil ? .listener : .standard,
                        router: routes.map(LoopRouter.init),
                        onConnectionProblem: configuration.onConnectionProblem
                    )
                    return NIOLoopBound(worker, eventLoop: eventLoop)
                }.get()
            )
        }
        return workers
    }

    static func listen(
        _ wanted: ListenAddress,
        index: Int = 0,
        _ credentials: Credentials,
        on transport: TransportServer
    ) async throws(TransportServer.BindProblem) -> BoundListener {
        let endpoint = TransportServer.Endpoint(
            host: wanted.host,
            port: wanted.port,
            tls: wanted.isSecure ? credentials.tls : nil,
            faultyTLS: wanted.isSecure ? credentials.faultyTLS : nil
        )
        let bound = try await transport.listen(on: endpoint, index: index)
        var address = wanted
        address.port = bound.port ?? wanted.port
        let scheme = address.isSecure ? "https" : "http"
        return BoundListener(address: address, url: "\(scheme)://\(address.hostAndPort)")
    }

    /// FNV-1a: the same name gives the same IDs, whatever other namespaces exist.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Removes a namespace: closes its port, ends its connections, and deletes its data.
    ///
    /// Returns whether it existed; `false` for the default one.
    public func remove(_ name: String) async -> Bool {
        guard let namespace = others.first(where: { $0.name == name }), namespace.retire(onlyIfIdle: false)
        else { return false }
        await end(namespace).value
        return true
    }

    /// Runs due actions in every namespace, and removes those that were idle for too long.
    func tick() {
        for namespace in all { namespace.world.settle() }
        for namespace in others where namespace.retire(onlyIfIdle: true) { _ = end(namespace) }
    }

    /// Removes the routes to a namespace.
    private func forget(_ namespace: Namespace) {
        routes.remove(namespace.number)
        namespace.world.onTokenChange(nil)
    }

    private func end(_ namespace: Namespace, grace: TimeAmount = .seconds(1)) -> Task<Void, Never> {
        state.withLockedValue { state in
            // Atomic, so totals never miss or double-count it.
            state.namespaces.removeAll { $0 === namespace }
            state.names.remove(namespace.name)
            let number = namespace.number
            state.leaving[number] = namespace
            let notify = state.onRemoval
            let task = Task {
                for notify in notify { notify(namespace) }
                forget(namespace)
                await standard.refreshRouters()
                await namespace.stop(grace: grace)
                self.state.withLockedValue { state in
                    state.endings[number] = nil
                    state.leaving[number] = nil
                    state.tally.add(namespace.world.tally)
                }
            }
            state.endings[number] = task
            return task
        }
    }

    /// Ends all namespaces except the default one, and waits for those that are already ending.
    func stop(grace: TimeAmount) async {
        state.withLockedValue { $0.isStopping = true }
        for namespace in others where namespace.retire(onlyIfIdle: false) { _ = end(namespace, grace: grace) }
        for ending in state.withLockedValue({ Array($0.endings.values) }) { await ending.value }
    }
}

extension TransportServer {
    /// Creates a server whose requests are answered by the worker on each loop.
    convenience init(
        _ workers: [NIOLoopBound<Worker>],
        admission: ConnectionAdmission,
        _ configuration: Configuration,
        on group: any EventLoopGroup
    ) async throws {
        try await self.init(group: group, options: configuration.transport, admission: admission) {
            eventLoop in
            guard let worker = workers.first(where: { $0.eventLoop === eventLoop }) else {
                preconditionFailure("there is a worker for every loop")
            }
            return worker.value
        }
    }
}
