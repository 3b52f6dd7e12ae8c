internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// Pushes that no verification has matched, where every one should have been.
struct UnverifiedReport {
    private static let mostListed = 20

    let seqs: [UInt64]
    /// How many pushes were in the window.
    let count: Int
    let extent: Journal.Extent
    let subject: InspectedServer
    /// Where a person can look at a push; `nil` where there is no page.
    let link: (String) -> String?

    init(
        seqs: [UInt64],
        of count: Int,
        extent: Journal.Extent,
        subject: InspectedServer,
        link: @escaping (String) -> String?
    ) {
        self.link = link
        self.seqs = seqs
        self.count = count
        self.extent = extent
        self.subject = subject
    }

    var problem: Problem {
        let headline = "Expected every push to be verified, but \(seqs.count) of \(count) were by none"
        var lines = [headline]
        let pushes = seqs.prefix(Self.mostListed).compactMap { subject.journal.push(seq: $0) }
        for push in pushes {
            let alert = AlertText(PushFacts(push).aps?["alert"])
            let words = [alert.title, alert.body].compactMap { $0 }.joined(separator: " / ")
            let id = PushID(epoch: push.epoch, seq: push.seq).text
            let reason = push.verdict.reason.map { " \($0.name)" } ?? ""
            let topic = VerificationReport.shown(.string(push.request[.apnsTopic] ?? "(no topic)"))
            let text = words.isEmpty ? "(silent)" : VerificationReport.shown(.string(words))
            lines.append("  \(id)  #\(push.seq)  \(push.answer.status)\(reason)  \(topic)  \(text)")
        }
        if seqs.count > pushes.count { lines.append("  and \(seqs.count - pushes.count) more") }
        if let first = seqs.first, let url = link(PushID(epoch: extent.epoch, seq: first).text) {
            lines.append("look: \(url)")
        }
        let report = lines.joined(separator: "\n") + "\n"
        return Problem(
            kind: .verificationFailed,
            detail: headline + ".",
            members: [
                "count": JSONValue(count),
                "unverified": .array(
                    seqs.prefix(1_000).map { .string(PushID(epoch: extent.epoch, seq: $0).text) }
                ),
                "journal": JournalShape.json(extent),
                "report": .string(report),
            ],
            report: report
        )
    }
}
