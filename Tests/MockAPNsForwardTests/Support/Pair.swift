import MockAPNs
import MockAPNsCrypto
import MockAPNsForward
import MockAPNsRules
import MockAPNsTransport
import MockAPNsUpstream
import MockAPNsWorld
import NIOCore
import TestSupport
import Testing

/// A server, a client of it, and where its pushes are forwarded to.
struct Pair: Sendable {
    static let topic = "com.example.app"
    static let token = String(repeating: "ab", count: 32)

    let server: MockAPNsServer
    let client: UpstreamConnection
    let forwarder: Forwarder
    /// The events before the first push.
    let start: EventCursor
    /// The provider token of all pushes: APNs accepts another one only after 20 minutes.
    let bearer: String
    var world: World { server.world }

    /// Sends a push, and returns its status.
    @discardableResult func push(
        _ token: String = Pair.token, topic: String = Pair.topic, headers: [UpstreamHeader] = [],
        body: String = #"{"aps":{"alert":"Hi"}}"#
    ) async throws -> Int { try await answer(token, topic: topic, headers: headers, body: body).status }

    /// Sends pushes, 500 at a time, all of which must be accepted.
    func push(count: Int) async throws {
        for start in stride(from: 0, to: count, by: 500) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in start..<min(start + 500, count) { group.addTask { try await push() } }
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    /// Sends a push, and returns its response.
    func answer(
        _ token: String = Pair.token, topic: String = Pair.topic, headers: [UpstreamHeader] = [],
        body: String = #"{"aps":{"alert":"Hi"}}"#
    ) async throws -> UpstreamAnswer {
        let own = [UpstreamHeader("authorization", "bearer \(bearer)"), UpstreamHeader("apns-topic", topic)]
        let request = UpstreamRequest("/3/device/\(token)", headers: own + headers, body: Array(body.utf8))
        return try await client.send(request)
    }

    /// Sends a push to a namespace's own port, and returns its status.
    func push(in namespace: Namespace) async throws -> Int {
        var options = UpstreamOptions()
        options.times.answer = .hours(1)
        options.tls = try ClientTLSContext(authoritiesPEM: server.certificateAuthorityPEM ?? "")
        let address = UpstreamAddress(host: "localhost", port: namespace.listeners[0].address.port)
        let client = try await UpstreamConnection.open(address, options)
        let own = [UpstreamHeader("authorization", "bearer \(bearer)"), UpstreamHeader("apns-topic", Self.topic)]
        let body = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
        let answer = try await client.send(UpstreamRequest("/3/device/\(Self.token)", headers: own, body: body))
        await client.close()
        return answer.status
    }

    /// Waits until this many pushes have a record, and returns the records by ascending number of the push.
    func records(_ count: Int) async throws -> [ForwardRecord] {
        await eventually {
            let counts = world.forwards.counts
            return counts.answered + counts.failed + counts.dropped >= UInt64(count)
        }
        return world.journal.pushes(.oldestFirst).pushes.compactMap { world.forwards[$0.seq] }
    }
}

extension PushQuery {
    static var oldestFirst: PushQuery {
        var query = PushQuery()
        (query.order, query.limit) = (.ascending, 100_000)
        return query
    }
}

/// A key that signs forwarded pushes.
struct ForwardKey: Sendable {
    let keyID = "FORWARD123"
    let teamID = "TEAM123456"
    let key: SigningKey

    init() throws { key = try SigningKey.generate() }

    var credential: ForwardTarget.Credential { .key(key, keyID: keyID, teamID: teamID) }
}

/// Lends a server whose pushes are forwarded to a target; its clients may wait for the target's responses.
func withForwarding<Result: Sendable>(
    to target: ForwardTarget, limits: Forwarder.Limits = Forwarder.Limits(), answers: ForwardAnswers? = nil,
    inBackground: Bool = false, _ change: (inout Configuration) -> Void = { _ in }, _ use: (Pair) async throws -> Result
) async throws -> Result {
    var configuration = Configuration()
    // The tests send thousands of pushes to one device.
    configuration.rules.deviceRate = nil
    configuration.forwardAnswers = answers
    change(&configuration)
    return try await withServerPlace {
        try await withMockAPNs(configuration) { server in
            let start = server.world.eventCursor()
            let forwarder = Forwarder(to: target, limits: limits, answers: answers, inBackground: inBackground)
            forwarder.start()
            forwarder.follow(server.world)
            var options = UpstreamOptions()
            options.times.answer = .hours(1)
            options.tls = try ClientTLSContext(authoritiesPEM: server.certificateAuthorityPEM ?? "")
            let address = UpstreamAddress(host: "localhost", port: server.listeners[0].address.port)
            let client = try await UpstreamConnection.open(address, options)
            do {
                let key = try #require(server.developmentKey)
                let bearer = try key.providerToken(issuedAt: Int64(server.world.clock.read().system.seconds))
                let result = try await use(
                    Pair(server: server, client: client, forwarder: forwarder, start: start, bearer: bearer))
                await client.close()
                await forwarder.stop()
                return result
            } catch {
                await client.close()
                await forwarder.stop()
                throw error
            }
        }
    }
}

/// Lends a second server as the service to forward to, which accepts only the key given.
func withService<Result: Sendable>(
    _ key: ForwardKey, _ change: (inout Configuration) -> Void = { _ in },
    _ use: (MockAPNsServer, ForwardTarget) async throws -> Result
) async throws -> Result {
    var configuration = Configuration()
    // The tests send thousands of pushes to one device.
    configuration.rules.deviceRate = nil
    configuration.keys = [
        Configuration.Key(
            key: ProviderKey(keyID: key.keyID, teamID: key.teamID), pem: key.key.verifyingKey.publicKeyPEM)
    ]
    change(&configuration)
    return try await withServerPlace {
        try await withMockAPNs(configuration) { service in
            let address = UpstreamAddress(host: "localhost", port: service.listeners[0].address.port)
            var target = ForwardTarget(address, key.credential, topics: [Pair.topic])
            target.options.tls = try ClientTLSContext(authoritiesPEM: service.certificateAuthorityPEM ?? "")
            return try await use(service, target)
        }
    }
}

extension Pair {
    /// The number of kept events about forwarded pushes.
    var forwardEvents: Int {
        let page = world.events(from: start, limit: 1_000_000)
        return page.items.count { item in
            guard case .other(let event) = item, case .pushForwarded = event.kind else { return false }
            return true
        }
    }
}

extension ForwardTarget {
    /// A raw server without TLS.
    static func plain(_ service: RawServer) throws -> ForwardTarget {
        let address = UpstreamAddress(host: "127.0.0.1", port: service.port, isSecure: false)
        return ForwardTarget(address, try ForwardKey().credential, topics: [Pair.topic])
    }
}
