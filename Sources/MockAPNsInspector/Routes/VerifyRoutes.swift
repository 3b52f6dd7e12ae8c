internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Assertions about what arrived: 200 when they hold, 409 with the reason when they do not.
enum VerifyRoutes {
    private static let members = ["match", "count", "after", "before", "within", "settle"]

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
        let outcome = try await call.search { (scan) async throws(SearchFailure) in
            try await verification.verify(in: call.subject.pushes, within: within, settle: settle, scan)
        }
        let elapsed = started.duration(to: .now) / .milliseconds(1)
        switch outcome {
        case .failed(let failure):
            throw Problem(
                failure.report { call.pageLink(to: $0) },
                failure.finding.extent,
                VerificationShape.members(failure)
            )
        case .passed(let finding, let id):
            return .json([
                "ok": true,
                "verification": .string(id),
                "count": JSONValue(finding.matched.count),
                "matched": VerificationShape.ids(finding.matched, finding.extent),
                "elapsedMs": JSONValue(Int(elapsed)),
                "journal": JournalShape.json(finding.extent),
            ])
        }
    }

    /// `POST /api/v1/pushes/verify-sequence`.
    static func verifySequence(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["steps", "strict", "after", "within"])
        let steps = body.matchers("steps", now: call.now)
        let isStrict = body.optional("strict", BodyReader.Form<Bool>.boolean) ?? false
        let after = body.optional("after", BodyReader.Form<UInt64>.seq) ?? 0
        let within = body.optional("within", BodyReader.Form<Int64>.wait) ?? 0
        try body.finish()

        let sequence = VerificationSequence(steps: steps, isStrict: isStrict, after: after)
        let finding = try await call.search { (scan) async throws(SearchFailure) in
            try await sequence.verify(in: call.subject.pushes, within: within, scan)
        }
        let ids = VerificationShape.ids(finding.matched, finding.extent)
        guard finding.isComplete else {
            throw Problem(
                finding.report { call.pageLink(to: $0) },
                finding.extent,
                [
                    "matched": ids,
                    "failedStep": JSONValue(finding.failedStep),
                    "between": finding.stranger.map { .string(finding.extent.id(of: $0)) } ?? .null,
                    "considered": JSONValue(finding.considered),
                ]
            )
        }
        return .json([
            "ok": true,
            "verification": .string(call.subject.pushes.note(finding.matched, finding.extent)),
            "matched": ids,
            "journal": JournalShape.json(finding.extent),
        ])
    }

    /// `POST /api/v1/pushes/verify-none-unverified`.
    static func verifyNoneUnverified(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["after", "match"], emptyBody: .object([:]))
        let after = body.optional("after", BodyReader.Form<UInt64>.seq) ?? 0
        let matcher = body.matcher("match", now: call.now)
        try body.finish()

        let unverified = try await call.search { (scan) async throws(SearchFailure) in
            try await UnverifiedPushes(in: call.subject.pushes, after: after, matcher: matcher, scan)
        }
        guard !unverified.seqs.isEmpty else {
            return .json([
                "ok": true,
                "count": JSONValue(unverified.count),
                "journal": JournalShape.json(unverified.extent),
            ])
        }
        throw Problem(
            unverified.report { call.pageLink(to: $0) },
            unverified.extent,
            [
                "count": JSONValue(unverified.count),
                "unverified": VerificationShape.ids(unverified.seqs, unverified.extent),
            ]
        )
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
        let explanation = Explanation(matcher, push, in: call.subject.pushes, call.scan)
        if call.request.wantsText { return .text(explanation.report) }
        return .json([
            "id": .string(explanation.id),
            "matches": .bool(explanation.met == explanation.results.count),
            "score": .string("\(explanation.met)/\(explanation.results.count)"),
            "conditions": .array(explanation.results.map(VerificationShape.json)),
            "report": .string(explanation.report),
        ])
    }
}

extension Problem {
    /// The problem of a verification that failed.
    ///
    /// - Parameters:
    ///   - report: The report for people.
    ///   - extent: What the journal held.
    ///   - members: What the document has besides.
    fileprivate init(_ report: ReportText, _ extent: Journal.Extent, _ members: [String: JSONValue]) {
        let more: [String: JSONValue] = [
            "journal": JournalShape.json(extent), "report": .string(report.text),
        ]
        self.init(
            kind: .verificationFailed,
            detail: report.headline + ".",
            members: members.merging(more) { own, _ in own },
            report: report.text
        )
    }
}
