internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

/// The data that conditions and lints can use in addition to the push itself.
package final class PushContext: Sendable {
    /// The world that received the push.
    package let world: World
    /// The pushes matched by verifications.
    package let verifications = VerificationBook()
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
        return own + lintHistory.findings(of: facts.record.seq, in: world.journal)
    }

    /// Returns the lints with findings in a push in the journal.
    ///
    /// For conditions on pushes (`PushQuery.Condition`). Do not call while holding the world's lock (deadlock).
    func lintIDs(
        of request: borrowing RequestView,
        _ outline: PushOutline,
        payload: @autoclosure () -> JSONValue?
    ) -> Set<Lint> {
        let own = LintedPush(request, outline, payload: payload)?.findings() ?? []
        let earlier = lintHistory.findings(of: outline.seq, in: world.journal)
        return Set((own + earlier).map(\.lint))
    }

    /// Returns whether any of these lints has a finding in a push in the journal.
    ///
    /// Cheaper than `lintIDs`. For conditions on pushes (`PushQuery.Condition`). Do not call while holding the world's
    /// lock (deadlock).
    func hasLint(
        _ lints: Set<Lint> = Lint.all,
        in request: borrowing RequestView,
        _ outline: PushOutline,
        payload: @autoclosure () -> JSONValue?
    ) -> Bool {
        if lints.contains(where: \.looksAtHistory) {
            let earlier = lintHistory.findings(of: outline.seq, in: world.journal)
            if earlier.contains(where: { lints.contains($0.lint) }) { return true }
        }
        let own = Lint.ofOnePush.filter(lints.contains)
        guard !own.isEmpty else { return false }
        return LintedPush(request, outline, payload: payload)?.has(own) ?? false
    }
}
