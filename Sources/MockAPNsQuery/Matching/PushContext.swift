internal import MockAPNsRules
package import MockAPNsWorld

/// The data that conditions and lints can use in addition to the push itself.
package final class PushContext: Sendable {
    package let world: World
    package let verifications = VerifiedPushes()
    let lintHistory = LintHistory()

    package init(_ world: World) { self.world = world }

    /// Returns all lint findings for a push, in the order of `Lint.allCases`.
    package func lints(of facts: PushFacts) -> [LintFinding] {
        let record = facts.record
        guard record.problem == nil else { return earlierFindings(of: record.seq) }
        let own = RequestView.withRequest(
            headers: record.request.headers,
            body: record.request.body,
            bodyLength: record.request.bodyLength
        ) { request in
            LintedPush(request, payload: facts.payload, at: record.clockTime) {
                lintHistory.providerToken($0)
            }?.findings() ?? []
        }
        return own + earlierFindings(of: record.seq)
    }

    /// Do not call while holding the world's lock (deadlock).
    func earlierFindings(of seq: UInt64) -> [LintFinding] {
        lintHistory.findings(of: seq, in: world.journal)
    }
}
