internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The likely causes of a failed verification.
struct VerificationHints {
    let verification: Verification
    let finding: Verification.Finding
    /// Matching pushes of other namespaces; `nil` unless too few were found.
    let elsewhere: OtherNamespaces?
    let pushes: VerifiedNamespace

    func all(_ scan: Scan) async throws(SearchFailure) -> [String] {
        guard finding.matched.count < verification.expectation.least else { return lost }
        let rejected = try await rejected(scan)
        return (elsewhere?.hints ?? []) + nothingCame + rejected + early + lost
    }

    private var nothingCame: [String] {
        guard finding.considered == 0 else { return [] }
        let own = pushes.namespace.listeners
        let addresses = (own.isEmpty ? pushes.server.listeners : own).map(\.url).joined(separator: " or ")
        let failed = pushes.journal.connections.filter { $0.closedAt != nil && $0.applicationProtocol == nil }
        var hints = ["no push at all has arrived in the window: does the provider talk to \(addresses)?"]
        if let detail = failed.last?.closeDetail {
            hints.append(
                "\(counted(failed.count, "connection", "connections")) ended before HTTP/2 began, the last one with '\(detail)':"
                    + " see /api/v1/connections"
            )
        }
        return hints
    }

    private func rejected(_ scan: Scan) async throws(SearchFailure) -> [String] {
        var matcher = verification.matcher
        guard matcher.asks(for: .outcome) else { return [] }
        // A rejected push has no delivery.
        matcher.requirements.removeAll { $0.subject == .field(.outcome) || $0.subject == .field(.delivery) }
        matcher.requirements.append(.field(.outcome, equals: PushQuery.Outcome.rejected.rawValue))
        let query = PushQuery(
            after: verification.after,
            before: verification.before,
            matcher.query(in: pushes.context, scan.budget)
        )
        var last: PushOutline?
        var count = 0
        _ = try await scan.visit(pushes.journal, query) { _, outline in
            last = outline
            count += 1
            return true
        }
        guard let last else { return [] }
        let id = PushID(epoch: finding.extent.epoch, seq: last.seq).text
        let reason = last.reason.map { " \($0.name)" } ?? ""
        let words = counted(count, "matching push was rejected", "matching pushes were rejected, the last")
        return ["\(words) \(last.status)\(reason) (\(id))"]
    }

    private var early: [String] {
        guard finding.tooEarly > 0 else { return [] }
        return [
            "\(ReportText.pushes(finding.tooEarly)) would match, but came up to seq"
                + " \(verification.after): was 'after' taken too late?"
        ]
    }

    private var lost: [String] {
        let lost = finding.extent.evicted(after: verification.after, before: verification.before)
        guard lost > 0 else { return [] }
        return ["up to \(lost) pushes of the window were dropped to make room: --max-pushes keeps more"]
    }
}
