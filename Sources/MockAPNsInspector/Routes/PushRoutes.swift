internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The pushes that arrived, refused ones included: lists of them, and how many there are.
enum PushRoutes {
    static let group = RouteGroup(
        "pushes",
        "What arrived, refused pushes included.",
        [
            .get("/api/v1/pushes", "List pushes, and wait for them", list)
                .work(.search)
                .detail(
                    "All filters must hold; one that is repeated means any of its values. A time-out is"
                        + " 200 with satisfied false: a read is not an assertion."
                )
                .takes(listQuery)
                .example(query: "?after=0&outcome=accepted&wait=5s")
                .gives(.list(PushPageShape.self, "The pushes."))
                .fails(.unknownDevice, .badPath, .namespaceGone, .notReady),
            .delete("/api/v1/pushes", "Delete pushes", removeAll)
                .work(.search)
                .detail("Without a filter it takes all=true.")
                .takes(deletion)
                .example(query: "?all=true")
                .gives(.json(DeletedShape.self, "How many there were."))
                .fails(.unknownDevice, .badPath),
            .get("/api/v1/pushes/latest", "Show the newest push that fits", latest)
                .work(.search)
                .takes(latestQuery)
                .gives(.either(PushShape.self, PushSummaryShape.self, "The push."))
                .fails(.unknownPush, .unknownDevice, .badPath, .namespaceGone, .notReady),
            .get("/api/v1/pushes/count", "Count pushes", count)
                .work(.search)
                .takes(countQuery)
                .gives(.json(PushCountShape.self, "How many there are."))
                .fails(.unknownDevice, .badPath, .namespaceGone, .notReady),
            .post("/api/v1/pushes/send", "Send a push to the server itself", SendRoute.send)
                .detail(
                    "It is judged, recorded and delivered as one of a provider, without a network, and belongs to"
                        + " the namespace in which it is sent. Without a token it goes to the device test-phone, which"
                        + " is made for it. A member of headers that is null is left out of the push."
                )
                .reads(SendBody.body)
                .gives(.json(PushSentShape.self, "The push, with its answer.", status: 201))
                .fails(.unknownDevice, .unknownPush, .tooMany, .unusableValue, .notReady),
            .get("/api/v1/pushes/{id}", "Show a push", PushRoute.show)
                .gives(.json(PushShape.self, "The push."))
                .fails(.unknownPush),
            .patch("/api/v1/pushes/{id}", "Write a note beside a push", PushRoute.change)
                .detail("Exports have it too. It goes with the push.")
                .reads(PushRoute.note)
                .gives(.json(PushShape.self, "The push."))
                .fails(.unknownPush, .unusableValue),
            .delete("/api/v1/pushes/{id}", "Delete a push", PushRoute.remove)
                .gives(.nothing("It is gone."))
                .fails(.unknownPush),
            .get("/api/v1/pushes/{id}/raw", "Take a payload, byte for byte", PushRoute.raw)
                .gives(.other("application/octet-stream", "The body of the push."))
                .fails(.unknownPush, .notConvertible),
            .get("/api/v1/pushes/{id}/curl", "Show a command that sends the push again", PushRoute.curl)
                .gives(.other(APIResponse.text, "The command."))
                .fails(.unknownPush, .notConvertible),
            .get("/api/v1/pushes/{id}/simctl.apns", "Take a push for the Simulator", PushRoute.simulator)
                .detail("What xcrun simctl push takes.")
                .gives(.json(.dictionary(of: .anything), "The payload, with Simulator Target Bundle."))
                .fails(.unknownPush, .notConvertible),
        ]
    )

    // MARK: Queries

    /// What is asked of a list of pushes.
    private struct Query: Sendable {
        var selection = PushSelection()
        var limit = 50
        var order: PushQuery.Order?
        var fields = PushFields.full
        var wait = PushWait()
        /// Whether every push is meant where nothing narrows the list.
        var all = false
    }

    private static let selection = PushSelection.parameters.map { $0.part(of: \Query.selection) }
    private static let fields = Parameter<Query>.once("fields", .word, "How much of each push is shown.") {
        $0.fields = $1
    }
    private static let wait = PushWait.time.part(of: \Query.wait)
    private static let waitCount = PushWait.count.part(of: \Query.wait)

