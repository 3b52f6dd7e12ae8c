internal import MockAPNsRules
internal import MockAPNsWorld

/// The pushes that arrived, refused ones included.
enum PushRoutes {
    static let listParameters = [
        "after", "before", "limit", "order", "token", "topic", "pushType", "outcome", "reason",
    ]

    /// `GET /api/v1/pushes`.
    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let query = try pushQuery(call)
        let page = call.subject.journal.pushes(query)
        let pipeline = call.subject.pipeline
        let pushes = page.pushes.map {
            PushShape($0, epoch: page.extent.epoch, pipeline: pipeline).json
        }
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
        return .json(PushShape(record, epoch: extent.epoch, pipeline: call.subject.pipeline).json)
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
        query.tokens = reader.values("token", deviceToken)
        query.topics = reader.values("topic", topic)
        let types = reader.values("pushType", pushType)
        query.outcomes = reader.values("outcome", .word)
        query.reasons = reader.values("reason", reason)
        try reader.finish()
        if !types.isEmpty { query.condition = { shownType($0).map(types.contains) ?? false } }
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

    private static var deviceToken: QueryReader.Form<DeviceToken> {
        QueryReader.Form(expected: "a device token: hexadecimal digits, an even number, 2 to 200") {
            DeviceToken(hex: $0)
        }
    }

    private static var topic: QueryReader.Form<String> {
        QueryReader.Form(expected: "a topic") { $0.isEmpty ? nil : $0 }
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

    /// How many pushes of the window that was asked for are not kept any more.
    private static func evicted(from query: PushQuery, _ extent: Journal.Extent) -> UInt64 {
        let end = min(query.before ?? .max, extent.firstSeq)
        return end > query.after ? end - query.after - 1 : 0
    }

    private static func note(_ lost: UInt64) -> String? {
        guard lost > 0 else { return nil }
        return "Dropped to make room, and perhaps a match: \(lost) of the pushes asked for."
            + " --max-pushes and --max-bytes keep more; after=<seq> asks for less."
    }

    /// Why there is no push of a number.
    private static func absence(of seq: UInt64, _ extent: Journal.Extent) -> String {
        seq > 0 && seq < extent.firstSeq
            ? "it was dropped to make room, and the oldest push kept is seq:\(extent.firstSeq)"
            : "the newest push is seq:\(extent.lastSeq)"
    }
}
