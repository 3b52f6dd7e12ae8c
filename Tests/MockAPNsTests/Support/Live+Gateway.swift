import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNs

extension Live {
    /// The app of the certificates that clients of the binary interface show.
    static let gatewayTopic = "com.example.app"

    /// Connects to the binary interface, or to its feedback service, with a certificate for an app.
    func connect(
        to interface: ProviderInterface, as app: String? = gatewayTopic, in environment: Environment = .sandbox
    ) async throws -> GatewayClient {
        let address = try #require(
            server.binaryListeners.first { $0.address.interface == interface && $0.address.environment == environment }
        ).address
        let certificate = try app.map { try server.clientCertificates.issue(ClientCertificates.Draft(bundleID: $0)) }
        return try await GatewayClient.connect(address.port, certificate)
    }

    /// Waits until so many pushes have arrived.
    func settle(pushes count: UInt64) async throws { try await settle { journal.counters.received >= count } }

    /// The pushes in the order of their arrival.
    var pushes: [PushRecord] {
        var query = PushQuery()
        query.order = .ascending
        query.limit = 1_000
        return journal.pushes(query).pushes
    }
}

/// Lends a server with the binary interface and its feedback service.
func withGateway<Result: Sendable>(
    _ change: (inout Configuration) -> Void = { _ in }, _ use: (Live) async throws -> Result
) async throws -> Result {
    try await withLive(
        { configuration in
            configuration.binaryListeners = [ProviderInterface.gateway, .feedback].flatMap { interface in
                Environment.allCases.map {
                    ListenAddress(host: "127.0.0.1", port: 0, environment: $0, interface: interface)
                }
            }
            change(&configuration)
        }, use)
}