    private static let listQuery = QueryForm(
        Query(),
        selection + [.limit { $0.limit = $1 }, .order { $0.order = $1 }, fields, wait, waitCount]
    )
    private static let latestQuery = QueryForm(Query(), selection + [fields, wait])
    private static let countQuery = QueryForm(Query(), selection + [wait, waitCount])
    private static let deletion = QueryForm(
        Query(),
        selection + [.once("all", .yes, "Delete without a filter.") { $0.all = $1 }]
    )

    // MARK: Answers

    static func list(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let query = try call.read(listQuery)
        var selection = query.selection
        selection.query.limit = query.limit
        // Who has a cursor reads on from it; who has none wants to see the newest.
        selection.query.order = query.order ?? (selection.hasCursor ? .ascending : .descending)
        try selection.resolve(call)

        let outcome = try await query.wait.run(selection, call)
        let page = try await call.page(selection.query)
        var pushes: [JSONValue] = []
        for push in page.pushes {
            pushes.append(shape(push, query.fields, call))
            try await call.search { (scan) async throws(SearchFailure) in try await scan.pause() }
        }
        let lost = selection.evicted(page.extent)
        if call.request.wantsLines {
            return .lines(
                pushes,
                headers: [
                    ("X-Mock-APNs-Matched", String(page.matched)),
                    ("X-Mock-APNs-Next-After", String(page.nextAfter)),
                    ("X-Mock-APNs-Evicted-In-Window", String(lost)),
                ]
            )
        }
        return .json(
            APIObject<PushPageShape> {
                $0.evictedInWindow = lost
                $0.journal = APIObject(page.extent)
                $0.matched = page.matched
                $0.nextAfter = page.nextAfter
                $0.note = PushSelection.note(lost)
                $0.pushes = pushes
                $0.satisfied = page.matched >= outcome.wanted
                $0.waitedMs = outcome.waitedMilliseconds
            }
        )
    }

    static func latest(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let query = try call.read(latestQuery)
        var selection = query.selection
        selection.query.limit = 1
        try selection.resolve(call)

        _ = try await query.wait.run(selection, call)
        let page = try await call.page(selection.query)
        guard let push = page.pushes.first else {
            let lost = selection.evicted(page.extent)
            throw Problem(
                kind: .unknownPush,
                detail: "No push at hand is what was asked for."
                    + (PushSelection.note(lost).map { " \($0)" } ?? ""),
                details: APIObject { $0.journal = APIObject(page.extent) }
            )
        }
        return .json(shape(push, query.fields, call))
    }

    static func count(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let query = try call.read(countQuery)
        var selection = query.selection
        try selection.resolve(call)

        let outcome = try await query.wait.run(selection, call)
        var count = 0
        let extent = try await call.visit(selection.query) { _, _ in
            count += 1
            return true
        }
        let lost = selection.evicted(extent)
        return .json(
            APIObject<PushCountShape> {
                $0.count = count
                $0.evictedInWindow = lost
                $0.journal = APIObject(extent)
                $0.note = PushSelection.note(lost)
                $0.satisfied = count >= outcome.wanted
                $0.waitedMs = outcome.waitedMilliseconds
            }
        )
    }

    static func removeAll(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let query = try call.read(deletion)
        var selection = query.selection
        guard selection.isNarrowed || query.all else {
            throw Problem(
                kind: .badParameter,
                detail: "Without a filter this would delete every push: give a filter, or all=true.",
                complaints: [
                    Complaint(
                        path: "all",
                        message: "is missing; expected all=true",
                        suggestion: "all=true"
                    )
                ]
            )
        }
        try selection.resolve(call)
        var wanted: [UInt64] = []
        let epoch = try await call.visit(selection.query) { _, outline in
            wanted.append(outline.seq)
            return true
        }.epoch
        return .json(
            APIObject<DeletedShape> { $0.deleted = call.subject.journal.remove(wanted, epoch: epoch) }
        )
    }

    private static func shape(_ push: PushRecord, _ fields: PushFields, _ call: Route.Call) -> JSONValue {
        let shape = ShownPush(push, in: call.subject)
        return fields == .full ? shape.json : shape.summary
    }
}
