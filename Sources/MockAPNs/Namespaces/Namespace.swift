package import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsTransport
public import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A separate world on a server: its journal, devices, keys, clock, settings and feedback.
///
/// Namespaces share event loops, so there can be many.
public final class Namespace: Sendable {
    /// The name of the namespace that every server has.
    public static let standardName = "default"

    /// The name of the namespace.
    public let name: String
    /// The number, which the server never reuses; 0 for the default namespace.
    let number: UInt64
    /// The world of the namespace.
    public let world: World
    /// Its own addresses; for the default namespace, the shared addresses.
    public let listeners: [BoundListener]
    /// The addresses of the binary interface and its feedback service; none except in the default namespace.
    public let binaryListeners: [BoundListener]
    /// The addresses for channel management only; none except in the default namespace.
    public let channelListeners: [BoundListener]

    /// Stores the world; `nil` if it is in memory only.
    package let keeper: (any WorldKeeping)?

    let transport: TransportServer?
    /// The worker on each loop.
    let workers: [NIOLoopBound<Worker>]
    let admission: ConnectionAdmission
    private let now: @Sendable () -> ContinuousClock.Instant
    private let life: NIOLockedValueBox<Life>

    private struct Life {
        var ttl: Duration?
        var lastActivity: ContinuousClock.Instant
        /// The API calls in progress.
        var calls = 0
        /// The number of pushes at the last check.
        var received: UInt64 = 0
        var isRemoved = false
    }

    /// Creates a namespace with a worker on each loop.
    ///
    /// It listens at `addresses`, and for channel management at `channelAddresses`.
    ///
    /// The default namespace, whose number is 0, routes pushes to the others.
    init(
        name: String = Namespace.standardName, number: UInt64 = 0, world: World,
        keptBy keeper: (any WorldKeeping)? = nil, seed: UInt64, listeningAt addresses: [ListenAddress],
        forChannels channelAddresses: [ListenAddress] = [], ttl: Duration? = nil, on base: ServerBase
    ) async throws {
        let configuration = base.configuration
        // A stored world already has IDs that were generated from this seed, here or on another replica.
        let replica = base.replica?.number ?? 0
        let past = keeper == nil ? 0 : world.journal.extent.lastSeq &+ replica << 40
        let seed = seed ^ (past &* 0x9e37_79b9_7f4a_7c15)
        let all = addresses + channelAddresses
        var workers: [NIOLoopBound<Worker>] = []
        for (position, eventLoop) in Array(base.group.makeIterator()).enumerated() {
            workers.append(
                try await eventLoop.submit {
                    let worker = Worker(
                        world: world, listeners: all, channelListeners: addresses.count..<all.count,
                        seed: seed &+ UInt64(position) << 32, certificates: base.certificates,
                        routing: number == 0 ? .standard : .listener,
                        router: number == 0 ? LoopRouter(base.routes) : nil,
                        answers: number == 0 || configuration.forwardsNamespaces ? configuration.forwardAnswers : nil,
                        onConnectionProblem: configuration.onConnectionProblem)
                    return NIOLoopBound(worker, eventLoop: eventLoop)
                }.get())
        }
        self.name = name
        self.number = number
        self.world = world
        self.keeper = keeper
        self.workers = workers
        admission = base.admission
        let last = base.replica?.firstConnection ?? world.journal.lastConnectionID
        if keeper != nil { admission.goOn(after: last) }
        now = configuration.monotonicNow
        life = NIOLockedValueBox(Life(ttl: ttl, lastActivity: configuration.monotonicNow()))
        let (transport, bound) = try await base.listen(at: all, workers)
        self.transport = transport
        let own = bound.prefix(addresses.count)
        listeners = own.filter { $0.address.interface == .http2 }
        binaryListeners = own.filter { $0.address.interface != .http2 }
        channelListeners = Array(bound.dropFirst(addresses.count))
    }

    /// Whether this is the namespace that every server has.
    public var isStandard: Bool { name == Self.standardName }

    /// Ends every connection to its own addresses with a GOAWAY; returns when they are closed, after at most
    /// two seconds.
    public func closeConnections() async { await transport?.closeConnections(grace: .seconds(1)) }

    /// How long the namespace is kept without pushes and API calls; `nil` for no limit.
    ///
    /// Measured with the monotonic clock.
    public var ttl: Duration? { life.withLockedValue { $0.ttl } }

    /// Sets how long the namespace is kept while it is idle; earlier idle time does not count.
    ///
    /// - Throws: ``NamespaceError`` if it cannot be kept.
    public func setTTL(_ ttl: Duration?) async throws(NamespaceError) {
        let properties = NamespaceProperties(of: self, ttl: ttl)
        do throws(StoreError) { try await keeper?.write(properties: properties.values) } catch {
            throw NamespaceError(code: .cannotKeep, description: error.description)
        }
        withLife { life, now in
            life.ttl = ttl
            life.lastActivity = now
        }
    }

    /// Adopts the `ttl` that another server has set.
    func follow(ttl: Duration?) {
        withLife { life, now in
            guard ttl != life.ttl else { return }
            life.ttl = ttl
            life.lastActivity = now
        }
    }

    /// The time since the last push or API call.
    public var idleTime: Duration { withLife { life, now in life.calls > 0 ? .zero : now - life.lastActivity } }

    /// Whether the namespace was removed, so that further calls have no effect.
    public var isRemoved: Bool { life.withLockedValue { $0.isRemoved } }

    /// Records the beginning of an API call; returns `false` if the namespace was removed.
    ///
    /// The namespace is kept until the call has ended.
    public func beginCall() -> Bool {
        life.withLockedValue { life in
            guard !life.isRemoved else { return false }
            life.calls += 1
            return true
        }
    }

    /// Records the end of an API call.
    public func endCall() {
        withLife { life, now in
            life.calls -= 1
            life.lastActivity = now
        }
    }

    /// Marks the namespace as removed, and returns whether this call did so.
    ///
    /// With `onlyIfIdle`, marks it only if it has been idle for at least its `ttl`.
    func retire(onlyIfIdle: Bool) -> Bool {
        withLife { life, now in
            guard !life.isRemoved else { return false }
            let isIdle = life.calls == 0 && life.ttl.map { now - life.lastActivity >= $0 } ?? false
            life.isRemoved = isIdle || !onlyIfIdle
            return life.isRemoved
        }
    }

    /// Calls `use` with the current time, after noting the last push.
    ///
    /// Pushes only increment a counter, so idle time is derived here from its changes.
    private func withLife<Result>(_ use: (inout Life, ContinuousClock.Instant) -> Result) -> Result {
        let (now, received) = (now(), world.journal.counters.received)
        return life.withLockedValue { life in
            if received != life.received { (life.received, life.lastActivity) = (received, now) }
            return use(&life, now)
        }
    }

    /// Makes all judged pushes visible.
    func publish() async throws {
        for worker in workers { try await worker.eventLoop.submit { worker.value.publish() }.get() }
    }

    /// Updates the routes of all loops.
    func refreshRouters() async {
        for worker in workers {
            // A loop that is shut down has no routes to update.
            _ = try? await worker.eventLoop.submit { worker.value.router?.refresh() }.get()
        }
    }

    /// Lets requests get 503 Shutdown from now on.
    func refuse() { _ = world.changeRuleset { $0.stopping() } }

    /// Ends the namespace: requests get 503 Shutdown, and connections end at most a second after `grace`.
    func stop(grace: TimeAmount) async {
        refuse()
        await transport?.stop(grace: grace)
        await keeper?.close()
        // Requests that were judged while the world was closed; a loop that is shut down has none.
        try? await publish()
    }
}
