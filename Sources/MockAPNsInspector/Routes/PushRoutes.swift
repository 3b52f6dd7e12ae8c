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
            Route("GET", "/api/v1/pushes", "List pushes, and wait for them", answer: list)
                .work(.search)
                .detail(
                    "All filters must hold; one that is repeated means any of its values. A time-out is"
                        + " 200 with satisfied false: a read is no assertion."
                )
                .takes(
                    PushParameters.selection + [
                        PushParameters.limit, PushParameters.order, PushParameters.fields,
                        PushParameters.wait,
                        PushParameters.count,
                    ]
                )
                .example(query: "?after=0&outcome=accepted&wait=5s")
                .gives(.list(PushPageShape.self, "The pushes."))
                .fails(.unknownDevice, .badPath, .namespaceGone, .notReady),
            Route("DELETE", "/api/v1/pushes", "Delete pushes", answer: removeAll)
                .work(.search)
                .detail("Without a filter it takes all=true.")
                .takes(
                    PushParameters.selection + [
                        Route.Parameter("all", .words(["true"]), "Delete without a filter.")
                    ]
                )
                .example(query: "?all=true")
                .gives(.json(DeletedShape.self, "How many there were."))
                .fails(.unknownDevice, .badPath),
            Route("GET", "/api/v1/pushes/latest", "Show the newest push that fits", answer: latest)
                .work(.search)
                .takes(PushParameters.selection + [PushParameters.fields, PushParameters.wait])
                .gives(
                    Route.Answer(
                        description: "The push.",
                        content: [APIResponse.json: .either(.named("Push"), .named("PushSummary"))],
                        shapes: [APIObject<PushShape>.self, APIObject<PushSummaryShape>.self]
                    )
                )
                .fails(.unknownPush, .unknownDevice, .badPath, .namespaceGone, .notReady),
            Route("GET", "/api/v1/pushes/count", "Count pushes", answer: count)
                .work(.search)
                .takes(PushParameters.selection + [PushParameters.wait, PushParameters.count])
                .gives(.json(PushCountShape.self, "How many there are."))
                .fails(.unknownDevice, .badPath, .namespaceGone, .notReady),
            Route("POST", "/api/v1/pushes/send", "Send a push to the server itself", answer: SendRoute.send)
                .detail(
                    "It is judged, recorded and delivered as one of a provider, without a network, and belongs to"
                        + " the namespace in which it is sent. Without a token it goes to the device test-phone, which"
                        + " is made for it. A member of headers that is null is left out of the push."
                )
                .reads(
                    Route.Body(
                        schema: sending,
                        example: ["title": "Order shipped", "body": "#17 is on its way."],
                        isRequired: false
                    )
                )
                .gives(.json(PushSentShape.self, "The push, with its answer.", status: 201))
                .fails(.unknownDevice, .unknownPush, .tooMany, .unusableValue, .notReady),
            Route("GET", "/api/v1/pushes/{id}", "Show a push", answer: PushRoute.show)
                .gives(.json(PushShape.self, "The push."))
                .fails(.unknownPush),
            Route("PATCH", "/api/v1/pushes/{id}", "Write a note beside a push", answer: PushRoute.change)
                .detail("Exports have it too. It goes with the push.")
                .reads(
                    Route.Body(
                        schema: .closed(["note": Schema.text(atLeast: 1).orNull], required: ["note"]),
                        example: ["note": "fails since the change of topics"]
                    )
                )
                .gives(.json(PushShape.self, "The push."))
                .fails(.unknownPush, .unusableValue),
            Route("DELETE", "/api/v1/pushes/{id}", "Delete a push", answer: PushRoute.remove)
                .gives(.nothing("It is gone."))
                .fails(.unknownPush),
            Route("GET", "/api/v1/pushes/{id}/raw", "Take a payload, byte for byte", answer: PushRoute.raw)
                .gives(.other("application/octet-stream", "The body of the push."))
                .fails(.unknownPush, .notConvertible),
            Route(
                "GET",
                "/api/v1/pushes/{id}/curl",
                "Show a command that sends the push again",
                answer: PushRoute.curl
            )
            .gives(.other(APIResponse.text, "The command."))
            .fails(.unknownPush, .notConvertible),
            Route(
                "GET",
                "/api/v1/pushes/{id}/simctl.apns",
                "Take a push for the Simulator",
                answer: PushRoute.simulator
            )
            .detail("What xcrun simctl push takes.")
            .gives(.json(.dictionary(of: .anything), "The payload, with Simulator Target Bundle."))
            .fails(.unknownPush, .notConvertible),
        ]
    )

    /// The body of a push that the API sends.
    private static let sending = Schema.closed([
        "token": Schema.text(atLeast: 1).described("A device token, or @ and the label of a device.").orNull,
        "topic": Schema.text(atLeast: 1).orNull,
        "pushType": Schema.text(atLeast: 1).described("alert, unless it is given.").orNull,
        "priority": Schema.either(.integer, .text).orNull,
        "expiration": Schema.either(.integer, .text).described("In UNIX seconds; 0 to try once.").orNull,
        "collapseId": Schema.text(atLeast: 1).orNull,
        "headers": Schema.dictionary(of: .text.orNull).described("Headers by name; null leaves one out.")
            .orNull,
        "payload": Schema.anything.described("The body, as JSON."),
        "title": Schema.text(atLeast: 1).described("For a payload with an alert.").orNull,
        "body": Schema.text(atLeast: 1).orNull,
    ])

    /// How much of a push a list shows.
    enum Fields: String, CaseIterable {
        case summary
        case full
    }

    static func list(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        selection.query.limit = reader.value("limit", .limit) ?? 50
        // Who has a cursor reads on from it; who has none wants to see the newest.
        selection.query.order =
            reader.value("order", .word) ?? (selection.hasCursor ? .ascending : .descending)
        let fields = reader.value("fields", Form<Fields>.word) ?? .full
        let wait = PushWait(&reader)
        try reader.finish()
        try selection.resolve(call)

        let outcome = try await wait.run(selection, call)
        let page = try await call.page(selection.query)
        var pushes: [JSONValue] = []
        for push in page.pushes {
            pushes.append(shape(push, fields, call))
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
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        selection.query.limit = 1
        let fields = reader.value("fields", Form<Fields>.word) ?? .full
        let wait = PushWait(&reader, takesCount: false)
        try reader.finish()
        try selection.resolve(call)

        _ = try await wait.run(selection, call)
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
        return .json(shape(push, fields, call))
    }

    static func count(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        let wait = PushWait(&reader)
        try reader.finish()
        try selection.resolve(call)

        let outcome = try await wait.run(selection, call)
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
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        let all = reader.value("all", Form<Bool>.words([true], \.description))
        try reader.finish()
        guard selection.isNarrowed || all == true else {
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

    private static func shape(_ push: PushRecord, _ fields: Fields, _ call: Route.Call) -> JSONValue {
        let shape = ShownPush(push, in: call.subject)
        return fields == .full ? shape.json : shape.summary
    }
}
