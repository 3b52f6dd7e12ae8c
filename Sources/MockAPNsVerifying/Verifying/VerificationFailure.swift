internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A verification that failed, with the likely causes.
package struct VerificationFailure {
    /// More pushes than this are only counted.
    private static let mostListed = 5

    /// The verification.
    package let verification: Verification
    /// What it found.
    package let finding: Verification.Finding
    /// The number of pushes that were looked for and arrived in other namespaces, by name.
    package let elsewhere: [(name: String, count: Int)]
    /// The likely causes, the likeliest first.
    package let hints: [String]
    /// The longest wait, in microseconds.
    let within: Int64
    let pushes: VerifiedNamespace

    /// The largest number of pushes in the window that the journal has dropped to make room.
    package var evicted: UInt64 {
        finding.extent.evicted(after: verification.after, before: verification.before)
    }

    /// Returns the report for people.
    ///
    /// - Parameter link: Returns the URL at which a person can look at a push, or `nil` if there is no page.
    /// - Returns: The report.
    package func report(link: (String) -> String?) -> ReportText {
        let matched = finding.matched
        // `after` and `before` may be any numbers; 0 has no number before it.
        let after = verification.after
        let end = verification.before ?? .max
        let last = min(finding.extent.lastSeq, end > 0 ? end - 1 : 0)
        let window = last > after ? "seq \(after + 1)..\(last)" : "nothing after seq \(after)"
        var lines: [String] = []
        for (position, miss) in finding.nearMisses.enumerated() {
            lines.append(
                line(of: miss.seq, position == 0 ? "closest" : "next", "\(miss.met)/\(miss.results.count)")
            )
            lines += miss.results.map(ReportText.line)
        }
        if let most = verification.expectation.most, matched.count > most { lines += matchedLines }
        // The nearest push, or the one that is too many.
        let culprit = finding.nearMisses.first?.seq ?? matched.last
        return ReportText(
            "Expected \(verification.expectation.text), found \(matched.count)"
                + (within > 0 ? " within \(ReportText.duration(within))" : ""),
            context:
                "          namespace \(pushes.namespace.name), \(window), evicted \(finding.extent.evicted)",
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
