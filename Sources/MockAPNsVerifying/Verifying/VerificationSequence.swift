package import MockAPNsQuery
package import MockAPNsWorld

/// Pushes that are expected one after the other.
package struct VerificationSequence: Sendable {
    /// The part of the sequence that was found.
    package struct Finding {
        /// The numbers of the pushes that matched the steps, in their order.
        package let matched: [UInt64]
        /// In a strict sequence, a push between two steps that matches neither of them.
        package let stranger: UInt64?
        /// The number of pushes in the window.
        package let considered: Int
        package let extent: Journal.Extent
        let sequence: VerificationSequence

        package var isComplete: Bool { matched.count == sequence.steps.count && stranger == nil }

        /// `link` returns the URL of a push's page, or `nil` if the page is not served.
        package func report(link: (String) -> String?) -> ReportText {
            let all = sequence.steps.count
            var lines = sequence.steps.enumerated().map { position, step in
                let name = "  step \(position)  " + ReportText.shown(step.json)
                guard position < matched.count else { return name + "  ✘  <<<<<" }
                return name + "  \(extent.id(of: matched[position]))  #\(matched[position])  ✔"
            }
            let headline: String
            if let stranger {
                headline =
                    "Expected \(all) steps without a push between them, but \(extent.id(of: stranger))"
                    + " (#\(stranger)) came between steps \(matched.count - 1) and \(matched.count)"
            } else {
                headline =
                    "Expected \(all) steps in this order, found \(matched.count);"
                    + " nothing after seq \(matched.last ?? sequence.after) is step \(matched.count)"
                lines.append("  \(considered) pushes in the window, evicted \(extent.evicted)")
            }
            let culprit = stranger ?? matched.last
            return ReportText(headline, lines: lines, lookAt: culprit.map(extent.id(of:)), link: link)
        }
    }

    let steps: [PushMatcher]
    /// Whether no other push may come between two steps.
    let isStrict: Bool
    let after: UInt64

    package init(steps: [PushMatcher], isStrict: Bool, after: UInt64) {
        self.steps = steps.map(\.ofAcceptedUnlessAsked)
        self.isStrict = isStrict
        self.after = after
    }

    /// Waits for the sequence for up to `limit` microseconds, and verifies it.
    package func verify(
        in pushes: VerifiedNamespace, within limit: Int64, _ scan: Scan
    ) async throws(SearchFailure) -> Finding {
        _ = try await scan.wait(on: pushes.watch, atMost: limit) { () async throws(SearchFailure) in
            try await find(in: pushes, scan).isComplete
        }
        return try await find(in: pushes, scan)
    }

    /// Finds for each step the first matching push after the previous step's push.
    ///
    /// In a strict sequence, a push that does not match the next step restarts the search there.
    private func find(in pushes: VerifiedNamespace, _ scan: Scan) async throws(SearchFailure) -> Finding {
        var matched: [UInt64] = []
        var best: (matched: [UInt64], stranger: UInt64?) = ([], nil)
        var considered = 0
        let conditions = steps.map(\.condition)
        let visited = try await scan.visit(pushes.journal, PushQuery(after: after)) { request, outline, _ in
            considered += 1
            guard matched.count < conditions.count else { return }
            let candidate = Candidate(request, outline, in: pushes.context, scan.budget)
            if conditions[matched.count].holds(for: candidate) {
                matched.append(outline.seq)
            } else if isStrict, !matched.isEmpty {
                if matched.count >= best.matched.count { best = (matched, outline.seq) }
                matched = conditions[0].holds(for: candidate) ? [outline.seq] : []
            }
        }
        if matched.count >= best.matched.count { best = (matched, nil) }
        return Finding(
            matched: best.matched, stranger: best.stranger, considered: considered, extent: visited.extent,
            sequence: self)
    }
}
