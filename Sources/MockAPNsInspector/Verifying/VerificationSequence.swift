internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// Pushes that are to come one after the other.
struct VerificationSequence: Sendable {
    /// How far the sequence was found.
    struct Finding {
        /// The numbers of the pushes that took the steps, in their order.
        let matched: [UInt64]
        /// In a strict sequence: a push that came between two steps and is none of them.
        let stranger: UInt64?
        /// How many pushes of the window were looked at.
        let considered: Int
        let extent: Journal.Extent

        func isComplete(_ sequence: VerificationSequence) -> Bool {
            matched.count == sequence.steps.count && stranger == nil
        }

        /// Why the sequence is not there.
        ///
        /// - Parameters:
        ///   - sequence: what was expected.
        ///   - subject: where it was looked for.
        ///   - link: where a person can look at a push; `nil` where there is no page.
        /// - Returns: the problem, with a report for people.
        func problem(
            of sequence: VerificationSequence,
            in subject: InspectedServer,
            link: (String) -> String?
        ) -> Problem {
            var lines = lines(of: sequence, in: subject)
            let epoch = extent.epoch
            // What came between, or how far it went.
            if let url = (stranger ?? matched.last).flatMap({ link(PushID(epoch: epoch, seq: $0).text) }) {
                lines.append("look: \(url)")
            }
            return Problem(
                kind: .verificationFailed,
                detail: lines[0] + ".",
                members: [
                    "matched": .array(matched.map { .string(PushID(epoch: epoch, seq: $0).text) }),
                    "failedStep": JSONValue(stranger == nil ? matched.count : matched.count - 1),
                    "between": stranger.map { .string(PushID(epoch: epoch, seq: $0).text) } ?? .null,
                    "considered": JSONValue(considered),
                    "journal": JournalShape.json(extent),
                    "report": .string(lines.joined(separator: "\n") + "\n"),
                ],
                report: lines.joined(separator: "\n") + "\n"
            )
        }

        private func lines(of sequence: VerificationSequence, in subject: InspectedServer) -> [String] {
            let all = sequence.steps.count
            let steps = sequence.steps.enumerated().map { position, step in
                let name = "  step \(position)  " + VerificationReport.shown(step.matcher.json)
                guard position < matched.count else { return name + "  ✘  <<<<<" }
                let id = PushID(epoch: extent.epoch, seq: matched[position]).text
                return name + "  \(id)  #\(matched[position])  ✔"
            }
            if let stranger {
                let id = PushID(epoch: extent.epoch, seq: stranger).text
                let between =
                    "\(id) (#\(stranger)) came between steps \(matched.count - 2) and \(matched.count - 1)"
                return ["Expected \(all) steps without a push between them, but \(between)"] + steps
            }
            let past = matched.last ?? sequence.after
            let found = "found \(matched.count); nothing after seq \(past) is step \(matched.count)"
            return ["Expected \(all) steps in this order, \(found)"] + steps
                + ["  \(considered) pushes in the window, evicted \(extent.evicted)"]
        }
    }

    /// What each step has to be.
    let steps: [Verification]
    /// Whether no other push may come between two steps.
    let isStrict: Bool
    let after: UInt64

    init(steps: [PushMatcher], isStrict: Bool, after: UInt64) {
        let one = Verification.Expectation(least: 1, most: nil)
        self.steps = steps.map { Verification(matcher: $0, expectation: one, after: after, before: nil) }
        self.isStrict = isStrict
        self.after = after
    }

    /// Takes for each step the first push that fits it, behind that of the step before.
    ///
    /// A strict sequence may begin later: where another push comes between, it is looked for anew behind its first.
    func find(in subject: InspectedServer, _ scan: Scan) async throws(SearchFailure) -> Finding {
        var window = PushQuery()
        window.after = after
        var matched: [UInt64] = []
        var best: [UInt64] = []
        var stranger: UInt64?
        var considered = 0
        let conditions = steps.map(\.matcher.condition)
        let extent = try await scan.visit(subject.journal, window) { request, outline in
            considered += 1
            guard matched.count < conditions.count else { return true }
            let candidate = Candidate(request, outline, in: subject.context, scan.budget)
            if conditions[matched.count].holds(for: candidate) {
                matched.append(outline.seq)
            } else if isStrict, !matched.isEmpty {
                if matched.count >= best.count {
                    best = matched
                    stranger = outline.seq
                }
                matched = conditions[0].holds(for: candidate) ? [outline.seq] : []
            }
            return true
        }
        if matched.count == conditions.count || matched.count >= best.count {
            stranger = nil
        } else {
            matched = best
        }
        return Finding(matched: matched, stranger: stranger, considered: considered, extent: extent)
    }
}
