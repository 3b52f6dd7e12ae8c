import Foundation
import MockAPNs
import MockAPNsRules
import MockAPNsTransport
import MockAPNsUpstream
import MockAPNsWorld
import NIOCore
import TestSupport
import Testing

/// A server to push to over TLS, and what a client needs for it.
struct Upstream: Sendable {
    let server: MockAPNsServer
    let address: UpstreamAddress
    var options: UpstreamOptions
    /// The provider token of all pushes: one for each would be an update too many in the next second.
    let bearer: String

    func open(_ change: (inout UpstreamOptions) -> Void = { _ in }) async throws -> UpstreamConnection {
        var options = options
        change(&options)
        return try await UpstreamConnection.open(address, options)
    }

    /// A push that is accepted.
    func push(
        _ token: String = String(repeating: "ab", count: 32), body: String = #"{"aps":{"alert":"Hi"}}"#
    ) -> UpstreamRequest {
        UpstreamRequest(
            "/3/device/\(token)",
            headers: [
                UpstreamHeader("authorization", "bearer \(bearer)"), UpstreamHeader("apns-topic", "com.example.app"),
                UpstreamHeader("apns-push-type", "alert"),
            ], body: Array(body.utf8))
    }

    func add(_ action: FaultAction, _ change: (inout FaultTrigger) -> Void = { _ in }) throws {
        var trigger = FaultTrigger()
        change(&trigger)
        _ = try server.world.faults.add(FaultDraft(when: trigger, action: action))
    }
}

/// Lends a server in this process.
func withUpstream<Result: Sendable>(
    _ change: (inout Configuration) -> Void = { _ in }, _ use: (Upstream) async throws -> Result
) async throws -> Result {
    var configuration = Configuration()
    change(&configuration)
    return try await withServerPlace {
        try await withMockAPNs(configuration) { server in
            var options = UpstreamOptions.patient
            options.tls = try ClientTLSContext(authoritiesPEM: server.certificateAuthorityPEM ?? "")
            let port = server.listeners[0].address.port
            let address = UpstreamAddress(host: "localhost", port: port)
            let bearer = try #require(server.developmentKey).providerToken(issuedAt: Int64(time(nil)))
            return try await use(Upstream(server: server, address: address, options: options, bearer: bearer))
        }
    }
}

extension UpstreamOptions {
    /// Nothing happens because time passes.
    static var patient: UpstreamOptions {
        var options = UpstreamOptions()
        options.times.connect = .hours(1)
        options.times.proxy = .hours(1)
        options.times.handshake = .hours(1)
        options.times.settings = .hours(1)
        options.times.answer = .hours(1)
        options.times.ping = .hours(1)
        return options
    }
}

/// Returns the error of what must fail.
func failure<Value>(_ operation: () async throws -> Value) async throws -> UpstreamError {
    do { _ = try await operation() } catch let error as UpstreamError { return error }
    Issue.record("expected an error")
    return UpstreamError(.invalid, "no error")
}
