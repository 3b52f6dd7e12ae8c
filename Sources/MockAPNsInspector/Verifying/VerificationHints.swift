internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What usually is the matter when a verification fails.
struct VerificationHints {
    let verification: Verification
    let finding: Verification.Finding
    /// What was looked for came there; `nil` where there was not too little of it.
    let elsewhere: OtherNamespaces?
    let subject: InspectedServer

    /// The hints, the likeliest first.
    func all(_ scan: Scan) async throws(SearchFailure) -> [String] {
        guard finding.matched.count < verification.expectation.least else { return lost }
        let rejected = try await rejected(scan)
        return (elsewhere?.hints ?? []) + nothingCame + rejected + early + lost
    }

    private var nothingCame: [String] {
        guard finding.considered == 0 else { return [] }
        let own = subject.namespace.listeners
        let addresses = (own.isEmpty ? subject.server.listeners : own).map(\.url).joined(separator: " or ")
        let failed = subject.journal.connections.filter {
            $0.closedAt != nil && $0.applicationProtocol == nil
        }
        var hints = ["no push at all has arrived in the window: does the provider talk to \(addresses)?"]
        if let detail = failed.last?.closeDetail {
            hints.append(
                "\(Self.connections(failed.count)) ended before HTTP/2 began, the last one with '\(detail)':"
                    + " see /api/v1/connections"
            )
        }
        return hints
    }

    /// Pushes that were refused, and are otherwise what is expected.
    private func rejected(_ scan: Scan) async throws(SearchFailure) -> [String] {
        let outcome = Requirement.Subject.field(.outcome)
        var matcher = verification.matcher
        guard matcher.asks(for: .outcome) else { return [] }
        matcher.requirements.removeAll { $0.subject == outcome }
        matcher.requirements.append(.field(.outcome, equals: PushQuery.Outcome.rejected.rawValue))
        // What a refused push never has cannot be asked of it.
        matcher.requirements.removeAll { $0.subject == .field(.delivery) }
        var query = PushQuery()
        query.after = verification.after
        query.before = verification.before
        query.condition = matcher.query(in: subject.context, scan.budget)
        var last: PushOutline?
        var count = 0
        _ = try await scan.visit(subject.journal, query) { _, outline in
            last = outline
            count += 1
            return true
        }
        guard let last else { return [] }
        let id = PushID(epoch: finding.extent.epoch, seq: last.seq).text
        let reason = last.reason.map { " \($0.name)" } ?? ""
        let words =
            count == 1 ? "1 matching push was rejected" : "\(count) matching pushes were rejected, the last"
        return ["\(words) \(last.status)\(reason) (\(id))"]
    }

    private var early: [String] {
        guard finding.tooEarly > 0 else { return [] }
        return [
            "\(Verification.Expectation.pushes(finding.tooEarly)) would match, but came up to seq"
                + " \(verification.after): was 'after' taken too late?"
        ]
    }

    private var lost: [String] {
        let lost = PushSelection.evicted(
            after: verification.after,
            before: verification.before,
            finding.extent
        )
        guard lost > 0 else { return [] }
        return ["up to \(lost) pushes of the window were dropped to make room: --max-pushes keeps more"]
    }

    private static func connections(_ count: Int) -> String {
        count == 1 ? "1 connection" : "\(count) connections"
    }
}
