internal import MockAPNsAPI
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
        let after = body.optional("after", Form<UInt64>.seq) ?? 0
        let before = body.optional("before", Form<UInt64>.seq)
        let within = body.optional("within", Form<Int64>.wait)
        let settle = body.optional("settle", Form<Int64>.wait)
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
            throw Problem(failure.report { call.pageLink(to: $0) }, failure.finding.extent) {
                $0.add(failure)
            }
        case .passed(let finding, let id):
            return .json(
                APIObject<VerifiedShape> {
                    $0.count = finding.matched.count
                    $0.elapsedMs = Int(elapsed)
                    $0.journal = APIObject(finding.extent)
                    $0.matched = finding.extent.ids(finding.matched)
                    $0.ok = true
                    $0.verification = id
                }
            )
        }
    }

    /// `POST /api/v1/pushes/verify-sequence`.
    static func verifySequence(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["steps", "strict", "after", "within"])
        let steps = body.matchers("steps", now: call.now)
        let isStrict = body.optional("strict", Form<Bool>.boolean) ?? false
        let after = body.optional("after", Form<UInt64>.seq) ?? 0
        let within = body.optional("within", Form<Int64>.wait) ?? 0
        try body.finish()

        let sequence = VerificationSequence(steps: steps, isStrict: isStrict, after: after)
        let finding = try await call.search { (scan) async throws(SearchFailure) in
            try await sequence.verify(in: call.subject.pushes, within: within, scan)
        }
        let ids = finding.extent.ids(finding.matched)
        guard finding.isComplete else {
            throw Problem(finding.report { call.pageLink(to: $0) }, finding.extent) {
                $0.between = .some(finding.stranger.map(finding.extent.id))
                $0.considered = finding.considered
                $0.failedStep = finding.failedStep
                $0.matched = ids
            }
        }
        return .json(
            APIObject<VerifiedShape> {
                $0.journal = APIObject(finding.extent)
                $0.matched = ids
                $0.ok = true
                $0.verification = call.subject.pushes.note(finding.matched, finding.extent)
            }
        )
    }

    /// `POST /api/v1/pushes/verify-none-unverified`.
    static func verifyNoneUnverified(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["after", "match"], emptyBody: .object([:]))
        let after = body.optional("after", Form<UInt64>.seq) ?? 0
        let matcher = body.matcher("match", now: call.now)
        try body.finish()

        let unverified = try await call.search { (scan) async throws(SearchFailure) in
            try await UnverifiedPushes(in: call.subject.pushes, after: after, matcher: matcher, scan)
        }
        guard !unverified.seqs.isEmpty else {
            return .json(
                APIObject<NoneUnverifiedShape> {
                    $0.count = unverified.count
                    $0.journal = APIObject(unverified.extent)
                    $0.ok = true
                }
            )
        }
        throw Problem(unverified.report { call.pageLink(to: $0) }, unverified.extent) {
            $0.count = unverified.count
            $0.unverified = unverified.extent.ids(unverified.seqs)
        }
    }

    /// `POST /api/v1/pushes/explain`.
    static func explain(_ call: Route.Call) throws(Problem) -> APIResponse {
        var body = try BodyReader(call.request.body, known: ["match", "id"])
        let matcher = body.matcher("match", now: call.now)
        let id = body.required("id", Form<String>.text("the id of a push"))
        if !body.has("match") { body.complain("is missing; expected what the push is to be", at: "match") }
        try body.finish()
        guard let matcher, let id else { preconditionFailure("a body without complaints is whole") }

        let push = try PushRoute.record(id, in: call.subject)
        let explanation = Explanation(matcher, push, in: call.subject.pushes, call.scan)
        if call.request.wantsText { return .text(explanation.report) }
        return .json(
            APIObject<ExplanationShape> {
                $0.conditions = explanation.results.map(APIObject.init)
                $0.id = explanation.id
                $0.matches = explanation.met == explanation.results.count
                $0.report = explanation.report
                $0.score = "\(explanation.met)/\(explanation.results.count)"
            }
        )
    }
}

extension Problem {
    /// The problem of a verification that failed.
    ///
    /// - Parameters:
    ///   - report: The report for people.
    ///   - extent: The contents of the journal.
    ///   - fill: Sets further members of the document.
    fileprivate init(
        _ report: ReportText,
        _ extent: Journal.Extent,
        _ fill: (inout APIObject<ProblemShape>) -> Void
    ) {
        var details = APIObject<ProblemShape>()
        fill(&details)
        details.journal = APIObject(extent)
        details.report = report.text
        self.init(
            kind: .verificationFailed,
            detail: report.headline + ".",
            details: details,
            report: report.text
        )
    }
}
