internal import MockAPNsCrypto
internal import MockAPNsFormats
internal import MockAPNsLog
internal import MockAPNsRules
public import MockAPNsTransport
public import MockAPNsWorld
public import NIOCore
internal import NIOPosix

/// A mock APNs in this process.
///
/// A process can run any number of servers. A server does not print, read environment variables or access
/// files.
public final class MockAPNsServer: Sendable {
    /// The simulated service: its clock, journal and rules.
    public var world: World { namespaces.standard.world }
    /// The namespaces, which are further worlds on the same event loops.
    public let namespaces: Namespaces
    /// The addresses at which the server listens, in the order of the configuration.
    public var listeners: [BoundListener] { namespaces.standard.listeners }
    /// The addresses of the binary interface and its feedback service, in the order of the configuration.
    public var binaryListeners: [BoundListener] { namespaces.standard.binaryListeners }
    /// The addresses that only serve channel management, in the order of the configuration.
    public var channelListeners: [BoundListener] { namespaces.standard.channelListeners }
    /// The certificate to trust, in PEM; `nil` if the configuration has a certificate.
    public let certificateAuthorityPEM: String?
    /// A key for signing provider tokens; `nil` if the configuration has keys.
    public let developmentKey: DevelopmentKey?
    /// The client certificates that authenticate providers instead of provider tokens.
    public let clientCertificates: ClientCertificates
    /// The seed of generated IDs; with one thread, the same seed gives the same IDs.
    public let seed: UInt64

    /// Limits connections; the debug API's listener shares the system's file descriptors with it.
    public var admission: ConnectionAdmission { namespaces.standard.admission }

    /// This server among those that share its worlds; `nil` if it is alone.
    package var replica: Replica? { base.replica }

    private let base: ServerBase
    private let group: MultiThreadedEventLoopGroup
    private let ticker: RepeatedTask

    /// The maximum delay of an action that is due while there are no requests.
    private static let tick = TimeAmount.milliseconds(100)

    /// Starts a server; it accepts connections when this returns.
    public init(_ configuration: Configuration = Configuration()) async throws {
        let credentials = try Credentials(configuration)
        let world = try Self.world(configuration, credentials)
        let replica = try await Self.replica(of: configuration)
        let keeper = try await ServerBase.keep(
            world, of: Namespace.standardName, creates: true, by: configuration, as: replica)
        clientCertificates = try ClientCertificates(configuration.clientCertificates)
        certificateAuthorityPEM = credentials.authorityPEM
        developmentKey = credentials.developmentKey
        seed = configuration.seed
        group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.threads))
        base = ServerBase(
            configuration: configuration, credentials: credentials, certificates: clientCertificates, group: group,
            admission: ConnectionAdmission(most: configuration.maxConnections, onShortage: configuration.onShortage),
            replica: replica)
        let namespaces: Namespaces
        var others: [Namespace] = []
        do {
            // Before the shared addresses accept pushes for their devices.
            others = try await base.reopenNamespaces()
            let standard = try await Namespace(
                world: keeper?.world ?? world, keptBy: keeper, seed: configuration.seed,
                listeningAt: configuration.listeners + configuration.binaryListeners,
                forChannels: configuration.channelListeners, on: base)
            namespaces = Namespaces(standard: standard, others: others, on: base)
        } catch {
            for other in others { await other.stop(grace: .zero) }
            await keeper?.close()
            await replica?.turns.close()
            await configuration.keeping?.stores.close()
            try await group.shutdownGracefully()
            guard let problem = error as? TransportServer.BindProblem else { throw error }
            throw MockAPNsError(
                problem.isAddressInUse ? .addressInUse : .cannotListen, problem.description, port: problem.port)
        }
        self.namespaces = namespaces
        replica?.begin(at: namespaces.standard.listeners.first?.url ?? "") { await namespaces.follow() }
        // What a reset restores is from now on what this server is configured with.
        if let replica, let keeper, keeper.world !== world {
            let entry = await replica.turns.enter()
            if entry.mayChange { keeper.world.configure(as: world.configured) }
            entry.leave()
        }
        // Due actions also run before every push and query; this task runs them for event streams and other
        // observers.
        ticker = group.next().scheduleRepeatedTask(initialDelay: Self.tick, delay: Self.tick) { _ in namespaces.tick() }
    }

    private static func replica(of configuration: Configuration) async throws -> Replica? {
        guard let keeping = configuration.keeping, let sharing = keeping.sharing else { return nil }
        do throws(StoreError) { return try await Replica(keeping, sharing) } catch {
            throw MockAPNsError(.cannotKeep, "\(keeping.stores.place): \(error)")
        }
    }

    private static func world(_ configuration: Configuration, _ credentials: Credentials) throws -> World {
        var startUp = World.StartUp()
        startUp.devices = configuration.devices
        startUp.clock = configuration.clock
        startUp.faults = configuration.faults
        startUp.schemas = configuration.schemas
        do {
            return try World(
                ruleset: Ruleset(
                    options: configuration.rules, pipeline: configuration.pipeline, keys: credentials.keys),
                journalCapacity: configuration.journal, deviceOptions: configuration.deviceOptions,
                channelOptions: configuration.channelOptions, startUp: startUp, seed: configuration.seed)
        } catch {
            throw MockAPNsError(.badDevices, "\(JSONPointer.words("/devices" + error.pointer)): \(error.message)")
        }
    }

    /// Changes the ruleset.
    ///
    /// It applies to every request that arrives after this returns; all requests before it are in the
    /// journal.
    public func changeRuleset(_ change: @Sendable (Ruleset) -> Ruleset) async throws {
        _ = world.changeRuleset(change)
        try await namespaces.standard.publish()
    }

    /// Ends all current connections with a GOAWAY; returns when they are closed, at most a second after
    /// `grace`.
    public func closeConnections(grace: TimeAmount = .seconds(1)) async {
        await namespaces.standard.transport?.closeConnections(grace: grace)
    }

    /// Stops the server: accepts no new connections, sends GOAWAY, and ends the rest a second after `grace`.
    ///
    /// Requests that end in the meantime get 503 Shutdown. Must be called once, before the server is
    /// released.
    public func stop(grace: TimeAmount = .seconds(5)) async throws {
        try await changeRuleset { $0.stopping() }
        ticker.cancel()
        let keeping = base.configuration.keeping
        // A database that does not answer must not delay the end.
        let timeout = max(grace, TimeAmount(keeping?.stopTimeout ?? .zero))
        let interruption = group.next().scheduleTask(in: timeout) { keeping?.stores.interrupt() }
        async let others: Void = namespaces.stop(grace: grace)
        await namespaces.standard.stop(grace: grace)
        await others
        await replica?.turns.close()
        await keeping?.stores.close()
        interruption.cancel()
        try await group.shutdownGracefully()
    }
}

/// Calls `use` with a server, and stops the server afterwards in any case.
public func withMockAPNs<Result: Sendable>(
    _ configuration: Configuration = Configuration(), _ use: (MockAPNsServer) async throws -> Result
) async throws -> Result {
    let server = try await MockAPNsServer(configuration)
    let result: Result
    do { result = try await use(server) } catch {
        try await server.stop(grace: .seconds(1))
        throw error
    }
    try await server.stop(grace: .seconds(1))
    return result
}
