internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// One push: as the journal has it, and in the forms in which other tools take it.
enum PushRoute {
    static func show(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(ShownPush(try record(call), in: call.subject).json)
    }

    /// `GET /api/v1/pushes/{id}/raw`: the body, byte for byte.
    static func raw(_ call: Route.Call) throws(Problem) -> APIResponse {
        let record = try record(call)
        try checkIsWhole(record)
        return APIResponse(
            contentType: "application/octet-stream",
            headers: [("Content-Disposition", "attachment; filename=\"\(id(record)).json\"")] + safety,
            body: .bytes(record.request.body)
        )
    }

    /// `GET /api/v1/pushes/{id}/simctl.apns`: what `xcrun simctl push` takes.
    static func simulator(_ call: Route.Call) throws(Problem) -> APIResponse {
        let record = try record(call)
        try checkIsWhole(record)
        guard case .object(var payload) = PushFacts(record).payload else {
            throw Problem(
                kind: .notConvertible,
                detail:
                    "The payload of \(id(record)) is not a JSON object, which is all that the Simulator takes."
            )
        }
        // Without a suffix: the Simulator knows apps alone.
        var topic = record.request[.apnsTopic] ?? ""
        let bundle = topic.withUTF8 { Topic(ByteSpan($0)).bundleID.text }
        payload["Simulator Target Bundle"] = .string(bundle)
        return APIResponse(
            contentType: APIResponse.json,
            headers: [("Content-Disposition", "attachment; filename=\"\(id(record)).apns\"")] + safety,
            body: .bytes(JSONValue.object(payload).text + "\n".utf8)
        )
    }

    /// `GET /api/v1/pushes/{id}/curl`: a command that sends the push again.
    static func curl(_ call: Route.Call) throws(Problem) -> APIResponse {
        let record = try record(call)
        try checkIsWhole(record)
        return .text(CurlCommand(PushFacts(record), in: call.subject).text)
    }

    /// A note, or `null` to remove it.
    static let note = RequestBody<String?>(
        .object(
            nil,
            .required("note", noteText) { $0 = $1 }
        ),
        example: ["note": "fails since the change of topics"]
    )

    private static let noteText = Form<String?>(
        expected: "a text, or null",
        schema: .text(atLeast: 1).orNull
    ) { value in
        if case .null = value { return .some(nil) }
        guard case .string(let text) = value, !text.isEmpty else { return nil }
        return .some(text)
    }

    /// `PATCH /api/v1/pushes/{id}`: a note beside it; `null` takes it away.
    static func change(_ call: Route.Call) throws(Problem) -> APIResponse {
        let record = try record(call)
        let note = try call.read(note)
        if let note, !(1...NoteBook.longest).contains(note.count) {
            throw .unusable(
                "/note",
                "has \(note.count) characters; expected 1 to \(NoteBook.longest), or null for none"
            )
        }
        let first = call.subject.journal.extent.firstSeq
        call.subject.notes.write(note, of: record.seq, epoch: record.epoch, first: first)
        return .json(ShownPush(record, in: call.subject).json)
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let record = try record(call)
        var query = PushQuery()
        query.after = record.seq - 1
        query.before = record.seq + 1
        _ = call.subject.journal.remove(query)
        return .done
    }

    /// What is a push's own is shown by no browser as a page.
    private static let safety = [(name: "X-Content-Type-Options", value: "nosniff")]

    private static func id(_ record: PushRecord) -> String {
        PushID(epoch: record.epoch, seq: record.seq).text
    }

    private static func checkIsWhole(_ record: PushRecord) throws(Problem) {
        guard record.request.body.count < record.request.bodyLength else { return }
        throw Problem(
            kind: .notConvertible,
            detail: "The body of \(id(record)) had \(record.request.bodyLength) bytes, too many to keep."
        )
    }

    // MARK: Finding

    /// The push that the path names.
    static func record(_ call: Route.Call) throws(Problem) -> PushRecord {
        try record(call.pathParts["id"] ?? "", in: call.subject)
    }

    /// The push that a text names.
    static func record(_ text: String, in subject: InspectedServer) throws(Problem) -> PushRecord {
        guard let reference = PushReference(text) else {
            throw Problem(
                kind: .badPath,
                detail: "'\(text)' is not the id of a push; expected \(PushReference.expected)."
            )
        }
        let journal = subject.journal
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
        return record
    }

    /// Why there is no push of a number.
    private static func absence(of seq: UInt64, _ extent: Journal.Extent) -> String {
        if seq == 0 { return "numbers begin with 1" }
        if seq > extent.lastSeq { return "the last number given is \(extent.lastSeq)" }
        if seq >= extent.completeFrom {
            return "the number was given to a later step of another push, or the push was deleted"
        }
        return extent.evicted > 0
            ? "it was dropped to make room, and the oldest push kept is seq:\(extent.firstSeq)"
            : "a reset has put it away"
    }
}
