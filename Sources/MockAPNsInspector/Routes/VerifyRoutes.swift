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
            throw Problem(failure, failure.report { call.pageLink(to: $0, match: match) })
        case .passed(let matched, let extent, let id):
            return .json(VerifiedShape.self, (matched, matched.count, Int(elapsed), extent, id))
        }
    }

    private static func sequence(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let sequence = VerificationSequence(steps: draft.steps, isStrict: draft.isStrict, after: draft.after)
        let finding = try await call.search { (scan) async throws(SearchFailure) in
            try await sequence.verify(in: call.subject.pushes, within: draft.within ?? 0, scan)
        }
        guard finding.isComplete else { throw Problem(finding, finding.report { call.pageLink(to: $0) }) }
        let id = call.subject.context.verifications.note(finding.matched, in: finding.extent)
        return .json(VerifiedShape.self, (finding.matched, count: nil, elapsedMs: nil, finding.extent, id))
    }

    private static func verifyNoneUnverified(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let unverified = try await call.search { (scan) async throws(SearchFailure) in
            try await UnverifiedPushes(in: call.subject.pushes, after: draft.after, matcher: draft.matcher, scan)
        }
        if unverified.seqs.isEmpty { return .json(NoneUnverifiedShape.self, unverified) }
        throw Problem(unverified, unverified.report { call.pageLink(to: $0) })
    }

    private static func explain(_ call: Route.Call, _ draft: Draft) async throws(Problem) -> APIResponse {
        let push = try await PushRoute.record(draft.id, in: call.subject)
        let explanation = Explanation(draft.matcher ?? .any, push, in: call.subject.pushes, call.scan)
        if call.request.wantsText { return .text(explanation.report) }
        return .json(ExplanationShape.self, explanation)
    }
}
