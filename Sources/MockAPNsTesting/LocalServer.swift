internal import MockAPNs
internal import MockAPNsInspector
internal import NIOCore

/// A server in this process, whose debug API is called directly, without HTTP.
struct LocalServer: DebugAPITransport {
    private let server: MockAPNsServer
    private let api: LocalAPI

    init(_ configuration: Configuration) async throws {
        server = try await MockAPNsServer(configuration)
        api = LocalAPI(of: server, facts: InspectorFacts(version: "testing"))
    }

    func send(
        _ method: String,
        _ target: String,
        _ body: [UInt8]
    ) async throws -> (status: Int, body: [UInt8]) {
        await api.answer(method, target, body)
    }

    /// Starts a server, calls `use` with its API, and stops it, also after an error.
    static func with<Result>(
        _ configuration: Configuration,
        isolation: isolated (any Actor)? = #isolation,
        _ use: (DebugAPI) async throws -> Result
    ) async throws -> Result {
        let local = try await LocalServer(configuration)
        let result: Result
        do {
            result = try await use(DebugAPI(transport: local))
        } catch {
            try await local.server.stop(grace: .zero)
            throw error
        }
        try await local.server.stop(grace: .zero)
        return result
    }
}
