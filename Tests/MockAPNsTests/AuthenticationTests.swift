import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

/// Provider tokens over the wire.
struct AuthenticationTests {
    @Test(arguments: TestKey.Form.allCases) func `signatures are accepted in raw form and in DER`(
        form: TestKey.Form
    ) async throws {
        try await withLive { live in
            let client = try await live.connect()
            // Signatures contain a random number, and DER's length depends on it.
            for _ in 0..<20 {
                let reply = try await client.send(Push(TestKey.team.token(form: form)))
                #expect(reply.status == 200)
                #expect(live.record(of: reply)?.verification == .verified)
            }
            #expect(live.journal.counters.accepted == 20)
        }
    }

    @Test func `the development key signs tokens`() async throws {
        try await withLive({ $0.keys = [] }) { live in
            let key = try #require(live.server.developmentKey)
            let reply = try await live.connect().send(Push(key.providerToken(issuedAt: Live.now)))
            #expect(reply.status == 200)
            let record = try #require(live.record(of: reply))
            #expect(record.keyID == key.keyID)
            #expect(record.teamID == key.teamID)
            #expect(record.issuedAt == Double(Live.now))
        }
    }

    /// A token, and what each mode says of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let token: @Sendable () throws -> String?
        let verify: Reason?
        let wellformed: Reason?
        let verification: TokenVerification

        /// The mode that looks at nothing accepts them all.
        func reason(_ mode: RuleOptions.Authentication) -> Reason? {
            switch mode {
            case .verify: verify
            case .wellformed: wellformed
            case .any: nil
            }
        }
    }

    static let rows = [
        Row(
            testDescription: "good", token: { try TestKey.team.token() }, verify: nil, wellformed: nil,
            verification: .verified),
        Row(
            testDescription: "none", token: { nil }, verify: .missingProviderToken, wellformed: .missingProviderToken,
            verification: .missing),
        Row(
            testDescription: "wrong signature", token: { try TestKey.team.token(damaging: true) },
            verify: .invalidProviderToken, wellformed: nil, verification: .badSignature),
        Row(
            testDescription: "unknown key", token: { try TestKey.stranger.token() }, verify: .invalidProviderToken,
            wellformed: nil, verification: .unknownKey),
        Row(
            testDescription: "malformed", token: { "abc" }, verify: .invalidProviderToken,
            wellformed: .invalidProviderToken, verification: .malformed),
        Row(
            testDescription: "expired", token: { try TestKey.team.token(at: Live.now - 4_000) },
            verify: .expiredProviderToken, wellformed: .expiredProviderToken, verification: .expired),
        Row(
            testDescription: "for the other environment", token: { try TestKey.production.token() },
            verify: .badEnvironmentKeyInToken, wellformed: .badEnvironmentKeyInToken, verification: .wrongEnvironment),
    ]

    @Test(arguments: rows, RuleOptions.Authentication.allCases) func `each mode checks only its part of a token`(
        _ row: Row, mode: RuleOptions.Authentication
    ) async throws {
        try await withLive({ $0.rules.authentication = mode }) { live in
            let reply = try await live.connect().send(Push(row.token()))
            #expect(reply.reason == row.reason(mode)?.name)
            #expect(reply.status == Int(row.reason(mode)?.status ?? 200))
            let record = try #require(live.record(of: reply))
            #expect(record.verification == row.verification)
        }
    }

    @Test func `the record has the token without its signature`() async throws {
        try await withLive { live in
            let token = try TestKey.team.token()
            let reply = try await live.connect().send(Push(token))
            let record = try #require(live.record(of: reply))
            let signed = token.prefix(through: token.lastIndex(of: ".")!)
            #expect(record.request[.authorization] == "bearer \(signed)")
            #expect(record.request.headers.map(\.name) == Push(token).fields.map(\.name))
        }
    }

    // MARK: Stream limits

    @Test func `the first valid token lifts the stream limit`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            #expect(try await client.settings == [[1: 4_096, 3: 1, 4: 65_535, 5: 16_384, 6: 8_000]])
            #expect(try await client.send(Push(nil)).status == 403)
            #expect(try await client.send(Push(TestKey.stranger.token())).status == 403)
            #expect(try await client.streamLimits == [1])
            #expect(try await client.send(Push(TestKey.team.token())).status == 200)
            #expect(try await client.streamLimits == [1, 1_000])
            #expect(try await client.settings.last == [3: 1_000])
            #expect(try await client.send(Push(TestKey.team.token())).status == 200)
            #expect(try await client.streamLimits == [1, 1_000])
        }
    }

    /// It is the token that counts, not whether the push was accepted.
    @Test func `a valid token on a refused push lifts the limit too`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            #expect(try await client.send(Push(TestKey.team.token()).with { $0.topic = nil }).status == 400)
            #expect(try await client.streamLimits == [1, 1_000])
        }
    }

    @Test func `a second stream is refused before the first valid token`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            // The acknowledgement of the limit goes out before the acknowledgement of this comes back.
            try await client.ping()
            let push = Push(try TestKey.team.token())
            let (stream, reply) = try await client.begin(push)
            let refused = try await client.attempt([push])
            #expect(throws: ClientHandler.Failure.reset(7)) { try refused[0].get() }
            try await client.complete(push, on: stream)
            #expect(try await reply.get().status == 200)
            #expect(live.journal.counters.received == 1)
            let replies = try await client.send(Array(repeating: push, count: 1_000))
            #expect(replies.allSatisfy { $0.status == 200 })
        }
    }
}
