internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A verification that failed, with the likely causes.
package struct VerificationFailure {
    /// More pushes than this are only counted.
    private static let mostListed = 5

    package let verification: Verification
    package let finding: Verification.Finding
    /// The number of matching pushes in other namespaces, by name.
    package let elsewhere: [(name: String, count: Int)]
    /// The likely causes, the likeliest first.
    package let hints: [String]
    /// The longest wait, in microseconds.
    let within: Int64
    let pushes: VerifiedNamespace

    init(
        _ verification: Verification,
        _ finding: Verification.Finding,
        within limit: Int64,
        in pushes: VerifiedNamespace,
        _ scan: Scan
    ) async throws(SearchFailure) {
        (self.verification, self.finding, within, self.pushes) = (verification, finding, limit, pushes)
        let isTooFew = finding.matched.count < verification.expectation.least
        let others = isTooFew ? try await OtherNamespaces(verification, in: pushes, scan) : nil
        elsewhere = others?.counts ?? []
        hints = try await VerificationHints(
            verification: verification,
            finding: finding,
            elsewhere: others,
            pushes: pushes
        ).all(scan)
    }

    /// The largest number of pushes in the window that the journal has dropped to make room.
    package var evicted: UInt64 {
        finding.extent.evicted(after: verification.after, before: verification.before)
    }

    /// Returns the report for people; `link` returns the URL of a push's page, if it is served.
    package func report(link: (String) -> String?) -> ReportText {
        let matched = finding.matched
        // `after` and `before` may be any numbers; 0 has no number before it.
        let after = verification.after
        let end = verification.before ?? .max
        let last = min(finding.extent.lastSeq, end > 0 ? end - 1 : 0)
        let window = last > after ? "seq \(after + 1)..\(last)" : "nothing after seq \(after)"
        var lines: [String] = []
        for (position, miss) in finding.nearMisses.enumerated() {
            let word = position == 0 ? "closest" : "next"
            lines.append(line(of: miss.seq, word, "\(miss.met)/\(miss.results.count)"))
            lines += miss.results.map(ReportText.line)
        }
        if let most = verification.expectation.most, matched.count > most { lines += matchedLines }
        // The closest push, or the last one of too many.
        let culprit = finding.nearMisses.first?.seq ?? matched.last
        let wait = within > 0 ? " within \(ReportText.duration(within))" : ""
        let namespace = "          namespace \(pushes.namespace.name)"
        return ReportText(
            "Expected \(verification.expectation.text), found \(matched.count)\(wait)",
            context: "\(namespace), \(window), evicted \(finding.extent.evicted)",
            lines: lines,
            lookAt: culprit.map(finding.extent.id(of:)),
            link: link,
            hints: hints
        )
    }

    private var matchedLines: [String] {
        let shown = finding.matched.suffix(Self.mostListed)
        let lines = shown.reversed().map { seq in
            line(of: seq, "matched", ReportText.alert(of: pushes.journal.push(seq: seq)))
        }
        let more = finding.matched.count - shown.count
        return more > 0 ? lines + ["         and \(more) more"] : lines
    }

    private func line(of seq: UInt64, _ word: String, _ text: String) -> String {
        "\(ReportText.padded(word, 8)) \(finding.extent.id(of: seq))  #\(seq)  \(age(seq))   \(text)"
    }

    private func age(_ seq: UInt64) -> String {
        guard let age = pushes.age(of: seq) else { return "not kept any more" }
        return ReportText.duration(age) + " ago"
    }

    /// Returns the milliseconds since a push arrived, or `nil` if the journal has dropped it.
    package func milliseconds(since seq: UInt64) -> Int64? { pushes.age(of: seq).map { $0 / 1_000 } }
}

extension VerifiedNamespace {
    /// The microseconds since a push arrived.
    fileprivate func age(of seq: UInt64) -> Int64? {
        journal.push(seq: seq).map { max(0, now.microseconds - $0.receivedAt.microseconds) }
    }
}
