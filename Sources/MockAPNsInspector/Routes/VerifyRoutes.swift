internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Assertions: 200 when they pass, 409 with the reason when they fail.
enum VerifyRoutes {
    static let routes: [Route] = [
        .post("/api/v1/pushes/verify", "Verify pushes", reads: verification, verify).work(.search).uses(.reads).detail(
            "within waits for enough pushes; settle then watches for too many."
        ).gives(.json(VerifiedShape.self, "Passed.")).fails(.verificationFailed, .namespaceGone, .notReady),
        .post("/api/v1/pushes/verify-sequence", "Verify a sequence of pushes", reads: steps, sequence).work(.search)
            .uses(.reads).gives(.json(VerifiedShape.self, "Passed.")).fails(
                .verificationFailed, .namespaceGone, .notReady),
        .post(
            "/api/v1/pushes/verify-none-unverified", "Verify that no push is unverified", reads: unverified,
            verifyNoneUnverified
        ).work(.search).uses(.reads).detail("Passes if every push was matched by a verification.").gives(
            .json(NoneUnverifiedShape.self, "Passed.")
        ).fails(.verificationFailed),
        .post("/api/v1/pushes/explain", "Explain why a push matches or not", reads: explanation, explain).work(.search)
            .uses(.reads).gives(
                .json(ExplanationShape.self, "Each condition, with the expected and the actual value.").or(
                    APIResponse.text)
            ).fails(.unknownPush, .badPath),
    ]

    private static let titleMatch: JSONValue = [
        "topic": "com.example.app", "payload": ["at": "/aps/alert/title", "equals": "Hi"],
    ]

    private struct Draft: Sendable {
        var matcher: PushMatcher?
        var count = 1...Int.max
        var after: UInt64 = 0
        var before: UInt64?
        var within: Int64?
        var settle: Int64?
        var steps: [PushMatcher] = []
        var isStrict = false
        var id = ""
    }

    private static let verification = RequestBody<Draft>(
        Form.object(
            Draft(), .required("match", .matcher) { $0.matcher = $1 },
            .optional("count", .expectation) { $0.count = $1 },
            .optional("after", .seq, "Only pushes with a larger number.") { $0.after = $1 },
            .optional("before", .seq, "Only pushes with a smaller number.") { $0.before = $1 },
            .optional("within", .wait, "How long to wait for enough pushes.") { $0.within = $1 },
            .optional("settle", .wait, "How long to watch for too many pushes.") { $0.settle = $1 }
        ).described(as: "Verification"),
        example: ["match": titleMatch, "count": ["exactly": 1], "after": 0, "within": "5s"])

    private static let steps = RequestBody<Draft>(
        .object(
            Draft(),
            .required("steps", .list(of: .matcher, emptyHint: "expected a matcher in each entry")) { $0.steps = $1 },
            .optional("strict", .boolean, "Whether other pushes in between fail the verification.") {
                $0.isStrict = $1
            }, .optional("after", .seq) { $0.after = $1 }, .optional("within", .wait) { $0.within = $1 }),
        example: ["steps": [titleMatch, ["pushType": "background"]], "after": 0])

    private static let unverified = RequestBody<Draft>(
        .object(Draft(), .optional("after", .seq) { $0.after = $1 }, .optional("match", .matcher) { $0.matcher = $1 }),
        isRequired: false, example: ["after": 0])

    private static let explanation = RequestBody<Draft>(
        .object(
            Draft(), .required("match", .matcher) { $0.matcher = $1 },
            .required("id", .text("the id of a push", schema: PathParts.push), "The push.") { $0.id = $1 }),
        example: ["match": titleMatch, "id": "seq:1"])

    private static func verify(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let verification = Verification(
            matcher: draft.matcher ?? .any, expectation: draft.count, after: draft.after, before: draft.before)
        let started = ContinuousClock.now
        let outcome = try await call.search { (scan) async throws(SearchFailure) in
            try await verification.verify(in: call.subject.pushes, within: draft.within, settle: draft.settle, scan)
        }
        let elapsed = started.duration(to: .now) / .milliseconds(1)
        switch outcome {
        case .failed(let failure):
            let match = failure.nearMisses.isEmpty ? nil : JSONParser.value(of: call.request.body)?["match"]
            throw Problem(failure.report { call.pageLink(to: $0, match: match) }, failure.extent) { $0.add(failure) }
        case .passed(let matched, let extent, let id):
            return .json(VerifiedShape.self) {
                $0.count = matched.count
                $0.elapsedMs = Int(elapsed)
                $0.journal = APIObject(extent)
                $0.matched = extent.ids(matched)
                $0.ok = true
                $0.verification = id
            }
        }
    }

    private static func sequence(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let sequence = VerificationSequence(steps: draft.steps, isStrict: draft.isStrict, after: draft.after)
        let finding = try await call.search { (scan) async throws(SearchFailure) in
            try await sequence.verify(in: call.subject.pushes, within: draft.within ?? 0, scan)
        }
        let ids = finding.extent.ids(finding.matched)
        guard finding.isComplete else {
            throw Problem(finding.report { call.pageLink(to: $0) }, finding.extent) {
                $0.between = .some(finding.stranger.map(finding.extent.id))
                $0.considered = finding.considered
                $0.failedStep = finding.matched.count
                $0.matched = ids
            }
        }
        return .json(VerifiedShape.self) {
            $0.journal = APIObject(finding.extent)
            $0.matched = ids
            $0.ok = true
            $0.verification = call.subject.context.verifications.note(finding.matched, in: finding.extent)
        }
    }

    private static func verifyNoneUnverified(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let unverified = try await call.search { (scan) async throws(SearchFailure) in
            try await UnverifiedPushes(in: call.subject.pushes, after: draft.after, matcher: draft.matcher, scan)
        }
        guard !unverified.seqs.isEmpty else {
            return .json(NoneUnverifiedShape.self) {
                $0.count = unverified.count
                $0.journal = APIObject(unverified.extent)
                $0.ok = true
            }
        }
        throw Problem(unverified.report { call.pageLink(to: $0) }, unverified.extent) {
            $0.count = unverified.count
            $0.unverified = unverified.extent.ids(unverified.seqs)
        }
    }

    private static func explain(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let push = try await PushRoute.record(draft.id, in: call.subject)
        let explanation = Explanation(draft.matcher ?? .any, push, in: call.subject.pushes, call.scan)
        if call.request.wantsText { return .text(explanation.report) }
        return .json(ExplanationShape.self) {
            $0.conditions = explanation.results.map(APIObject.init)
            $0.id = explanation.id
            $0.matches = explanation.results.allSatisfy(\.isMet)
            $0.report = explanation.report
            $0.score = explanation.results.score
        }
    }
}

extension Problem {
    fileprivate init(_ report: ReportText, _ extent: Journal.Extent, _ fill: (inout APIObject<ProblemShape>) -> Void) {
        var details = APIObject<ProblemShape>()
        fill(&details)
        details.journal = APIObject(extent)
        details.report = report.text
        self.init(.verificationFailed, report.headline + ".", details: details)
    }
}
