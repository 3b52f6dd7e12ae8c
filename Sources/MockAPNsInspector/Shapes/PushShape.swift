internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push as the API shows it; its golden files are in the tests.
struct PushShape {
    private let facts: PushFacts
    private let record: PushRecord
    private let subject: InspectedServer

    /// - Parameters:
    ///   - record: what the journal has.
    ///   - subject: where it arrived.
    init(_ record: PushRecord, in subject: InspectedServer) {
        self.record = record
        self.subject = subject
        facts = PushFacts(record)
    }

    var json: JSONValue {
        let members = members
        guard let document = imported else { return .object(members) }
        return ImportedShape(document, over: members, isNoted: note != nil).json
    }

    private var note: String?? { subject.notes.note(of: record.seq, epoch: record.epoch) }

    /// What another server said of the push; `nil` for one that arrived here.
    private var imported: JSONValue? { subject.imports.document(of: record.seq, epoch: record.epoch) }

    private var members: [String: JSONValue] {
        [
            "id": .string(PushID(epoch: record.epoch, seq: record.seq).text),
            "seq": JSONValue(record.seq),
            "epoch": JSONValue(record.epoch),
            "namespace": .string(subject.namespace.name),
            "routedBy": .string(record.routing.name),
            "receivedAt": .string(record.receivedAt.rfc3339),
            "clockTime": .string(record.clockTime.rfc3339),
            "environment": .string(record.environment.name),
            "request": request,
            "apns": apns,
            "auth": auth,
            "connection": connection,
            "verdict": VerdictShape(facts, in: subject).json,
            "lints": .array(subject.lints(of: facts).map(\.json)),
            "response": response,
            "delivery": DeliveryShape(facts).json,
            "faults": .array(record.faults.map { .string(FaultIDText.text($0)) }),
            "imported": false,
            "verifiedBy": .array(subject.verifications.ids(of: record.seq).map { .string($0) }),
            "note": JSONValue(note ?? nil),
        ]
    }

    /// The push on one line of a list.
    var summary: JSONValue {
        let alert = AlertText(facts.aps?["alert"])
        return [
            "id": .string(PushID(epoch: record.epoch, seq: record.seq).text),
            "seq": JSONValue(record.seq),
            "receivedAt": .string(record.receivedAt.rfc3339),
            "token": JSONValue(facts.token?.hex),
            "device": imported?["delivery"]?["device"] ?? JSONValue(record.delivery?.deviceLabel),
            "topic": JSONValue(record.request[.apnsTopic]),
            "pushType": .string(facts.pushType.name),
            "priority": number(.apnsPriority),
            "title": JSONValue(alert.title),
            "body": JSONValue(alert.body),
            "status": JSONValue(Int(record.answer.status)),
            "reason": JSONValue(record.verdict.reason?.name),
            "outcome": .string(record.answer.status == 200 ? "accepted" : "rejected"),
            "delivery": .string(PushOutline(record).delivery),
            "faults": .array(record.faults.map { .string(FaultIDText.text($0)) }),
            "lintCount": JSONValue(lintCount),
            "imported": .bool(imported != nil),
        ]
    }

    private var lintCount: Int {
        if case .array(let lints)? = imported?["lints"] { return lints.count }
        return subject.lints(of: facts).count
    }

    private var request: JSONValue {
        [
            "method": .string(facts.method),
            "path": .string(facts.path),
            "headers": Self.pairs(facts.headers),
            "headerBlockSize": record.request.headerBlockLength == 0
                ? .null : JSONValue(record.request.headerBlockLength),
            "bodySize": JSONValue(record.request.bodyLength),
            "bodyKept": .bool(facts.hasBody),
            "bodyBase64": .string(Data(record.request.body).base64EncodedString()),
            "payload": facts.payload ?? .null,
        ]
    }

    private var apns: JSONValue {
        let pushType = facts.pushType
        return [
            "id": JSONValue(record.answer.id ?? record.request[.apnsID]),
            "uniqueId": JSONValue(record.answer.uniqueID),
            "topic": JSONValue(record.request[.apnsTopic]),
            "pushType": .string(pushType.name),
            "pushTypeDerived": .bool(pushType.isDerived),
            "priority": number(.apnsPriority),
            "expiration": number(.apnsExpiration),
            "collapseId": JSONValue(record.request[.apnsCollapseID]),
            "token": JSONValue(facts.token?.hex),
        ]
    }

    private var auth: JSONValue {
        let token = record.authentication
        // A token may claim any time; what no calendar has is shown as the number alone.
        let issuedAt = token.issuedAt.flatMap { (0...Timestamp.lastWritableSecond).contains($0) ? $0 : nil }
        return [
            "kind": facts.hasToken ? "token" : "none",
            "keyId": JSONValue(token.keyID),
            "teamId": JSONValue(token.teamID),
            "issuedAt": JSONValue(
                issuedAt.map { Timestamp(microseconds: Int64($0 * 1_000_000)).rfc3339 }
            ),
            "issuedAtSeconds": token.issuedAt.map(Self.number) ?? .null,
            "ageSeconds": issuedAt.map { Self.number((record.clockTime.seconds - $0).rounded(.down)) }
                ?? .null,
            "verification": .string(token.verification.name),
            "meaning": .string(token.verification.row.meaning.description),
        ]
    }

    private var connection: JSONValue {
        [
            "id": .string(ConnectionShape.id(record.connectionID)),
            "streamId": JSONValue(record.streamID),
            "pushesOnConnection": JSONValue(record.requestOnConnection),
            "remote": JSONValue(record.connection?.remoteAddress),
            "tls": record.connection.map(ConnectionShape.tls) ?? .null,
        ]
    }

    private var response: JSONValue {
        [
            "status": JSONValue(Int(record.answer.status)),
            "headers": Self.pairs(record.answer.headers),
            "body": .string(record.answer.body),
            "durationMs": Self.number(Double(record.answer.microseconds) / 1_000),
        ]
    }

    /// A header that should be a number; `null` when it is absent, or is none.
    private func number(_ name: HeaderName) -> JSONValue {
        JSONValue.number(digits: record.request[name])
    }

    /// A whole number without a fraction, any other with it.
    private static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map { .integer($0) } ?? .number(value)
    }

    private static func pairs(_ headers: [(name: String, value: String)]) -> JSONValue {
        .array(headers.map { [.string($0.name), .string($0.value)] })
    }
}

extension JSONValue {
    fileprivate static func number(digits: String?) -> JSONValue {
        digits.flatMap { UInt64(digits: $0) }.map { JSONValue($0) } ?? .null
    }
}
