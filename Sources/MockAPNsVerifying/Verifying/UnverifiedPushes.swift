internal import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// The pushes that no verification has matched.
package struct UnverifiedPushes {
    private static let mostListed = 20

    /// Their numbers, oldest first.
    package let seqs: [UInt64]
    /// The number of pushes searched.
    package let count: Int
    package let extent: Journal.Extent
    private let pushes: VerifiedNamespace

    /// Finds the pushes after a number; with a matcher, only those that match.
    package init(
        in pushes: VerifiedNamespace, after: UInt64, matcher: PushMatcher?, _ scan: Scan
    ) async throws(SearchFailure) {
        let query = PushQuery(after: after, matcher?.query(in: pushes.context, scan.budget))
        let (all, extent) = try await scan.find(pushes.journal, query)
        seqs = all.filter { !pushes.context.verifications.has($0) }
        (count, self.extent, self.pushes) = (all.count, extent, pushes)
    }

    /// Returns the report for people; `link` returns the URL of a push's page, if it is served.
    package func report(link: (String) -> String?) -> ReportText {
        let listed = seqs.prefix(Self.mostListed).compactMap { pushes.journal.push(seq: $0) }
        var lines = listed.flatMap { push in
            let id = extent.id(of: push.seq)
            let reason = push.verdict.reason.map { " \($0.name)" } ?? ""
            let topic = ReportText.shown(.string(push.request[.apnsTopic] ?? "(no topic)"))
            let line = "  \(id)  #\(push.seq)  \(push.answer.status)\(reason)  \(topic)  \(ReportText.alert(of: push))"
            let hint = push.cause(in: pushes.context.world).map { "    \($0.hint)" }
            return [line] + [hint].compactMap(\.self)
        }
        if seqs.count > listed.count { lines.append("  and \(seqs.count - listed.count) more") }
        return ReportText(
            "Expected every push to be verified, but \(seqs.count) of \(count) were by none", lines: lines,
            lookAt: seqs.first.map(extent.id(of:)), link: link)
    }
}
