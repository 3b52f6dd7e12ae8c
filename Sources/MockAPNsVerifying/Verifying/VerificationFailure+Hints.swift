internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension VerificationFailure {
    var nothingCame: [String] {
        guard considered == 0 else { return [] }
        let own = pushes.namespace.listeners
        let addresses = (own.isEmpty ? pushes.server.listeners : own).map(\.url).joined(separator: " or ")
        let failed = pushes.journal.connections.filter { $0.closedAt != nil && $0.applicationProtocol == nil }
        var hints = ["no push at all has arrived in the window: does the provider talk to \(addresses)?"]
        if let detail = failed.last?.closeDetail {
            hints.append(
                "\(counted(failed.count, "connection", "connections")) ended before HTTP/2 began, the last one with '\(detail)':"
                    + " see /api/v1/connections")
        }
        return hints
    }

    func rejected(_ scan: Scan) async throws(SearchFailure) -> String? {
        var rejections = verification
        guard rejections.matcher.requirements.contains(where: { $0.subject == .field(.outcome) }) else { return nil }
        // A rejected push has no delivery.
        rejections.matcher.requirements.removeAll { [.field(.outcome), .field(.delivery)].contains($0.subject) }
        let outcome = PushQuery.Outcome.rejected.rawValue
        rejections.matcher.requirements.append(.field(.outcome, equals: outcome))
        let query = rejections.query(in: pushes, scan.budget)
        var last: PushOutline?
        var count = 0
        try await scan.visit(pushes.journal, query) { _, outline, _ in
            last = outline
            count += 1
        }
        guard let last else { return nil }
        let reason = last.reason.map { " \($0.name)" } ?? ""
        let words = counted(count, "matching push was rejected", "matching pushes were rejected, the last")
        let cause = pushes.journal.push(seq: last.seq)?.cause(in: pushes.context.world)
        return "\(words) \(last.status)\(reason) (\(extent.id(of: last.seq)))" + (cause.map { ": \($0.hint)" } ?? "")
    }

    /// Why a device ignored the closest push that it ignored.
    var ignored: String? {
        for miss in nearMisses {
            guard let refusal = pushes.journal.push(seq: miss.seq)?.delivery?.refusal else { continue }
            return "the device ignored \(extent.id(of: miss.seq)) (\(refusal.code)): \(refusal.text)"
        }
        return nil
    }

    /// Why the closest push does not fit a schema, if the verification asks for one.
    var unfit: String? {
        guard verification.matcher.requirements.contains(where: { $0.subject == .field(.fits) }),
            let seq = nearMisses.first?.seq, let record = pushes.journal.push(seq: seq)
        else { return nil }
        if pushes.context.world.schemas.all.isEmpty {
            return "no schema is stored: mock-apns apps schema put and serve --app-schema store one"
        }
        let finding = pushes.context.lints(of: PushFacts(record)).first { $0.lint == .appSchema }
        return finding.map { "\(extent.id(of: seq)) does not fit: \($0.message)" }
    }

    var early: String? {
        guard tooEarly > 0 else { return nil }
        return "\(ReportText.pushes(tooEarly)) would match, but came up to seq"
            + " \(verification.after): was 'after' taken too late?"
    }

    var lost: String? {
        guard evicted > 0 else { return nil }
        return "up to \(evicted) pushes of the window were dropped to make room: --max-pushes keeps more"
    }
}
