package import MockAPNsWorld

/// The data that conditions and lints can use in addition to the push itself.
package final class PushContext: Sendable {
    /// The world that received the push.
    package let world: World
    /// The pushes matched by verifications.
    package let verifications = VerifiedPushes()
    /// The findings that depend on earlier pushes.
    let lintHistory = LintHistory()

    /// Creates a context without verifications.
    package init(_ world: World) { self.world = world }

    // MARK: Lints

    /// Returns all lint findings for a push, in the order of `Lint.allCases`.
    package func lints(of record: PushRecord) -> [LintFinding] { lints(of: PushFacts(record)) }

    /// Returns all lint findings for a push whose headers and payload are already parsed.
    package func lints(of facts: PushFacts) -> [LintFinding] {
        let own = LintedPush(facts) { lintHistory.providerToken($0) }?.findings() ?? []
        return own + earlierFindings(of: facts.record.seq)
    }

    /// Returns the lint findings for a push that depend on earlier pushes.
    ///
    /// Do not call while holding the world's lock (deadlock).
    func earlierFindings(of seq: UInt64) -> [LintFinding] {
        lintHistory.findings(of: seq, in: world.journal)
    }
}
