internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// A verification that failed, with the likely causes.
package struct VerificationFailure {
    /// More pushes than this are only counted.
    private static let mostListed = 5
    private static let mostNearMisses = 3

    package struct NearMiss {
        package let seq: UInt64
        package let results: [RequirementResult]
    }

    let verification: Verification
    /// The numbers of the matching pushes, oldest first.
    package let matched: [UInt64]
    package let extent: Journal.Extent
    /// The longest wait, in microseconds.
    let within: Int64
    let pushes: VerifiedNamespace
    /// The number of pushes in the window.
    package private(set) var considered = 0
    /// The pushes that nearly matched, if there are too few.
    package private(set) var nearMisses: [NearMiss] = []
    /// The number of pushes that would have matched, but came before the window.
    package private(set) var tooEarly = 0
    /// The number of matching pushes in other namespaces, by name.
    package private(set) var elsewhere: [(name: String, count: Int)] = []
    /// The likely causes, the likeliest first.
    package private(set) var hints: [String] = []

    init(
        _ verification: Verification, _ matched: [UInt64], _ extent: Journal.Extent, within limit: Int64,
        in pushes: VerifiedNamespace, _ scan: Scan
    ) async throws(SearchFailure) {
        (self.verification, self.matched, self.extent) = (verification, matched, extent)
        (within, self.pushes) = (limit, pushes)
        let window = PushQuery(after: verification.after, before: verification.before)
        guard matched.count < verification.expectation.lowerBound else {
            considered = try await scan.find(pushes.journal, window).seqs.count
            hints = [lost].compactMap(\.self)
            return
        }
        try await scan.visit(pushes.journal, window) { request, outline, _ in
            considered += 1
            consider(Candidate(request, outline, in: pushes.context, scan.budget))
        }
        tooEarly = try await countTooEarly(scan)
        let others = try await OtherNamespaces(verification, in: pushes, scan)
        elsewhere = others.counts
        hints = others.hints + nothingCame + [try await rejected(scan), ignored, unfit, early, lost].compactMap(\.self)
    }

    /// Adds a push to the near misses if it is one of the nearest.
    private mutating func consider(_ candidate: Candidate) {
        let bar = nearMisses.count < Self.mostNearMisses ? 0 : nearMisses.last?.results.met ?? 0
        guard verification.matcher.isNearlyMet(by: candidate, bar: bar) else { return }
        let results = verification.matcher.results(for: candidate)
        nearMisses.append(NearMiss(seq: candidate.outline.seq, results: results))
        nearMisses.sort { ($0.results.met, $0.seq) > ($1.results.met, $1.seq) }
        if nearMisses.count > Self.mostNearMisses { nearMisses.removeLast() }
    }

    private func countTooEarly(_ scan: Scan) async throws(SearchFailure) -> Int {
        var earlier = verification
        guard earlier.after > 0 else { return 0 }
        earlier.before = earlier.after < .max ? earlier.after + 1 : nil
        earlier.after = 0
        return try await scan.find(pushes.journal, earlier.query(in: pushes, scan.budget)).seqs.count
    }

    /// The largest number of pushes in the window that the journal has dropped to make room.
    package var evicted: UInt64 { extent.evicted(after: verification.after, before: verification.before) }

    /// Returns the report for people; `link` returns the URL of a push's page, if it is served.
    package func report(link: (String) -> String?) -> ReportText {
        // `after` and `before` may be any numbers; 0 has no number before it.
        let after = verification.after
        let end = verification.before ?? .max
        let last = min(extent.lastSeq, end > 0 ? end - 1 : 0)
        let window = last > after ? "seq \(after + 1)..\(last)" : "nothing after seq \(after)"
        var lines: [String] = []
        for (position, miss) in nearMisses.enumerated() {
            let word = position == 0 ? "closest" : "next"
            lines.append(line(of: miss.seq, word, miss.results.score))
            lines += miss.results.map(ReportText.line)
        }
        if matched.count > verification.expectation.upperBound { lines += matchedLines }
        // The closest push, or the last one of too many.
        let culprit = nearMisses.first?.seq ?? matched.last
        let wait = within > 0 ? " within \(ReportText.duration(within))" : ""
        let namespace = "          namespace \(pushes.namespace.name)"
        return ReportText(
            "Expected \(ReportText.expectation(verification.expectation)), found \(matched.count)\(wait)",
            context: "\(namespace), \(window), evicted \(extent.evicted)", lines: lines,
            lookAt: culprit.map(extent.id(of:)), link: link, hints: hints)
    }

    private var matchedLines: [String] {
        let shown = matched.suffix(Self.mostListed)
        let lines = shown.reversed().map { seq in
            line(of: seq, "matched", ReportText.alert(of: pushes.journal.push(seq: seq)))
        }
        let more = matched.count - shown.count
        return more > 0 ? lines + ["         and \(more) more"] : lines
    }

    private func line(of seq: UInt64, _ word: String, _ text: String) -> String {
        let age = age(of: seq).map { ReportText.duration($0) + " ago" } ?? "not kept any more"
        return "\(ReportText.padded(word, 8)) \(extent.id(of: seq))  #\(seq)  \(age)   \(text)"
    }

    /// Returns the microseconds since a push arrived, or `nil` if the journal has dropped it.
    package func age(of seq: UInt64) -> Int64? {
        let now = pushes.namespace.world.clock.read().system
        return pushes.journal.push(seq: seq).map { max(0, now.microseconds - $0.receivedAt.microseconds) }
    }
}

extension PushMatcher {
    /// Whether a push meets at least `bar` of the requirements, but not all.
    fileprivate func isNearlyMet(by candidate: Candidate, bar: Int) -> Bool {
        let most = requirements.count + search.count - bar
        var missed = 0
        for requirement in requirements where !requirement.isMet(by: candidate) {
            missed += 1
            if missed > most { return false }
        }
        missed += search.count { !$0.condition.holds(for: candidate) }
        return missed > 0 && missed <= most
    }
}
