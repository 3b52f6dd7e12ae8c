import Foundation
import MockAPNs
import MockAPNsCrypto
import MockAPNsRules
import MockAPNsTransport
import MockAPNsUpstream
import MockAPNsWorld
import NIOCore
import TestSupport
import Testing

@testable import MockAPNsDrift

/// The root of the repository.
let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

enum Fixture {
    static let deviceToken = String(repeating: "a7", count: 32)

    static func provider() throws -> DriftProvider {
        DriftProvider(
            key: try SigningKey.generate(), keyID: "DRIFTKEY01", teamID: "DRIFTTEAM1", topic: "com.example.drift",
            now: Int64(time(nil)), deviceToken: String(repeating: "5e", count: 32))
    }
}

/// Another server of this package, which is the service of a comparison.
struct Service {
    typealias Change = (inout Configuration) throws -> Void
    typealias Adapt = (inout DriftComparison, MockAPNsServer) async throws -> Void

    var provider: DriftProvider
    var isSecure = true

    init() throws { provider = try Fixture.provider() }

    /// The configuration of a service that agrees with the mock.
    private func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.listeners = [ListenAddress(host: "127.0.0.1", port: 0, isSecure: isSecure)]
        configuration.rules.unknownTokens = .reject
        configuration.rules.answersOnDemand = false
        configuration.clientCertificates.mode = .any
        let key = ProviderKey(keyID: provider.keyID, teamID: provider.teamID, environment: provider.keyEnvironment)
        configuration.keys = [Configuration.Key(key: key, pem: provider.key.verifyingKey.publicKeyPEM)]
        if let token = provider.ownDeviceToken.flatMap({ DeviceToken(hex: $0) }) {
            let app = DeviceDraft.Registration(token: token, topic: provider.topic)
            configuration.devices = [DeviceDraft(label: "mine", registrations: [app])]
        }
        return configuration
    }

    /// Compares with a service after a change.
    func compare(_ change: Change = { _ in }, _ adapt: Adapt = { _, _ in }) async throws -> DriftComparison.Result {
        var configuration = configuration()
        try change(&configuration)
        return try await withServerPlace {
            try await withMockAPNs(configuration) { server in
                let port = server.listeners[0].address.port
                var target = DriftTarget(
                    UpstreamAddress(host: isSecure ? "localhost" : "127.0.0.1", port: port, isSecure: isSecure))
                target.authoritiesPEM = server.certificateAuthorityPEM
                target.options = .patient
                var comparison = DriftComparison(provider, with: target)
                comparison.wait = { _ in try Task.checkCancellation() }
                try await adapt(&comparison, server)
                return try await comparison.run()
            }
        }
    }
}

extension UpstreamOptions {
    /// Nothing happens because time passes.
    static var patient: UpstreamOptions {
        var options = UpstreamOptions()
        options.times.connect = .hours(1)
        options.times.handshake = .hours(1)
        options.times.settings = .hours(1)
        options.times.answer = .hours(1)
        options.times.ping = .hours(1)
        return options
    }
}

extension DriftReport {
    /// What differs, for failures of tests.
    var text: String {
        (differing.map { "\($0.id)\n  service \($0.service.text)\n  mock    \($0.mock.text)\n  \($0.options)" }
            + [stopped.map { "stopped: \($0)" }].compactMap(\.self)).joined(separator: "\n")
    }
}
