package import MockAPNs
internal import MockAPNsTransport
internal import MockAPNsVerifying
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// The debug API of a server: HTTP/1.1 and JSON, at a separate address and on a separate thread.
///
/// Reading through it does not delay pushes.
package final class Inspector: Sendable {
    private enum Stage {
        case new
        case starting
        case running(Task<Void, Never>, listener: any Channel, url: String)
        case stopped
    }

    /// What the API shows that the server does not know itself.
    package typealias Facts = InspectorFacts
    /// Who may send which requests.
    package typealias Access = InspectorAccess

    private let host: String
    private let port: Int
    private let http: HTTPServer
    /// Which listeners are bound, and whether the server is stopping: what `/readyz` answers.
    package let readiness: Readiness
    private let group: MultiThreadedEventLoopGroup
    private let stage = NIOLockedValueBox(Stage.new)

    /// Prepares the API of a server; nothing is bound before `start`.
    ///
    /// With port 0, the system chooses one. Requests may name `allowedHosts` besides loopback and the bound address.
    /// Only tests have other `settings`.
    ///
    /// - Throws: `InspectorError` for an invalid host, token or origin.
    package init(
        server: MockAPNsServer, host: String, port: Int, allowedHosts: [String] = [], access: Access = Access(),
        facts: Facts, showsPage: Bool = true, settings: APISettings? = nil
    ) throws(InspectorError) {
        func problem(_ code: InspectorError.Code, _ text: String) -> InspectorError {
            InspectorError(code: code, port: port, description: text)
        }
        let allowed = try allowedHosts.map { text throws(InspectorError) in
            if let name = HostName(authority: text) ?? HostName(host: text) { return name }
            let expected = "expected a host name or an address, without a wildcard"
            throw problem(.badAllowedHost, "'\(text)' is not a host; \(expected)")
        }
        if let token = access.token, !Access.isToken(token) {
            throw problem(.badToken, "the token is not one; expected \(Access.expectedToken)")
        }
        for origin in access.origins where !Access.isOrigin(origin) {
            throw problem(.badOrigin, "'\(origin)' is not an origin; expected \(Access.expectedOrigin)")
        }
        self.host = host
        self.port = port
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        readiness = Readiness(
            awaiting: (server.listeners + server.binaryListeners + server.channelListeners).map(\.url) + [
                Self.ownListener
            ])
        let api = DebugAPI(
            subject: InspectedServer(
                server: server, facts: facts, readiness: readiness, apiHost: host, onShutdown: access.onShutdown,
                showsPage: showsPage), hosts: HostPolicy(boundHost: host, allowed: Set(allowed)), access: access,
            settings: settings ?? APISettings())
        http = HTTPServer(api: api)
        server.namespaces.onRemoval { [streams = http.streams] in streams.stopAll(of: $0) }
        api.forgetRemovedNamespaces()
    }

    var subject: InspectedServer { http.api.subject }

    /// The name of the API's listener in `/readyz`.
    static let ownListener = "api"

    /// The URL of the API, with the bound port; `nil` unless it runs.
    package var url: String? {
        stage.withLockedValue { stage in
            guard case .running(_, _, let url) = stage else { return nil }
            return url
        }
    }

    /// Starts the API; it accepts connections when this returns.
    ///
    /// - Throws: `InspectorError` if the address cannot be bound, or if called twice.
    package func start() async throws(InspectorError) {
        let isNew = stage.withLockedValue { stage in
            guard case .new = stage else { return false }
            stage = .starting
            return true
        }
        guard isNew else {
            throw InspectorError(code: .alreadyStarted, port: port, description: "the API was started before")
        }
        let listener: any Channel
        do { listener = try await http.bind(host: host, port: port, on: group) } catch {
            readiness.markStopping()
            let problem = TransportServer.BindProblem(host: host, port: port, error)
            throw InspectorError(
                code: problem.isAddressInUse ? .addressInUse : .cannotListen, port: port,
                description: problem.description)
        }
        // `stop` waits for this task before it shuts the event loop down.
        let task = Task { [http, readiness] in
            await http.run(listener)
            readiness.markStopping()
        }
        let url = subject.apiURL(port: listener.localAddress?.port ?? port)
        stage.withLockedValue { $0 = .running(task, listener: listener, url: url) }
        readiness.markBound([Self.ownListener])
    }

    /// Stops accepting connections, finishes current responses, and closes what is left after `grace`.
    ///
    /// Must be called before the inspector is released, even if `start` failed, but not while `start` runs. A second call
    /// does nothing.
    package func stop(grace: Duration = .seconds(1)) async throws {
        readiness.markStopping()
        switch stage.withLockedValue({ exchange(&$0, with: .stopped) }) {
        case .stopped: return
        case .running(let task, let listener, _): try await end(task, listener, grace: grace)
        case .new, .starting: break
        }
        try await group.shutdownGracefully()
    }

    private func end(_ task: Task<Void, Never>, _ listener: any Channel, grace: Duration) async throws {
        do { try await listener.close() } catch ChannelError.alreadyClosed {
            // Nothing left to close.
        }
        http.streams.stopAll()
        let deadline = group.next().scheduleTask(in: TimeAmount(grace)) { [http] in http.connections.stop(all: true) }
        http.connections.stop()
        await task.value
        deadline.cancel()
    }
}
