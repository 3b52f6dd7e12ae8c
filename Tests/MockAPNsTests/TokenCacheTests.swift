import MockAPNs
import MockAPNsCrypto
import MockAPNsRules
import MockAPNsWorld
import Synchronization
import Testing

/// A provider token is verified once, and forgotten when its key changes.
struct TokenCacheTests {
    /// A key's verifier that counts.
    final class CountingVerifier: SignatureVerifier {
        private let key: VerifyingKey
        private let calls = Atomic<Int>(0)

        init(_ key: TestKey) { self.key = key.signing.verifyingKey }

        var count: Int { calls.load(ordering: .relaxed) }

        func verify(
            signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, algorithm: ProviderToken.Algorithm
        ) -> Bool? {
            calls.wrappingAdd(1, ordering: .relaxed)
            return key.verify(signature: signature, of: message)
        }
    }

    /// Cannot tell, ever.
    struct FailingVerifier: SignatureVerifier {
        let calls: CountingVerifier

        func verify(
            signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, algorithm: ProviderToken.Algorithm
        ) -> Bool? {
            _ = calls.verify(signature: signature, of: message, algorithm: algorithm)
            return nil
        }
    }

    /// Puts one key in force, in place of all others.
    private func use(_ key: ProviderKey, _ verifier: any SignatureVerifier, in live: Live) async throws {
        let registered = Ruleset.RegisteredKey(key: key, verifier: verifier)
        try await live.server.changeRuleset { ruleset in
            Ruleset(options: ruleset.options, pipeline: ruleset.pipeline, keys: [key.keyID: registered])
        }
    }

    @Test func `a signature is verified once`() async throws {
        try await withLive { live in
            let verifier = CountingVerifier(.team)
            try await use(TestKey.team.key, verifier, in: live)
            let (client, other) = (try await live.connect(), try await live.connect())
            let push = Push(try TestKey.team.token())
            for _ in 0..<20 {
                #expect(try await client.send(push).status == 200)
                #expect(try await other.send(push).status == 200)
            }
            #expect(verifier.count == 1)
            // Another signature over the same claims is another token.
            let again = Push(try TestKey.team.token())
            for _ in 0..<5 {
                #expect(try await client.send(again).status == 200)
                #expect(try await client.send(push).status == 200)
            }
            #expect(verifier.count == 2)
        }
    }

    @Test func `a wrong signature is verified once too`() async throws {
        try await withLive { live in
            let verifier = CountingVerifier(.team)
            try await use(TestKey.team.key, verifier, in: live)
            let client = try await live.connect()
            let push = Push(try TestKey.team.token(damaging: true))
            for _ in 0..<5 { #expect(try await client.send(push).reason == "InvalidProviderToken") }
            #expect(verifier.count == 1)
        }
    }

    @Test func `what could not be verified is tried again`() async throws {
        try await withLive { live in
            let counter = CountingVerifier(.team)
            try await use(TestKey.team.key, FailingVerifier(calls: counter), in: live)
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            for _ in 0..<3 {
                let reply = try await client.send(push)
                #expect(reply.status == 500)
                #expect(reply.reason == "InternalServerError")
                #expect(live.record(of: reply)?.verification == .verifierFailed)
            }
            #expect(counter.count == 3)
        }
    }

    @Test func `expiry is checked on every push`() async throws {
        try await withLive { live in
            let verifier = CountingVerifier(.team)
            try await use(TestKey.team.key, verifier, in: live)
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            for (age, status) in [(0, 200), (3_600, 200), (3_601, 403), (7_200, 403), (10, 200), (-3_601, 403)] {
                live.setClock(Live.now + Int64(age))
                #expect(try await client.send(push).status == status)
            }
            #expect(verifier.count == 1)
        }
    }

    @Test func `a token of a key that is gone is invalid`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            try await use(TestKey.sibling.key, CountingVerifier(.sibling), in: live)
            let reply = try await client.send(push)
            #expect(reply.reason == "InvalidProviderToken")
            #expect(live.record(of: reply)?.verification == .unknownKey)
            try await use(TestKey.team.key, CountingVerifier(.team), in: live)
            #expect(try await client.send(push).status == 200)
        }
    }

    /// The key id stays, and stands for another key.
    @Test func `a token of a key that was replaced is invalid`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            try await use(TestKey.team.key, CountingVerifier(.team), in: live)
            #expect(try await client.send(push).status == 200)
            try await use(TestKey.team.key, CountingVerifier(.stranger), in: live)
            let reply = try await client.send(push)
            #expect(reply.reason == "InvalidProviderToken")
            #expect(live.record(of: reply)?.verification == .badSignature)
        }
    }

    /// The key stays, and may do less.
    @Test func `a key that loses a topic loses it at once`() async throws {
        try await withLive { live in
            let verifier = CountingVerifier(.team)
            let (client, push) = (try await live.connect(), Push(try TestKey.team.token()))
            try await use(TestKey.team.key, verifier, in: live)
            #expect(try await client.send(push).status == 200)
            let narrower = ProviderKey(
                keyID: TestKey.team.key.keyID, teamID: TestKey.team.key.teamID, topics: ["com.example.other"])
            try await use(narrower, verifier, in: live)
            #expect(try await client.send(push).reason == "TopicDisallowed")
            let other = Push(push.providerToken, token: Push.freshToken).with { $0.topic = "com.example.other" }
            #expect(try await client.send(other).status == 200)
        }
    }

    @Test func `a change that leaves the keys alone forgets nothing`() async throws {
        try await withLive { live in
            let verifier = CountingVerifier(.team)
            try await use(TestKey.team.key, verifier, in: live)
            let (client, push) = (try await live.connect(), Push(try TestKey.team.token()))
            #expect(try await client.send(push).status == 200)
            try await live.server.changeRuleset { ruleset in
                var options = ruleset.options
                options.refusesInvalidJSON = true
                return Ruleset(options: options, pipeline: ruleset.pipeline, keys: ruleset.keys)
            }
            #expect(try await client.send(push).status == 200)
            #expect(try await client.send(push.with { $0.body = "{" }).reason == "BadRequestPayload")
            #expect(verifier.count == 1)
        }
    }

    /// More tokens than are kept: those forgotten are verified again.
    @Test func `any number of tokens is accepted`() async throws {
        try await withLive({ $0.rules.tokenUpdateInterval = 0 }) { live in
            let verifier = CountingVerifier(.team)
            try await use(TestKey.team.key, verifier, in: live)
            let client = try await live.connectAuthenticated()
            let before = verifier.count
            let pushes = try (0..<1_500).map { Push(try TestKey.team.token(at: Live.now - Int64($0))) }
            for batch in 0..<3 {
                let replies = try await client.send(Array(pushes[batch * 500..<(batch + 1) * 500]))
                #expect(replies.allSatisfy { $0.status == 200 })
            }
            #expect(verifier.count == before + 1_500)
            #expect(try await client.send(pushes[0]).status == 200)
            #expect(verifier.count == before + 1_501)
            #expect(try await client.send(pushes[1_499]).status == 200)
            #expect(verifier.count == before + 1_501)
        }
    }
}
