internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Assertions about what arrived: 200 when they hold, 409 with the reason when they do not.
enum VerifyRoutes {
    static let group = RouteGroup(
        "verify",
        "Assertions: 200 when they hold, 409 with the nearest misses when they do not. With"
            + " Accept: text/plain, the report alone.",
        [
            Route("POST", "/api/v1/pushes/verify", "Verify that pushes have arrived", answer: verify)
                .work(.search)
                .detail("within waits for enough; settle goes on watching for one too many.")
                .reads(
                    Route.Body(
                        schema: .named("Verification"),
                        example: ["match": titleMatch, "count": ["exactly": 1], "after": 0, "within": "5s"]
                    )
                )
                .gives(.json(VerifiedShape.self, "They have."))
                .fails(.verificationFailed, .namespaceGone, .notReady),
            Route(
                "POST",
                "/api/v1/pushes/verify-sequence",
                "Verify that pushes have arrived one after the other",
                answer: verifySequence
            )
            .work(.search)
            .reads(
                Route.Body(
                    schema: .closed(
                        [
                            "steps": .listWithEntries(of: .named("Match")),
                            "strict": .boolean.described("Whether no other push may come between."),
                            "after": .count, "within": .wait,
                        ],
                        required: ["steps"]
                    ),
                    example: ["steps": [titleMatch, ["pushType": "background"]], "after": 0]
                )
            )
            .gives(.json(VerifiedShape.self, "They have."))
            .fails(.verificationFailed, .namespaceGone, .notReady),
            Route(
                "POST",
                "/api/v1/pushes/verify-none-unverified",
                "Verify that every push was matched by a verification",
                answer: verifyNoneUnverified
            )
            .work(.search)
            .reads(
                Route.Body(
                    schema: .closed(["after": .count, "match": .named("Match")]),
                    example: ["after": 0],
                    isRequired: false
                )
            )
            .gives(.json(NoneUnverifiedShape.self, "Every one was."))
            .fails(.verificationFailed),
            Route("POST", "/api/v1/pushes/explain", "Explain why a push matches or does not", answer: explain)
                .work(.search)
                .reads(
                    Route.Body(
                        schema: .closed(
                            [
                                "match": .named("Match"),
                                "id": PathParts.all[0].schema.described("The push."),
                            ],
                            required: ["match", "id"]
                        ),
                        example: ["match": titleMatch, "id": "seq:1"]
                    )
                )
                .gives(
                    Route.Answer(
                        description: "Each condition, with what was expected and what is.",
                        content: [APIResponse.json: .named("Explanation"), APIResponse.text: .text],
                        shapes: [APIObject<ExplanationShape>.self]
                    )
                )
                .fails(.unknownPush, .badPath),
        ],
        schemas: [
            "Match": match,
            "Operators": operators,
            "Verification": verification,
        ]
    )

    private static let titleMatch: JSONValue = [
        "topic": "com.example.app", "payload": ["at": "/aps/alert/title", "equals": "Hi"],
    ]

    private static let verification = Schema.closed(
        [
            "match": .named("Match"),
            "count": .either(
                .count,
                .closed(["exactly": .count], required: ["exactly"]),
                .closed(["atLeast": .count, "atMost": .count]),
                .closed(["never": .constant(true)], required: ["never"])
            ),
            "after": .count.described("Only pushes with a larger number."),
            "before": .count.described("Only pushes with a smaller number."),
            "within": .wait.described("How long to wait for enough."),
            "settle": .wait.described("How long to go on watching for one too many."),
        ],
        required: ["match"]
    )

    /// A bare value means equals; an object is operators.
    private static let value = Schema.either(.text, .number, .boolean, .named("Operators"))

    /// Of a field with words of its own, no other word is taken.
    private static func value(of field: PushField) -> Schema {
        let words = field.row.values
        return words.isEmpty || field == .pushType ? value : .either(.words(words), .named("Operators"))
    }

    private static let operators = Schema.closedWithMembers(operatorMembers)

    private static let operatorMembers: [String: Schema] = Dictionary(
        uniqueKeysWithValues: Comparison.Operator.allCases.map { ($0.rawValue, operand(of: $0)) }
    )

    private static func operand(of kind: Comparison.Operator) -> Schema {
        let schema: Schema =
            switch kind {
            case .equals, .equalsJSON, .includes, .not: .anything
            case .contains, .startsWith, .endsWith, .matches: .text
            case .in: .list(of: .anything)
            case .gt, .gte, .lt, .lte: .number
            case .present, .absent: .boolean
            }
        return schema.described("Takes \(kind.expects).")
    }

    /// The members of a matcher.
    static let matchMembers: [String: Schema] = {
        var members: [String: Schema] = [:]
        for field in PushField.allCases where !PushField.verdictFields.contains(field) {
            members[field.rawValue] = value(of: field)
        }
        members["headers"] = Schema.dictionary(of: value, names: "^[^A-Z]*$").described(
            "Headers, by their names in lower case."
        )
        let payload = Schema.closed(
            operatorMembers.merging([
                "at": Schema.text("^(/([^~/]|~[01])*)*$").described(
                    "A JSON Pointer; the whole payload without."
                )
            ]) {
                first,
                _ in first
            }
        )
        members["payload"] = .either(payload, .list(of: payload))
        members["verdict"] = .closed(
            Dictionary(uniqueKeysWithValues: PushField.verdictFields.map { ($0.rawValue, value(of: $0)) })
        )
        members["lint"] = Schema.either(.word(.lint), .named("Operators")).described(
            "A lint that finds something, or operators on the list of those that do."
        )
        members["q"] = Schema.text("\\S", example: "type:alert is:delivered").described(
            "A search, as in the parameter q."
        )
        return members
    }()

    private static let match = Schema.closed(matchMembers).described(
        "What a push has to be; everything must hold."
    )

    private static let members = ["match", "count", "after", "before", "within", "settle"]

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
