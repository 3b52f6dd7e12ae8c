internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

enum PushRoutes {
    static let routes: [Route] = [
        .get("/api/v1/pushes", "List pushes", reads: listQuery, list).work(.search).detail(
            "All filters must match; a repeated filter matches any of its values. With wait, the response"
                + " is sent once enough pushes match. A timeout is not an error: 200 with satisfied false."
        ).example(query: "?after=0&outcome=accepted&wait=5s").gives(.list(PushPageShape.self, "The pushes.")).fails(
            .unknownDevice, .badPath, .namespaceGone, .notReady),
        .delete("/api/v1/pushes", "Delete pushes", reads: deletion, removeAll).work(.search).detail(
            "Requires a filter or all=true."
        ).example(query: "?all=true").gives(.json(DeletedShape.self, "The number of deleted pushes.")).fails(
            .unknownDevice, .badPath),
        .get("/api/v1/pushes/latest", "Get the newest matching push", reads: latestQuery, latest).work(.search).gives(
            .either(PushShape.self, PushSummaryShape.self, "The push.")
        ).fails(.unknownPush, .unknownDevice, .badPath, .namespaceGone, .notReady),
        .get("/api/v1/pushes/count", "Count pushes", reads: countQuery, count).work(.search).gives(
            .json(PushCountShape.self, "The number of matching pushes.")
        ).fails(.unknownDevice, .badPath, .namespaceGone, .notReady),
        .get("/api/v1/pushes/groups", "Group pushes", reads: groupQuery, PushGroups.list).work(.search).detail(
            "Pushes with the same outcome, status, reason, topic and push type are one group. At most 200 groups are"
                + " listed."
        ).example(query: "?q=is:rejected").gives(
            .json(PushGroupsShape.self, "The groups, the one with the newest push first.")
        ).fails(.unknownDevice, .badPath), PushValuesRoute.route, PushValuesRoute.keysRoute,
        .post("/api/v1/pushes/send", "Send a test push", reads: SendBody.body, SendRoute.send).detail(
            "Validated, recorded and delivered like a provider's push, but without a network. It belongs to the"
                + " namespace of the request. Without a token it goes to the device test-phone, which is created"
                + " if needed. Headers that are null are not sent."
        ).gives(.json(PushSentShape.self, "The push, with its response.", status: 201)).fails(
            .unknownDevice, .unknownPush, .tooMany, .unusableValue, .notReady),
        .post("/api/v1/pushes/check", "Check a push without sending it", reads: SendBody.body, SendRoute.check).uses(
            .reads
        ).detail(
            "Applies the rules as for a push that is sent. Nothing is recorded, delivered or counted, and faults are"
                + " not applied."
        ).gives(.json(PushCheckShape.self, "What the response would be, and warnings.")).fails(
            .unknownDevice, .unusableValue, .notReady),
        .get("/api/v1/pushes/{id}", "Get a push", PushRoute.show).gives(.json(PushShape.self, "The push.")).fails(
            .unknownPush),
        .patch("/api/v1/pushes/{id}", "Annotate or pin a push", PushRoute.change).detail(
            "Sets or removes the note, which exports include, and the pin. A pinned push stays when others are dropped"
                + " to make room; at most 1,000 pushes are pinned."
        ).reads(PushRoute.changes).gives(.json(PushShape.self, "The push.")).fails(
            .unknownPush, .unusableValue, .tooManyPins),
        .delete("/api/v1/pushes/{id}", "Delete a push", PushRoute.remove).gives(.nothing("Deleted.")).fails(
            .unknownPush),
        .post("/api/v1/pushes/{id}/resend", "Resend a push", SendRoute.resend).detail(
            "Sends the recorded headers and bytes again, as POST /api/v1/pushes/send does. The provider token is new,"
                + " and so is the apns-id of a push that was accepted."
        ).gives(.json(PushSentShape.self, "The new push, with its response.", status: 201)).fails(
            .unknownPush, .notConvertible, .unusableValue, .notReady),
        .get("/api/v1/pushes/{id}/compare/{other}", "Compare two pushes", PushRoute.compare).detail(
            "The differences of responses, deliveries, requests, provider tokens and certificates, headers and"
                + " payloads. Times are not compared."
        ).gives(.json(PushComparisonShape.self, "What differs, and what is the same.")).fails(.unknownPush),
        .get("/api/v1/pushes/{id}/raw", "Download the payload", PushRoute.raw).detail("The bytes as received.").gives(
            .other("application/octet-stream", "The body of the push.")
        ).fails(.unknownPush, .notConvertible),
        .get("/api/v1/pushes/{id}/curl", "Get a curl command", PushRoute.curl).detail(
            "The command sends the push again."
        ).gives(.other(APIResponse.text, "The command.")).fails(.unknownPush, .notConvertible),
        .get("/api/v1/pushes/{id}/simctl.apns", "Download a push for the Simulator", PushRoute.simulator).detail(
            "For xcrun simctl push."
        ).gives(.json(.dictionary(of: .anything), "The payload, with Simulator Target Bundle.")).fails(
            .unknownPush, .notConvertible),
    ]

