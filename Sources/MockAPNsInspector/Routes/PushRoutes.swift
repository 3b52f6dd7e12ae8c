internal import MockAPNsRules
internal import MockAPNsWorld

/// The pushes that arrived, refused ones included.
enum PushRoutes {
    static let listParameters = [
        "after", "before", "limit", "order", "token", "device", "topic", "pushType", "outcome", "reason",
        "delivery",
    ]

    /// `GET /api/v1/pushes`.
    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try pushQuery(call)
        let page = call.subject.journal.pushes(query)
        let pushes = page.pushes.map { PushShape($0, in: call.subject).json }
        let lost = evicted(from: query, page.extent)
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
        return .json([
            "pushes": .array(pushes),
            "matched": JSONValue(page.matched),
            "nextAfter": JSONValue(page.nextAfter),
            "evictedInWindow": JSONValue(lost),
            "note": JSONValue(note(lost)),
            "journal": JournalShape.json(page.extent),
        ])
    }

    /// `GET /api/v1/pushes/{id}`.
    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let text = call.pathParts["id"] ?? ""
        guard let reference = PushReference(text) else {
            throw Problem(
                kind: .badPath,
                detail: "'\(text)' is no id of a push; expected \(PushReference.expected)."
            )
        }
        let journal = call.subject.journal
        let extent = journal.extent
        let record: PushRecord?
        let absence: String
        switch reference {
        case .id(let id):
            let isPresent = id.epoch == extent.epoch
            record = isPresent ? journal.push(seq: id.seq) : nil
            absence = isPresent ? Self.absence(of: id.seq, extent) : "it is of epoch \(id.epoch)"
        case .seq(let seq):
            record = journal.push(seq: seq)
            absence = Self.absence(of: seq, extent)
        case .apnsID(let id):
            record = journal.push(apnsID: id)
            absence = "no push at hand was answered with this apns-id, and \(extent.evicted) are not kept"
        }
        guard let record else {
            throw Problem(kind: .unknownPush, detail: "There is no '\(text)': \(absence).")
        }
        return .json(PushShape(record, in: call.subject).json)
    }

    private static func pushQuery(_ call: Route.Call) throws(Problem) -> PushQuery {
        var reader = call.query
        var query = PushQuery()
        let after = reader.value("after", .seq)
        query.after = after ?? 0
        query.before = reader.value("before", .seq)
        query.limit = reader.value("limit", .limit) ?? 50
        // Who has a cursor reads on from it; who has none wants to see the newest.
        query.order = reader.value("order", .word) ?? (after == nil ? .descending : .ascending)
        query.tokens = reader.values("token", .deviceToken)
        let devices = reader.values("device", device)
        query.topics = reader.values("topic", .text("a topic"))
        query.deliveries = reader.values("delivery", delivery)
        let types = reader.values("pushType", pushType)
        query.outcomes = reader.values("outcome", .word)
        query.reasons = reader.values("reason", reason)
        try reader.finish()
        if !devices.isEmpty { try narrow(&query, to: devices, call) }
        if !types.isEmpty, query.condition == nil {
            query.condition = { request, _ in shownType(request).map(types.contains) ?? false }
        }
        return query
    }

    /// The push type that the record of a push shows; `nil` when its header has one that does not exist.
    private static func shownType(_ request: borrowing RequestView) -> PushType? {
        if let header = request[.apnsPushType] { return PushType(header) }
        let body = request.body
        return PushFacts.derivedPushType(
            topic: request[.apnsTopic]?.text,
            payload: PushFacts.payload(of: Array(body.bytes))
        )
    }

    private static var device: QueryReader.Form<DeviceReference> {
        QueryReader.Form(expected: DeviceReferenceText.expected) { DeviceReferenceText.reference($0) }
    }

    private static var delivery: QueryReader.Form<String> {
        let states = DeliveryEvent.allCases.compactMap { $0.row.state?.description }
        var names: [String] = []
        for name in states + [PushQuery.notAttempted] where !names.contains(name) { names.append(name) }
        return .words(names, \.self)
    }

    /// Only pushes to the tokens of these devices, living and dead.
    private static func narrow(
        _ query: inout PushQuery,
        to references: [DeviceReference],
        _ call: Route.Call
    ) throws(Problem) {
        var tokens: [DeviceToken] = []
        for reference in references {
            let device = try call.withDevices { devices throws(DeviceError) in try devices.device(reference) }
            tokens += device.registrations.map(\.token)
        }
        let wanted = Set(tokens)
        query.tokens = query.tokens.isEmpty ? tokens : query.tokens.filter(wanted.contains)
        // An empty list would mean every token.
        if query.tokens.isEmpty { query.condition = { _, _ in false } }
    }

    private static var pushType: QueryReader.Form<PushType> {
        let names = PushType.allCases.map(\.name)
        return QueryReader.Form(expected: names.joined(separator: ", "), candidates: names) { text in
            PushType.allCases.first { $0.name == text }
        }
    }

    private static var reason: QueryReader.Form<Reason> {
        QueryReader.Form(
            expected: "a reason in Apple's spelling, such as BadDeviceToken",
            candidates: Reason.allCases.map(\.name)
        ) { Reason(name: $0) }
    }

    /// How many pushes of the window that was asked for are not kept any more, at most.
    ///
    /// A push takes several numbers, so the numbers that are missing are more than the pushes.
    private static func evicted(from query: PushQuery, _ extent: Journal.Extent) -> UInt64 {
        let end = min(query.before ?? .max, extent.firstSeq)
        return min(extent.evicted, end > query.after ? end - query.after - 1 : 0)
    }

    private static func note(_ lost: UInt64) -> String? {
        guard lost > 0 else { return nil }
        return "Dropped to make room, and perhaps a match: up to \(lost) of the pushes asked for."
            + " --max-pushes and --max-bytes keep more; after=<seq> asks for less."
    }

    /// Why there is no push of a number.
    private static func absence(of seq: UInt64, _ extent: Journal.Extent) -> String {
        if seq == 0 { return "numbers begin with 1" }
        if seq > extent.lastSeq { return "the last number given is \(extent.lastSeq)" }
        if seq >= extent.firstSeq { return "the number was given to a later step of another push" }
        return extent.evicted > 0
            ? "it was dropped to make room, and the oldest push kept is seq:\(extent.firstSeq)"
            : "a reset has put it away"
    }
}
