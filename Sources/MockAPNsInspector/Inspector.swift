public import MockAPNs
internal import MockAPNsVerifying
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// The debug API of a server: HTTP/1.1 and JSON, at a separate address and on a separate thread.
///
/// Reading through it does not delay pushes.
public final class Inspector: Sendable {
    private enum Stage {
        case new
        case starting
        case running(Serving)
        case stopped
    }

    private struct Serving {
        let task: Task<Void, Never>
        let listener: any Channel
        let url: String
    }

    /// What the API shows that the server does not know itself.
    public typealias Facts = InspectorFacts
    /// Who may send which requests.
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
    /// With port 0, the system chooses one. Requests may name `allowedHosts` besides loopback and the bound address.
    ///
    /// - Throws: `InspectorError` for an invalid host, token or origin.
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

    /// For tests: with other routes, timing and limits.
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
        func problem(_ code: InspectorError.Code, _ text: String) -> InspectorError {
            InspectorError(code, host: host, port: port, text)
        }
        var allowed: Set<HostName> = []
        for text in allowedHosts {
            guard let name = HostName(authority: text) ?? HostName(host: text) else {
                let expected = "expected a host name or an address, without a wildcard"
                throw problem(.badAllowedHost, "'\(text)' is not a host; \(expected)")
            }
            allowed.insert(name)
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

    var subject: InspectedServer { api.subject }

    /// The name of the API's listener in `/readyz`.
    static let ownListener = "api"

    /// The URL of the API, with the bound port; `nil` unless it runs.
    public var url: String? {
        stage.withLockedValue { stage in
            guard case .running(let serving) = stage else { return nil }
            return serving.url
        }
    }

    /// Starts the API; it accepts connections when this returns.
    ///
    /// - Throws: `InspectorError` if the address cannot be bound, or if called twice.
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
        // `stop` waits for this task before it shuts the event loop down.
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

    /// Marks listeners, by URL or name, as bound; `nil` marks all.
    ///
    /// `/readyz` answers 200 once all are bound.
    public func markReady(_ listeners: [String]? = nil) {
        if let listeners {
            readiness.markBound(listeners)
        } else {
            readiness.markAllBound()
        }
    }

    /// Makes `/readyz` answer 503, because the server is stopping.
    public func markStopping() { readiness.markStopping() }

    /// Stops accepting connections, finishes current responses, and closes what is left after `grace`.
    ///
    /// Must be called before the inspector is released, even if `start` failed, but not while `start` runs. A second call
    /// does nothing.
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
            // Nothing left to close.
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
