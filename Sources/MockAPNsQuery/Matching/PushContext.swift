internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

/// What conditions and lints may look at besides the push itself.
package final class PushContext: Sendable {
    /// The world that the push came to.
    package let world: World
    /// Which pushes have been verified.
    package let verifications = VerificationBook()
    /// What is odd about pushes in the light of those before them.
    let lintHistory = LintHistory()

    /// A context in which no push has been verified yet.
    package init(_ world: World) { self.world = world }

    // MARK: Lints

    /// What is odd about a push, by itself and in the light of those before it, in the order of the lints.
    package func lints(of record: PushRecord) -> [LintFinding] { lints(of: PushFacts(record)) }

    /// What is odd about a push whose headers and payload have been read already.
    package func lints(of facts: PushFacts) -> [LintFinding] {
        let own = LintedPush(facts) { lintHistory.providerToken($0) }?.findings() ?? []
        return own + lintHistory.findings(of: facts.record.seq, in: world.journal)
    }

    /// Which lints find something in a push of the journal.
    ///
    /// For conditions on pushes (`PushQuery.Condition`). Must not be called while the world's lock is held.
    func lintIDs(
        of request: borrowing RequestView,
        _ outline: PushOutline,
        payload: @autoclosure () -> JSONValue?
    ) -> Set<Lint> {
        let own = LintedPush(request, outline, payload: payload)?.findings() ?? []
        let earlier = lintHistory.findings(of: outline.seq, in: world.journal)
        return Set((own + earlier).map(\.lint))
    }

    /// Whether one of these lints finds something in a push of the journal; cheaper than asking which.
    ///
    /// For conditions on pushes (`PushQuery.Condition`). Must not be called while the world's lock is held.
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
