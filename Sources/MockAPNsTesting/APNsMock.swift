public import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector

/// A mock APNs for a test: its address, keys, phones and received pushes.
///
/// A server in this process and one that runs elsewhere are used in the same way.
public struct APNsMock: Sendable {
    @TaskLocal static var bound: APNsMock?

    /// The mock APNs of the current test, from the trait `.mockAPNs` or `withMockAPNs`.
    public static var current: APNsMock {
        guard let bound else {
            preconditionFailure(
                "APNsMock.current is not set: add the trait .mockAPNs to the test or its suite, or use withMockAPNs;"
                    + " a detached task does not inherit it, so pass it there")
        }
        return bound
    }

    /// The host that serves pushes.
    public let host: String
    /// The port that serves pushes.
    public let port: Int
    /// The CA certificate that a provider has to trust, in PEM.
    public let trustRootsPEM: String
    /// A key that signs provider tokens.
    public let key: Key
    let api: DebugAPI
    /// Keeps the namespace of a failed test; `nil` without one.
    let keeper: NamespaceKeeper?
    /// The number of the newest event when this handle was created; earlier pushes are ignored.
    let start: UInt64

    /// The URL that serves pushes.
    public var url: String { "https://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Returns the URL of the inspector's page for this mock APNs, to look at its pushes while the test is stopped.
    ///
    /// A server in this process serves it from the first call on, at a free port of 127.0.0.1, until it stops.
    public func page() async throws -> String { api.page(at: try await api.transport.openInspector()) }

    /// Connects to a server that runs elsewhere, by the URL of its debug API, such as `http://127.0.0.1:8197`.
    ///
    /// The port for pushes must be reachable at the same host, with the same number as on the server. Earlier pushes
    /// are ignored. `token` is the value of `--api-token`. Tests that run at the same time should each have their own
    /// namespace: see `withNamespace`.
    public static func connect(api url: String, token: String? = nil, namespace: String? = nil) async throws -> APNsMock
    {
        let server = try RemoteServer(url, token: token)
        return try await APNsMock(DebugAPI(transport: server, namespace: namespace), host: server.host)
    }

    /// Creates a handle; `host` is the server's host for pushes.
    init(_ api: DebugAPI, host: String = "127.0.0.1", keeper: NamespaceKeeper? = nil) async throws {
        let url = try await api.get("info", as: InfoShape.self) { info in
            info.listeners.first { $0.secure && $0.interface == "http2" }?.url
        }
        guard let port = (url?.split(separator: ":").last).flatMap({ Int($0) }) else {
            throw Failure("the server has no listener for pushes with TLS")
        }
        key = try await api.call("POST", "keys/generate", as: KeyGeneratedShape.self) { Key($0, api) }
        (self.api, self.host, self.port, self.keeper) = (api, host, port, keeper)
        trustRootsPEM = String(decoding: try await api.call("GET", "ca.pem"), as: UTF8.self)
        start = try await api.get("seq", as: SequenceShape.self) { $0.seq }
    }

    /// Calls `use` with a new namespace, which has its own port, phones, pushes, faults and clock.
    ///
    /// It is deleted afterwards, unless an expectation has failed and its report has a link to the namespace's page:
    /// then it stays for an hour. This holds for 100 namespaces of a process.
    public func withNamespace<Result>(
        isolation: isolated (any Actor)? = #isolation, _ use: (APNsMock) async throws -> Result
    ) async throws -> Result {
        let name = "test-" + DevelopmentKey.randomIdentifier(length: 20)
        let (server, keeper) = (DebugAPI(transport: api.transport), NamespaceKeeper())
        try await server.call("POST", "namespaces", ["name": .string(name), "ttl": "1h"])
        let result: Result
        do {
            let api = DebugAPI(transport: api.transport, namespace: name)
            result = try await use(APNsMock(api, host: host, keeper: keeper))
        } catch {
            // If this fails as well, the server removes the idle namespace after an hour.
            if !keeper.isKept { _ = try? await server.call("DELETE", "namespaces/\(name)") }
            throw error
        }
        if !keeper.isKept { try await server.call("DELETE", "namespaces/\(name)") }
        return result
    }
}

/// Starts a mock APNs in this process, calls `use` with it, and stops it.
///
/// Within `use`, it is also `APNsMock.current`.
public func withMockAPNs<Result>(
    _ configuration: Configuration = Configuration(), isolation: isolated (any Actor)? = #isolation,
    _ use: (APNsMock) async throws -> Result
) async throws -> Result {
    try await LocalServer.with(configuration) { api in
        let mock = try await APNsMock(api)
        return try await APNsMock.$bound.withValue(mock) { try await use(mock) }
    }
}