    private struct Query: Sendable {
        var selection = PushSelection()
        var order: PushQuery.Order?
        var fields = PushFields.full
        var wait = PushWait()
        var all = false
    }

    private static let selection = PushSelection.parameters.map { $0.part(of: \Query.selection) }
    private static let fields = Parameter<Query>.once("fields", .word, "Level of detail.") { $0.fields = $1 }
    private static let wait = PushWait.time.part(of: \Query.wait)
    private static let waitCount = PushWait.count.part(of: \Query.wait)

    private static let listQuery = QueryForm(
        Query(),
        selection + [.limit { $0.selection.query.limit = $1 }, .order { $0.order = $1 }, fields, wait, waitCount])
    private static let latestQuery = QueryForm(Query(), selection + [fields, wait])
    private static let countQuery = QueryForm(Query(), selection + [wait, waitCount])
    private static let groupQuery = QueryForm(PushSelection(), PushSelection.parameters)
    private static let deletion = QueryForm(
        Query(), selection + [.once("all", .yes, "Delete all pushes.") { $0.all = $1 }])

    private static func list(_ call: Route.Call, _ query: Query) async throws(Problem) -> APIResponse {
        var selection = try query.selection.resolved(call)
        // Without a cursor, the newest pushes are wanted.
        selection.query.order = query.order ?? (selection.hasCursor ? .ascending : .descending)
        let outcome = try await query.wait.run(selection, call)
        let page = try await call.page(selection.query)
        var pushes: [JSONValue] = []
        for push in page.pushes {
            pushes.append(shape(push, query.fields, call))
            try await call.search { (scan) async throws(SearchFailure) in try await scan.pause() }
        }
        let suggestions = try await call.suggestions(for: page, query.selection)
        // What has left the memory is in the page if it is kept.
        let lost = call.subject.journal.isKept ? 0 : selection.evicted(page.extent)
        let headers = [
            ("X-Mock-APNs-Matched", String(page.matched)), ("X-Mock-APNs-Next-After", String(page.nextAfter)),
            ("X-Mock-APNs-Evicted-In-Window", String(lost)),
        ]
        let source = (
            page: page, pushes: pushes, suggestions: suggestions, total: call.subject.journal.count, lost: lost,
            note: PushSelection.note(lost), wanted: outcome.wanted, waitedMs: outcome.waitedMilliseconds
        )
        return .list(\PushPageShape.pushes, of: source, call.request, headers: headers)
    }

    private static func latest(_ call: Route.Call, _ query: Query) async throws(Problem) -> APIResponse {
        var selection = try query.selection.resolved(call)
        selection.query.limit = 1
        _ = try await query.wait.run(selection, call)
        let page = try await call.page(selection.query)
        guard let push = page.pushes.first else {
            let note = PushSelection.note(selection.evicted(page.extent))
            throw Problem(
                .unknownPush, "No matching push." + (note.map { " \($0)" } ?? ""), details: Problem.Details(page.extent)
            )
        }
        return .json(shape(push, query.fields, call))
    }

    private static func count(_ call: Route.Call, _ query: Query) async throws(Problem) -> APIResponse {
        let selection = try query.selection.resolved(call)
        let outcome = try await query.wait.run(selection, call)
        let (found, extent) = try await call.find(selection.query)
        let lost = selection.evicted(extent)
        return .json(
            PushCountShape.self,
            (found.count, extent, lost, PushSelection.note(lost), outcome.wanted, outcome.waitedMilliseconds))
    }

    private static func removeAll(_ call: Route.Call, _ query: Query) async throws(Problem) -> APIResponse {
        guard query.selection.isNarrowed || query.all else {
            throw Problem(
                .badParameter, "Without a filter this would delete every push: give a filter, or all=true.",
                complaints: [Complaint(path: "all", message: "is missing; expected all=true", suggestion: "all=true")])
        }
        let selection = try query.selection.resolved(call)
        let (seqs, extent) = try await call.findAll(selection.query)
        let deleted = call.subject.journal.remove(seqs, epoch: extent.epoch)
        return .json(DeletedShape.self, deleted)
    }

    private static func shape(_ push: PushRecord, _ fields: PushFields, _ call: Route.Call) -> JSONValue {
        let shape = ShownPush(push, in: call.subject.shown)
        return fields == .full ? shape.json : shape.summary
    }
}

/// One push: as recorded, and as files for other tools.
enum PushRoute {
    static func show(_ call: Route.Call) async throws(Problem) -> APIResponse {
        .json(ShownPush(try await record(call), in: call.subject.shown).json)
    }

    static func compare(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let (left, right) = (try await record(call), try await record(call, "other"))
        let shown = call.subject.shown
        return .json(PushComparisonShape.self, ComparedPushes(ShownPush(left, in: shown), ShownPush(right, in: shown)))
    }

    static func raw(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let record = try await wholeRecord(call)
        return file(record, "json", "application/octet-stream", record.request.body)
    }

