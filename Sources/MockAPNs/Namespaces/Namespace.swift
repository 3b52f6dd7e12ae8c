internal import MockAPNsRules
internal import MockAPNsTransport
public import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A world of its own on a server: its journal, devices, keys, clock, settings and feedback.
///
/// Namespaces share the event loops, so there may be many of them.
public final class Namespace: Sendable {
    /// The name of the namespace that every server has.
    public static let standardName = "default"

    /// The name.
    public let name: String
    /// The number, never used again by another namespace of the server; 0 for the standard one.
    let number: UInt64
    /// What happens in it.
    public let world: World
    /// The addresses whose pushes are its own; of the standard one, those that all share.
    public let listeners: [BoundListener]

    private let transport: TransportServer?
    /// What judges its pushes, on each loop.
    let workers: [NIOLoopBound<Worker>]
    let admission: ConnectionAdmission
    private let now: @Sendable () -> ContinuousClock.Instant
    private let life: NIOLockedValueBox<Life>

    private struct Life {
        var ttl: Duration?
        var lastActivity: ContinuousClock.Instant
        /// Calls of the API that have not ended.
        var calls = 0
        /// The pushes received at the last look.
        var received: UInt64 = 0
        var isRemoved = false
    }

    init(
        name: String,
        number: UInt64 = 0,
        world: World,
        listeners: [BoundListener],
        transport: TransportServer?,
        workers: [NIOLoopBound<Worker>],
        admission: ConnectionAdmission,
        ttl: Duration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.name = name
        self.number = number
        self.world = world
        self.listeners = listeners
        self.transport = transport
        self.workers = workers
        self.admission = admission
        self.now = now
        life = NIOLockedValueBox(Life(ttl: ttl, lastActivity: now()))
    }

    /// Whether it is the one that every server has.
    public var isStandard: Bool { name == Self.standardName }

    /// Ends every connection to its own addresses with a GOAWAY; returns when they are closed, after two seconds at
    /// the latest.
    public func closeConnections() async { await transport?.closeConnections(grace: .seconds(1)) }

    // MARK: Life

    /// How long it stays while it is idle, without pushes and API calls; `nil` for as long as the server.
    ///
    /// Measured on the monotonic clock.
    public var ttl: Duration? { life.withLockedValue { $0.ttl } }

    /// Sets how long it stays while it is idle; what was idle before does not count.
    public func setTTL(_ ttl: Duration?) {
        let moment = now()
        life.withLockedValue { life in
            life.ttl = ttl
            life.lastActivity = moment
        }
    }

    /// How long it has been without pushes and API calls.
    public var idleTime: Duration {
        let moment = now()
        notePushes(at: moment)
        return life.withLockedValue { $0.calls > 0 ? .zero : moment - $0.lastActivity }
    }

    /// Whether it has been removed: what is still asked about it is asked in vain.
    public var isRemoved: Bool { life.withLockedValue { $0.isRemoved } }

    /// A call of the API begins.
    ///
    /// - Returns: whether the namespace is still there, and stays until the call has ended.
    public func beginCall() -> Bool {
        life.withLockedValue { life in
            guard !life.isRemoved else { return false }
            life.calls += 1
            return true
        }
    }

    /// A call of the API has ended.
    public func endCall() {
        let moment = now()
        life.withLockedValue { life in
            life.calls -= 1
            life.lastActivity = moment
        }
    }

    /// Marks the namespace as removed.
    ///
    /// - Parameter onlyIfIdle: whether that depends on its having been idle for long enough.
    /// - Returns: whether it is this call that did it.
    func retire(onlyIfIdle: Bool) -> Bool {
        let moment = now()
        notePushes(at: moment)
        return life.withLockedValue { life in
            guard !life.isRemoved else { return false }
            if onlyIfIdle {
                guard let ttl = life.ttl, life.calls == 0, moment - life.lastActivity >= ttl else {
                    return false
                }
            }
            life.isRemoved = true
            return true
        }
    }

    /// Pushes are only counted, so that they cost nothing more: whoever looks sees whether there were any.
    private func notePushes(at moment: ContinuousClock.Instant) {
        let received = world.journal.counters.received
        life.withLockedValue { life in
            guard received != life.received else { return }
            life.received = received
            life.lastActivity = moment
        }
    }

    // MARK: Event loops

    /// Makes what was judged visible.
    func publish() async throws {
        for worker in workers { try await worker.eventLoop.submit { worker.value.publish() }.get() }
    }

    /// Lets the loops look at which namespaces there are.
    func refreshRouters() async {
        for worker in workers {
            // A loop that is shut down holds nothing any more.
            _ = try? await worker.eventLoop.submit { worker.value.router?.refresh() }.get()
        }
    }

    /// Ends it: requests at hand are answered 503 Shutdown, and its connections end a second after `grace` at the latest.
    func stop(grace: TimeAmount) async {
        _ = world.changeRuleset { $0.stopping() }
        await transport?.stop(grace: grace)
    }
}
