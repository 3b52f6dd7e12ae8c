package import MockAPNsQuery
package import MockAPNsWorld

/// How one push meets each requirement of a matcher.
package struct Explanation {
    /// The push's id.
    package let id: String
    /// One result for each requirement.
    package let results: [Verification.Result]
    /// The report for people.
    package let report: String

    /// The number of requirements that are met.
    package var met: Int { results.count(where: \.isMet) }

    /// Compares a push with a matcher.
    package init(_ matcher: PushMatcher, _ push: PushRecord, in pushes: VerifiedNamespace, _ scan: Scan) {
        let verification = Verification(matcher: matcher, after: 0, before: nil)
        let results = Candidate.with(push, in: pushes.context, scan.budget) { verification.results(for: $0) }
        let met = results.count(where: \.isMet)
        id = PushID(epoch: push.epoch, seq: push.seq).text
        let lines = ["\(id)  #\(push.seq)   \(met)/\(results.count)"] + results.map(ReportText.line)
        report = lines.joined(separator: "\n") + "\n"
        self.results = results
    }
}
