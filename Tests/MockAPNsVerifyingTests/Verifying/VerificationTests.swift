import MockAPNs
import MockAPNsQuery
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsVerifying

/// Verifications as values, without HTTP.
@Suite struct VerificationTests {
    @Test func `a verification that passes is recorded`() async throws {
        try await withVerified { pushes in
            pushes.namespace.world.publish([.titled("a"), .titled("b")])
            let verification = Verification(matcher: .titled("b"), after: 0, before: nil)
            let outcome = try await verification.verify(in: pushes, within: nil, settle: nil, Scan())
            guard case .passed(let pushesFound, _, let id) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(pushesFound.count == 1)
            let matched = try #require(pushesFound.first)
            #expect(pushes.context.verifications.ids(of: matched) == [id])
            let rest = try await UnverifiedPushes(in: pushes, after: 0, matcher: nil, Scan())
            #expect(rest.count == 2 && rest.seqs.count == 1 && rest.seqs.first != matched)
        }
    }

    @Test func `a verification that fails has a report with a link and the nearest push`() async throws {
        try await withVerified { pushes in
            pushes.namespace.world.publish([.titled("a")])
            let verification = Verification(matcher: .titled("b"), expectation: 2...2, after: 0, before: nil)
            let outcome = try await verification.verify(in: pushes, within: nil, settle: nil, Scan())
            guard case .failed(let failure) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(failure.nearMisses.map(\.results.met) == [1])
            let report = failure.report { "https://example.com/\($0)" }
            #expect(report.headline == "Expected exactly 2 pushes, found 0")
            #expect(report.text.contains("look: https://example.com/psh_"))
            #expect(report.text.contains("expected b"))
        }
    }
}
