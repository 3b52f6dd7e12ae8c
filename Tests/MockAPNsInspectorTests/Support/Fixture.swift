import MockAPNs
import MockAPNsRules
import TestSupport

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// A server with a journal to fill, and its API without a socket.
struct Fixture: Sendable {
    static let now = PushDraft.now
    static let token = PushDraft.token

    let server: MockAPNsServer
    let api: DebugAPI
    let subject: InspectedServer
    let readiness: Readiness

    init(
        of server: MockAPNsServer, facts: Inspector.Facts = Inspector.Facts(version: "1.2.3"),
        settings: APISettings = APISettings()
    ) {
        self.server = server
        readiness = Readiness(awaiting: server.listeners.map(\.url) + [Inspector.ownListener])
        subject = InspectedServer(server: server, facts: facts, readiness: readiness, apiHost: "127.0.0.1")
        api = DebugAPI(subject: subject, hosts: HostPolicy(boundHost: "127.0.0.1", allowed: []), settings: settings)
    }

    var journal: Journal { server.world.journal }

    /// Asks the API as a client on the same machine would.
    func get(_ target: String, accept: String? = nil) async -> APIResponse {
        var request = APIRequest(target: target)
        request.set("Host", "127.0.0.1:8197")
        request.set("Accept", accept)
        request.localPort = 8_197
        return await api.answer(request).whole()
    }

    /// Records that a connection was opened.
    @discardableResult func open(
        _ id: UInt64, tls: Bool = true, showing certificate: ClientCertificate? = nil
    ) -> ConnectionRecord {
        var connection = ConnectionRecord(
            id: id, remoteAddress: "127.0.0.1:51644", environment: .sandbox, openedAt: Self.now)
        connection.tlsVersion = tls ? "TLSv1.3" : nil
        connection.applicationProtocol = tls ? "h2" : nil
        connection.serverName = tls ? "localhost" : nil
        connection.clientCertificate = certificate
        journal.connectionOpened(connection)
        return connection
    }

    /// Publishes pushes as one batch.
    func publish(_ drafts: PushDraft...) { publish(drafts) }

    /// Publishes pushes as one batch.
    func publish(_ drafts: [PushDraft], in namespace: Namespace? = nil) {
        (namespace?.world ?? server.world).publish(drafts)
    }
}

/// Lends a fixture, and stops its server afterwards.
func withFixture(
    facts: Inspector.Facts = Inspector.Facts(version: "1.2.3"), settings: APISettings = APISettings(),
    configure: (inout Configuration) -> Void = { _ in }, _ use: (Fixture) async throws -> Void
) async throws {
    var configuration = Configuration()
    configuration.seed = .max
    configure(&configuration)
    try await withServerPlace {
        try await withMockAPNs(configuration) { server in
            try await use(Fixture(of: server, facts: facts, settings: settings))
        }
    }
}
