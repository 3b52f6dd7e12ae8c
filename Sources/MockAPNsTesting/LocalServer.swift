internal import MockAPNs
internal import MockAPNsClient
internal import MockAPNsInspector
internal import NIOCore

/// A server in this process, whose debug API is called directly, without HTTP.
struct LocalServer: DebugAPITransport {
    private let server: MockAPNsServer
    private let api: LocalAPI
    private let page: LocalPage
    private static let facts = InspectorFacts(version: "testing")

    init(_ configuration: Configuration) async throws {
        server = try await MockAPNsServer(configuration)
        api = LocalAPI(of: server, facts: Self.facts)
        page = LocalPage(of: server, facts: Self.facts)
    }

    var inspector: String? { get async { await page.url } }

    func openInspector() async throws -> String { try await page.open() }

    func send(_ request: APIRequest, in namespace: String?) async throws -> APIResponse {
        let answer = await api.answer(request.method, request.target(in: namespace), request.body ?? [])
        return APIResponse(status: answer.status, contentType: APIRequest.json, body: answer.body)
    }

    /// Starts a server, calls `use` with its API, and stops it, also after an error.
    static func with<Result>(
        _ configuration: Configuration, isolation: isolated (any Actor)? = #isolation,
        _ use: (DebugAPI) async throws -> Result
    ) async throws -> Result {
        let local = try await LocalServer(configuration)
        let result: Result
        do { result = try await use(DebugAPI(transport: local)) } catch {
            try await local.stop()
            throw error
        }
        try await local.stop()
        return result
    }

    private func stop() async throws {
        try await page.close()
        try await server.stop(grace: .zero)
    }
}

/// The inspector of a server in this process, with its page; it is started when it is asked for.
private actor LocalPage {
    private let server: MockAPNsServer
    private let facts: InspectorFacts
    /// The start, which all calls wait for.
    private var start: Task<Inspector, any Error>?

    init(of server: MockAPNsServer, facts: InspectorFacts) { (self.server, self.facts) = (server, facts) }

    /// The URL; `nil` unless it was asked for and runs.
    var url: String? { get async { try? await start?.value.url } }

    func open() async throws -> String {
        let start =
            start
            ?? Task { [server, facts] in
                let inspector = try Inspector(server: server, host: "127.0.0.1", port: 0, facts: facts)
                do { try await inspector.start() } catch {
                    try await inspector.stop()
                    throw error
                }
                return inspector
            }
        self.start = start
        do {
            guard let url = try await start.value.url else { throw APNsMock.Failure("the server has stopped") }
            return url
        } catch let error as InspectorError { throw APNsMock.Failure("the page cannot be served: \(error)") }
    }

    func close() async throws { try await (try? start?.value)?.stop(grace: .zero) }
}
