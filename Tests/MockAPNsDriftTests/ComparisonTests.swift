import MockAPNs
import MockAPNsRules
import MockAPNsTransport
import MockAPNsUpstream
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsDrift

/// Comparisons with another server of this package that behaves differently on purpose.
struct ComparisonTests {
    /// Compares with a server after a change.
    private func report(
        _ change: @escaping (inout Configuration) throws -> Void = { _ in },
        _ adapt: (inout DriftComparison, MockAPNsServer) throws -> Void = { _, _ in }
    ) async throws -> DriftReport {
        let provider = try Fixture.provider()
        var configuration = Configuration()
        configuration.rules.unknownTokens = .reject
        configuration.rules.answersOnDemand = false
        let key = ProviderKey(keyID: provider.keyID, teamID: provider.teamID)
        configuration.keys = [Configuration.Key(key: key, pem: provider.key.verifyingKey.publicKeyPEM)]
        try change(&configuration)
        return try await withServerPlace {
            try await withMockAPNs(configuration) { server in
                var options = UpstreamOptions()
                options.times.answer = .hours(1)
                options.tls = try ClientTLSContext(authoritiesPEM: server.certificateAuthorityPEM ?? "")
                let port = server.listeners[0].address.port
                var comparison = DriftComparison(
                    provider, with: UpstreamAddress(host: "localhost", port: port), options)
                comparison.pace = .zero
                try adapt(&comparison, server)
                return try await comparison.run(named: "other")
            }
        }
    }

    @Test func `a server with the same options agrees`() async throws {
        let report = try await report()
        #expect(report.agrees && report.outcomes.count == DriftCatalogue.all.count, "\(report.text)")
        #expect(report.outcomes.allSatisfy { $0.mock.status >= 400 }, "every request is refused")
        #expect(report.options.isEmpty)
    }

    /// Each option is found by its own cases and no other.
    @Test(arguments: ["apns-id-case=lower", "invalid-json=reject", "future-token=invalid", "token-base64=url"])
    func `each behavior is found`(behavior: String) async throws {
        let report = try await report { try Behavior.choose(behavior, in: &$0) }
        #expect(report.options == ["--behavior \(behavior)"], "\(report.text)")
        let expected = DriftCatalogue.all.filter { item in
            item.choices.contains { $0.option == "--behavior \(behavior)" }
        }.map(\.id)
        #expect(report.differing.map(\.id) == expected)
    }

    @Test func `a content type is found in every answer`() async throws {
        let report = try await report { try Behavior.choose("error-content-type=present", in: &$0) }
        #expect(report.differing.count > 150)
        #expect(report.differing.allSatisfy { $0.differences == ["headers"] })
    }

    /// Every pair of neighbours whose order the catalogue decides.
    @Test func `each swapped pair of checks is found`() async throws {
        let compared = Pipeline.standard.checks.map(\.id).filter { DriftDefect.reasons[$0] != nil }
        var swaps = 0
        for (first, second) in zip(compared, compared.dropFirst()) {
            let option = "--check-order \(second),\(first)"
            let cases = DriftCatalogue.all.filter { item in item.choices.contains { $0.option == option } }
            guard !cases.isEmpty else { continue }
            swaps += 1
            let report = try await report {
                $0.pipeline = try $0.pipeline.reordered([second, first])
            } _: { comparison, _ in
                // Those of both checks with each other, and all of either with a check elsewhere.
                comparison.cases = DriftCatalogue.all.filter { item in
                    !item.hasOwnToken || cases.contains { $0.id == item.id }
                }
            }
            #expect(report.differing.contains { $0.options == [option] }, "\(option): \(report.text)")
        }
        #expect(swaps >= 9)
    }

    @Test func `a comparison stops at 429, and at the third connection that ends`() async throws {
        let busy = try await report { _ in
        } _: { _, server in
            let draft = try FaultDraft(when: FaultTrigger(), action: .respond(FaultAction.Response(.tooManyRequests)))
            _ = try server.world.faults.add(draft)
        }
        #expect(busy.outcomes.count == 1 && busy.stopped?.contains("429") == true && !busy.agrees)
        let broken = try await report { _ in
        } _: { _, server in
            _ = try server.world.faults.add(FaultDraft(when: FaultTrigger(), action: .connection(.rst)))
        }
        #expect(broken.outcomes.count == 3 && broken.stopped?.contains("3 connections") == true)
    }

    @Test func `a report has nothing that identifies anyone`() async throws {
        let report = try await report { try Behavior.choose("error-content-type=present", in: &$0) }
        let text = String(decoding: report.json.text, as: UTF8.self)
        for secret in ["DRIFTKEY01", "DRIFTTEAM1", "com.example.drift", "5e5e5e", "eyJ", "127.0.0.1", "localhost"] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }
}