    static func simulator(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let record = try await wholeRecord(call)
        guard case .object(var payload) = PushFacts(record).payload else {
            throw Problem(
                .notConvertible, "The payload of \(id(record)) is not a JSON object, as the Simulator requires.")
        }
        // The Simulator takes bundle identifiers, which have no suffix.
        let topic = record.request[.apnsTopic] ?? ""
        payload["Simulator Target Bundle"] = .string(Topic.bundleID(of: topic))
        return file(record, "apns", APIResponse.json, JSONValue.object(payload).text + "\n".utf8)
    }

    static func curl(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let command = CurlCommand(
            PushFacts(try await wholeRecord(call)), in: call.subject.shown,
            authority: call.subject.certificateAuthority?.file, key: call.subject.developmentKey?.option)
        return .text(command.text)
    }

    struct Changes: Sendable {
        fileprivate var note: String??
        fileprivate var isPinned: Bool?
    }

    static let changes = RequestBody<Changes>(
        .object(
            Changes(), .optional("note", noteText, "A note; null removes it.") { $0.note = .some($1) },
            .optional("pinned", .boolean, "Whether the push is pinned.") { $0.isPinned = $1 }),
        example: ["note": "fails since the change of topics", "pinned": true])

    private static let noteText = Form<String?>(expected: "a text, or null", schema: .text(atLeast: 1).orNull) {
        value in
        if case .null = value { return .some(nil) }
        guard case .string(let text) = value, !text.isEmpty else { return nil }
        return .some(text)
    }

    /// In characters.
    private static let longestNote = 1_000

    static func change(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let record = try await record(call)
        let changes = try changes.read(call)
        if let note = changes.note ?? nil, !(1...longestNote).contains(note.count) {
            throw .unusable("/note", "has \(note.count) characters; expected 1 to \(longestNote), or null for none")
        }
        let journal = call.subject.journal
        if let isPinned = changes.isPinned, !journal.setPinned(isPinned, on: record.seq, epoch: record.epoch) {
            throw Problem(
                .tooManyPins,
                "There are already \(Journal.mostPins) pinned pushes, the maximum; unpin or delete one first"
                    + " (q=is:pinned lists them).")
        }
        if let note = changes.note { journal.setNote(note, on: record.seq, epoch: record.epoch) }
        var changed = try await journal.shownPush(seq: record.seq) ?? record
        // A push that stayed only because of its pin is gone now.
        changed.isPinned = changes.isPinned ?? changed.isPinned
        return .json(ShownPush(changed, in: call.subject.shown).json)
    }

    static func remove(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let record = try await record(call)
        var query = PushQuery()
        query.after = record.seq - 1
        query.before = record.seq + 1
        _ = call.subject.journal.remove(query)
        return .done
    }

    /// A download: the bytes come from a provider, so no browser may show them as a page.
    private static func file(
        _ record: PushRecord, _ suffix: String, _ contentType: String, _ bytes: [UInt8]
    ) -> APIResponse {
        APIResponse(
            contentType: contentType,
            headers: [
                ("Content-Disposition", "attachment; filename=\"\(id(record)).\(suffix)\""),
                ("X-Content-Type-Options", "nosniff"),
            ], body: .bytes(bytes))
    }

    static func id(_ record: PushRecord) -> String { PushID(epoch: record.epoch, seq: record.seq).text }

    /// The push that the path names, if its body was kept.
    static func wholeRecord(_ call: Route.Call) async throws(Problem) -> PushRecord {
        let record = try await record(call)
        guard record.request.body.count < record.bodyLength else { return record }
        throw Problem(.notConvertible, "The body of \(id(record)) had \(record.bodyLength) bytes, too many to keep.")
    }

    static func record(_ call: Route.Call, _ part: String = "id") async throws(Problem) -> PushRecord {
        try await record(call.pathParts[part] ?? "", in: call.subject)
    }

    static func record(_ text: String, in subject: InspectedServer) async throws(Problem) -> PushRecord {
        guard let reference = PushReference(text) else {
            throw Problem(.badPath, "'\(text)' is not the id of a push; expected \(PushReference.expected).")
        }
        let journal = subject.journal
        let extent = journal.extent
        let (record, absence): (PushRecord?, String) =
            switch reference {
            case .id(let id) where id.epoch != extent.epoch: (nil, "it is of epoch \(id.epoch)")
            case .id(let id): (try await journal.shownPush(seq: id.seq), absence(of: id.seq, extent))
            case .seq(let seq): (try await journal.shownPush(seq: seq), absence(of: seq, extent))
            case .apnsID(let id):
                (
                    try await journal.shownPush(apnsID: id),
                    "no recorded push has this apns-id; \(extent.evicted) pushes were evicted"
                )
            }
        if let record { return record }
        throw Problem(.unknownPush, "There is no '\(text)': \(absence).")
    }

    private static func absence(of seq: UInt64, _ extent: Journal.Extent) -> String {
        if seq == 0 { return "numbers begin with 1" }
        if seq > extent.lastSeq { return "the last number given is \(extent.lastSeq)" }
        if seq >= extent.completeFrom {
            return "the number was given to a later step of another push, or the push was deleted"
        }
        return extent.evicted > 0
            ? "it was dropped to make room, and the oldest push kept is seq:\(extent.firstSeq)"
            : "it was deleted by a reset"
    }
}
