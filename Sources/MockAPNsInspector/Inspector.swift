public import MockAPNs
internal import MockAPNsVerifying
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// The debug API of a server: HTTP/1.1 and JSON, on an address and a thread of its own.
///
/// It changes the server's world where it is asked to; to look at it delays no push.
public final class Inspector: Sendable {
    private enum Stage {
        case new
        case starting
        case running(Serving)
        case stopped
    }

    /// What there is while the API is served.
    private struct Serving {
        let task: Task<Void, Never>
        let listener: any Channel
        let url: String
    }

    /// What the API tells of a server that the server does not know itself.
    public typealias Facts = InspectorFacts
    /// Who may ask the API for what, beyond the hosts it answers for.
    public typealias Access = InspectorAccess
    typealias Timing = APITiming

    private let host: String
    private let port: Int
    private let timing: Timing
    private let api: DebugAPI
    private let readiness: Readiness
    private let connections = OpenConnections()
    private let streams = OpenStreams()
    private let group: MultiThreadedEventLoopGroup
    private let stage = NIOLockedValueBox(Stage.new)

    /// Prepares the API of a server; nothing is bound before `start`.
    ///
    /// - Parameters:
    ///   - server: the server to show.
    ///   - host: the host name or address to listen on.
    ///   - port: the port to listen on; 0 for any free one.
    ///   - allowedHosts: what requests may give as their host, besides loopback and the address bound.
    ///   - access: who may ask for what.
    ///   - facts: what to tell of the server that it does not know itself.
    ///   - showsPage: whether the inspector's page is served beside the API.
    /// - Throws: `InspectorError` for an allowed host that is not one, and for a token or an origin that cannot be used.
    public convenience init(
        server: MockAPNsServer,
        host: String,
        port: Int,
        allowedHosts: [String] = [],
        access: Access = Access(),
        facts: Facts,
        showsPage: Bool = true
    ) throws(InspectorError) {
        try self.init(
            server: server,
            host: host,
            port: port,
            allowedHosts: allowedHosts,
            access: access,
            facts: facts,
            showsPage: showsPage,
            routes: DebugAPI.allRoutes,
            timing: Timing()
        )
    }

    /// Prepares an API of these routes, which need not be those that there are.
    init(
        server: MockAPNsServer,
        host: String,
        port: Int,
        allowedHosts: [String],
        access: Access = Access(),
        facts: Facts,
        showsPage: Bool = true,
        routes: [Route],
        timing: Timing,
        threads: AnswerThreads = .shared,
        limits: APILimits = APILimits()
    ) throws(InspectorError) {
        var allowed: Set<HostName> = []
        for text in allowedHosts {
            guard let name = HostName(authority: text) ?? HostName(host: text) else {
                throw InspectorError(
                    .badAllowedHost,
                    host: host,
                    port: port,
                    "'\(text)' is not a host; expected a host name or an address, without a wildcard"
                )
            }
            allowed.insert(name)
        }
        func problem(_ code: InspectorError.Code, _ text: String) -> InspectorError {
            InspectorError(code, host: host, port: port, text)
        }
        if let token = access.token, !Access.isToken(token) {
            throw problem(.badToken, "the token is not one; expected \(Access.expectedToken)")
        }
        for origin in access.origins where !Access.isOrigin(origin) {
            throw problem(.badOrigin, "'\(origin)' is not an origin; expected \(Access.expectedOrigin)")
        }
        self.host = host
        self.port = port
        self.timing = timing
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        readiness = Readiness(awaiting: server.listeners.map(\.url) + [Self.ownListener])
        api = DebugAPI(
            subject: InspectedServer(
                server: server,
                facts: facts,
                readiness: readiness,
                apiHost: host,
                onShutdown: access.onShutdown,
                showsPage: showsPage
            ),
            hosts: HostPolicy(boundHost: host, allowed: allowed),
            access: access,
            routes: routes,
            threads: threads,
            limits: limits
        )
        let (others, contexts) = (api.others, api.subject.pushes.contexts)
        server.namespaces.onRemoval { [streams] namespace in
            streams.stopAll(of: namespace)
            others.forget(namespace)
            contexts.forget(namespace)
        }
    }

    /// What the API shows.
    var subject: InspectedServer { api.subject }

    /// What `/readyz` calls the API's own listener.
    static let ownListener = "api"

    /// Where the API is served, with the port that was bound; `nil` unless it runs.
    public var url: String? {
        stage.withLockedValue { stage in
            guard case .running(let serving) = stage else { return nil }
            return serving.url
        }
    }

    /// Starts the API; it accepts connections when this returns.
    ///
    /// - Throws: `InspectorError` when the address cannot be bound, or at a second call.
    public func start() async throws(InspectorError) {
        let isNew = stage.withLockedValue { stage in
            guard case .new = stage else { return false }
            stage = .starting
            return true
        }
        guard isNew else {
            throw InspectorError(.alreadyStarted, host: host, port: port, "the API was started before")
        }
        let http = HTTPServer(api: api, connections: connections, streams: streams, timing: timing)
        let listener: HTTPServer.Listener
        do {
            listener = try await http.bind(host: host, port: port, on: group)
        } catch {
            readiness.markStopping()
            throw bindError(error)
        }
        // `stop` shuts the event loop down when this task has ended: nothing uses it after that.
        let task = Task { [readiness] in
            await http.run(listener)
            readiness.markStopping()
        }
        let url = api.subject.apiURL(port: listener.channel.localAddress?.port ?? port)
        stage.withLockedValue {
            $0 = .running(Serving(task: task, listener: listener.channel, url: url))
        }
        readiness.markBound([Self.ownListener])
    }

    /// Notes that listeners are bound: `/readyz` answers 200 once all are.
    ///
    /// - Parameter listeners: the URLs of the server's listeners, or names of others; `nil` for all that are
    ///   waited for.
    public func markReady(_ listeners: [String]? = nil) {
        if let listeners {
            readiness.markBound(listeners)
        } else {
            readiness.markAllBound()
        }
    }

    /// Notes that the server is going down: `/readyz` answers 503 from now on.
    public func markStopping() { readiness.markStopping() }

    /// Stops: no new connections, answers at hand are finished, and what is left after `grace` is cut off.
    ///
    /// Must be called, whether or not the start succeeded but not while it is under way, before the inspector is
    /// let go; a second call does nothing.
    public func stop(grace: Duration = .seconds(1)) async throws {
        readiness.markStopping()
        let before = stage.withLockedValue { stage in
            let before = stage
            stage = .stopped
            return before
        }
        if case .stopped = before { return }
        if case .running(let serving) = before { try await end(serving, grace: grace) }
        try await group.shutdownGracefully()
    }

    private func end(_ serving: Serving, grace: Duration) async throws {
        do {
            try await serving.listener.close()
        } catch ChannelError.alreadyClosed {
            // What is wanted.
        }
        streams.stopAll()
        let deadline = group.next().scheduleTask(in: TimeAmount(grace)) { [connections] in
            connections.closeAll()
        }
        connections.stop()
        await serving.task.value
        deadline.cancel()
    }

    private func bindError(_ error: any Error) -> InspectorError {
        let isInUse = (error as? IOError)?.errnoCode == EADDRINUSE
        let reason = (error as? IOError)?.description ?? "\(error)"
        return InspectorError(
            isInUse ? .addressInUse : .cannotListen,
            host: host,
            port: port,
            "cannot listen on \(host):\(port): \(reason)"
        )
    }
}
