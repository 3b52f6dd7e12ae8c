internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// Assertions about what arrived: 200 when they hold, 409 with the reason when they do not.
enum VerifyRoutes {
    private static let members = ["match", "count", "after", "before", "within", "settle"]
    private static let mostMatched = 1_000

    /// `POST /api/v1/pushes/verify`.
    static func verify(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: members)
        let matcher = body.matcher("match", now: call.now)
        if !body.has("match") {
            body.complain(
                #"is missing; expected what the pushes are to be, or {} for every push"#,
                at: "match"
            )
        }
        let expectation = body.expectation()
        let after = body.optional("after", BodyReader.Form<UInt64>.seq) ?? 0
        let before = body.optional("before", BodyReader.Form<UInt64>.seq)
        let within = body.optional("within", BodyReader.Form<Int64>.wait)
        let settle = body.optional("settle", BodyReader.Form<Int64>.wait)
        try body.finish()
        guard let matcher, let expectation else { preconditionFailure("a body without complaints is whole") }

        let verification = Verification(
            matcher: matcher,
            expectation: expectation,
            after: after,
            before: before
        )
        let started = ContinuousClock.now
        try await wait(for: verification, within: within, settle: settle, call)
        let elapsed = started.duration(to: .now) / .milliseconds(1)
        let finding = try await call.search { (scan) async throws(SearchFailure) in
            try await verification.find(in: call.subject, scan)
        }
        guard expectation.isMet(by: finding.matched.count) else {
            let waited = (within ?? 0) > 0 ? VerificationReport.duration(within ?? 0) : ""
            throw try await failure(verification, finding, waited: waited, call)
        }
        let id = note(finding.matched, finding.extent, call)
        return .json([
            "ok": true,
            "verification": .string(id),
            "count": JSONValue(finding.matched.count),
            "matched": ids(finding.matched, finding.extent),
            "elapsedMs": JSONValue(Int(elapsed)),
            "journal": JournalShape.json(finding.extent),
        ])
    }

    /// Waits for enough pushes, and then for one too many.
    private static func wait(
        for verification: Verification,
        within: Int64?,
        settle: Int64?,
        _ call: Route.Call
    ) async throws(Problem) {
        let expectation = verification.expectation
        var counter = PushCounter(
            call.subject.journal,
            verification.query(in: call.subject, call.scan.budget),
            mayChange: verification.matcher.condition.mayChange
        )
        if let within, expectation.least > 0 {
            let isEnough = try await call.wait(atMost: within) { () async throws(SearchFailure) in
                try await counter.count(call.scan) >= expectation.least
            }
            guard isEnough else { return }
        }
        // Where nothing has to come, the time to wait is the time in which nothing may come.
        guard let most = expectation.most, let quiet = settle ?? (expectation.least == 0 ? within : nil)
        else {
            return
        }
        _ = try await call.wait(atMost: quiet) { () async throws(SearchFailure) in
            try await counter.count(call.scan) > most
        }
    }

    private static func failure(
        _ verification: Verification,
        _ finding: Verification.Finding,
        waited: String,
        _ call: Route.Call
    ) async throws(Problem) -> Problem {
        let isTooFew = finding.matched.count < verification.expectation.least
        let (elsewhere, hints) = try await call.search { (scan) async throws(SearchFailure) in
            let elsewhere = isTooFew ? try await OtherNamespaces(verification, in: call.subject, scan) : nil
            let hints = VerificationHints(
                verification: verification,
                finding: finding,
                elsewhere: elsewhere,
                subject: call.subject
            )
            return (elsewhere, try await hints.all(scan))
        }
        let report = VerificationReport(
            verification: verification,
            finding: finding,
            waited: waited,
            hints: hints,
            subject: call.subject,
            link: { call.pageLink(to: $0) }
        )
        let now = call.subject.world.clock.read().system
        return Problem(
            kind: .verificationFailed,
            detail: report.headline + ".",
            members: [
                "count": JSONValue(finding.matched.count),
                "matched": ids(finding.matched, finding.extent),
                "considered": JSONValue(finding.considered),
                "notConsidered": [
                    "beforeAfter": JSONValue(finding.tooEarly),
                    "otherNamespaces": elsewhere?.json ?? .object([:]),
                    "evicted": JSONValue(
                        PushSelection.evicted(
                            after: verification.after,
                            before: verification.before,
                            finding.extent
                        )
                    ),
                ],
                "nearMisses": .array(finding.nearMisses.map { shape($0, finding.extent, now, call) }),
                "hints": .array(hints.map { .string($0) }),
                "report": .string(report.text),
                "journal": JournalShape.json(finding.extent),
            ],
            report: report.text
        )
    }

    private static func shape(
        _ miss: Verification.NearMiss,
        _ extent: Journal.Extent,
        _ now: Timestamp,
        _ call: Route.Call
    ) -> JSONValue {
        let push = call.subject.journal.push(seq: miss.seq)
        let age = push.map { max(0, now.microseconds - $0.receivedAt.microseconds) / 1_000 }
        return [
            "id": .string(PushID(epoch: extent.epoch, seq: miss.seq).text),
            "seq": JSONValue(miss.seq),
            "score": .string("\(miss.met)/\(miss.results.count)"),
            "ageMs": age.map { JSONValue($0) } ?? .null,
            "mismatches": .array(miss.results.filter { !$0.isMet }.map(\.json)),
        ]
    }

    // MARK: Sequences and what nobody has verified

    /// `POST /api/v1/pushes/verify-sequence`.
    static func verifySequence(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["steps", "strict", "after", "within"])
        let steps = body.matchers("steps", now: call.now)
        let isStrict = body.optional("strict", BodyReader.Form<Bool>.boolean) ?? false
        let after = body.optional("after", BodyReader.Form<UInt64>.seq) ?? 0
        let within = body.optional("within", BodyReader.Form<Int64>.wait) ?? 0
        try body.finish()

        let sequence = VerificationSequence(steps: steps, isStrict: isStrict, after: after)
        let subject = call.subject
        _ = try await call.wait(atMost: within) { () async throws(SearchFailure) in
            try await sequence.find(in: subject, call.scan).isComplete(sequence)
        }
        let finding = try await call.search { (scan) async throws(SearchFailure) in
            try await sequence.find(in: subject, scan)
        }
        guard finding.isComplete(sequence) else {
            throw finding.problem(of: sequence, in: subject) { call.pageLink(to: $0) }
        }
        let id = note(finding.matched, finding.extent, call)
        return .json([
            "ok": true,
            "verification": .string(id),
            "matched": ids(finding.matched, finding.extent),
            "journal": JournalShape.json(finding.extent),
        ])
    }

    /// `POST /api/v1/pushes/verify-none-unverified`.
    static func verifyNoneUnverified(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["after", "match"], emptyBody: .object([:]))
        let after = body.optional("after", BodyReader.Form<UInt64>.seq) ?? 0
        let matcher = body.matcher("match", now: call.now)
        try body.finish()

        var query = PushQuery()
        query.after = after
        query.condition = matcher?.query(in: call.subject.context, call.scan.budget)
        var unverified: [UInt64] = []
        var count = 0
        let extent = try await call.visit(query) { _, outline in
            count += 1
            if !call.subject.context.verifications.has(outline.seq) { unverified.append(outline.seq) }
            return true
        }
        guard !unverified.isEmpty else {
            return .json([
                "ok": true, "count": JSONValue(count), "journal": JournalShape.json(extent),
            ])
        }
        throw UnverifiedReport(
            seqs: unverified,
            of: count,
            extent: extent,
            subject: call.subject,
            link: { call.pageLink(to: $0) }
        ).problem
    }

    /// `POST /api/v1/pushes/explain`.
    static func explain(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["match", "id"])
        let matcher = body.matcher("match", now: call.now)
        let id = body.required("id", BodyReader.Form<String>.text("the id of a push"))
        if !body.has("match") { body.complain("is missing; expected what the push is to be", at: "match") }
        try body.finish()
        guard let matcher, let id else { preconditionFailure("a body without complaints is whole") }

        let push = try PushRoute.record(id, in: call.subject)
        let expectation = Verification.Expectation(least: 1, most: nil)
        let verification = Verification(matcher: matcher, expectation: expectation, after: 0, before: nil)
        let results = Candidate.with(push, in: call.subject.context, call.scan.budget) {
            verification.results(for: $0)
        }
        let met = results.count(where: \.isMet)
        let name = PushID(epoch: push.epoch, seq: push.seq).text
        let lines = ["\(name)  #\(push.seq)   \(met)/\(results.count)"] + results.map(VerificationReport.line)
        let report = lines.joined(separator: "\n") + "\n"
        if call.request.wantsText { return .text(report) }
        return .json([
            "id": .string(name),
            "matches": .bool(met == results.count),
            "score": .string("\(met)/\(results.count)"),
            "conditions": .array(results.map(\.json)),
            "report": .string(report),
        ])
    }

    // MARK: Parts

    private static func note(_ seqs: [UInt64], _ extent: Journal.Extent, _ call: Route.Call) -> String {
        call.subject.context.verifications.note(seqs, epoch: extent.epoch, first: extent.firstSeq)
    }

    private static func ids(_ seqs: [UInt64], _ extent: Journal.Extent) -> JSONValue {
        .array(seqs.prefix(mostMatched).map { .string(PushID(epoch: extent.epoch, seq: $0).text) })
    }
}
