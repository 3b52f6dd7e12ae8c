internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push as the API shows it; its golden files are in the tests.
struct PushShape {
    private let facts: PushFacts
    private let subject: InspectedServer

    /// - Parameters:
    ///   - record: what the journal has.
    ///   - subject: where it arrived.
    init(_ record: PushRecord, in subject: InspectedServer) {
        self.subject = subject
        facts = PushFacts(record)
    }

    private var record: PushRecord { facts.record }

    /// The push as JSON text, with the members of every object in the order of their names.
    var text: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    /// Writes the push after other text.
    func write(to target: inout [UInt8]) {
        guard let document = imported else { return writeOwn(to: &target) }
        var own: [UInt8] = []
        writeOwn(to: &own)
        guard case .object(let members)? = JSONParser.value(of: own) else {
            target += own
            return
        }
        ImportedShape(document, over: members, isNoted: note != nil).json.write(to: &target)
    }

    /// The push as a value that is only written.
    var json: JSONValue { .written(text) }

    private var note: String?? { subject.notes.note(of: record.seq, epoch: record.epoch) }

    /// What another server said of the push; `nil` for one that arrived here.
    private var imported: JSONValue? { subject.imports.document(of: record.seq, epoch: record.epoch) }

    /// What this server itself says of the push.
    private func writeOwn(to target: inout [UInt8]) {
        JSONWriter.append(to: &target) { writer in writer.object { writeMembers(to: &$0) } }
    }

    private func writeMembers(to push: inout JSONWriter) {
        writeAPNs(to: &push)
        writeAuth(to: &push)
        push.member("clockTime", record.clockTime.rfc3339)
        writeConnection(to: &push)
        push.name("delivery")
        DeliveryShape(facts).write(to: &push)
        push.member("environment", record.environment.name)
        push.member("epoch", record.epoch)
        push.array("faults", record.faults) { $0.value(FaultIDText.text($1)) }
        push.member("id", PushID(epoch: record.epoch, seq: record.seq).text)
        push.member("imported", false)
        push.array("lints", subject.context.lints(of: facts)) { $1.write(to: &$0) }
        push.member("namespace", subject.namespace.name)
        push.member("note", note ?? nil)
        push.member("receivedAt", record.receivedAt.rfc3339)
        writeRequest(to: &push)
        writeResponse(to: &push)
        push.member("routedBy", record.routing.name)
        push.member("seq", record.seq)
        push.name("verdict")
        VerdictShape(facts, in: subject).write(to: &push)
        push.array("verifiedBy", subject.context.verifications.ids(of: record.seq)) { $0.value($1) }
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
        return subject.context.lints(of: facts).count
    }

    private func writeRequest(to push: inout JSONWriter) {
        push.object("request") { request in
            request.member("bodyBase64", base64: record.request.body)
            request.member("bodyKept", facts.hasBody)
            request.member("bodySize", record.request.bodyLength)
            let length = record.request.headerBlockLength
            request.member("headerBlockSize", length == 0 ? .null : JSONValue(length))
            Self.write(facts.headers, to: &request)
            request.member("method", facts.method)
            request.member("path", facts.path)
            request.member("payload", facts.payload ?? .null)
        }
    }

    private func writeAPNs(to push: inout JSONWriter) {
        let pushType = facts.pushType
        push.object("apns") { apns in
            apns.member("collapseId", record.request[.apnsCollapseID])
            apns.member("expiration", number(.apnsExpiration))
            apns.member("id", record.answer.id ?? record.request[.apnsID])
            apns.member("priority", number(.apnsPriority))
            apns.member("pushType", pushType.name)
            apns.member("pushTypeDerived", pushType.isDerived)
            apns.member("token", facts.token?.hex)
            apns.member("topic", record.request[.apnsTopic])
            apns.member("uniqueId", record.answer.uniqueID)
        }
    }

    private func writeAuth(to push: inout JSONWriter) {
        let token = record.authentication
        // A token may claim any time; what no calendar has is shown as the number alone.
        let issuedAt = token.issuedAt.flatMap { (0...Timestamp.lastWritableSecond).contains($0) ? $0 : nil }
        push.object("auth") { auth in
            let age = issuedAt.map { Self.number((record.clockTime.seconds - $0).rounded(.down)) }
            auth.member("ageSeconds", age ?? .null)
            auth.member(
                "issuedAt",
                issuedAt.map { Timestamp(microseconds: Int64($0 * 1_000_000)).rfc3339 }
            )
            auth.member("issuedAtSeconds", token.issuedAt.map(Self.number) ?? .null)
            auth.member("keyId", token.keyID)
            auth.member("kind", facts.hasToken ? "token" : "none")
            auth.member("meaning", token.verification.row.meaning.description)
            auth.member("teamId", token.teamID)
            auth.member("verification", token.verification.name)
        }
    }

    private func writeConnection(to push: inout JSONWriter) {
        push.object("connection") { connection in
            connection.member("id", ConnectionID(record.connectionID).text)
            connection.member("pushesOnConnection", record.requestOnConnection)
            connection.member("remote", record.connection?.remoteAddress)
            connection.member("streamId", record.streamID)
            connection.member("tls", record.connection.map(ConnectionShape.tls) ?? .null)
        }
    }

    private func writeResponse(to push: inout JSONWriter) {
        push.object("response") { response in
            response.member("body", record.answer.body)
            response.member("durationMs", Self.number(Double(record.answer.microseconds) / 1_000))
            Self.write(record.answer.headers, to: &response)
            response.member("status", record.answer.status)
        }
    }

    /// A header that should be a number; `null` when it is absent, or is none.
    private func number(_ name: HeaderName) -> JSONValue {
        JSONValue.number(digits: record.request[name])
    }

    /// A whole number without a fraction, any other with it.
    private static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map { .integer($0) } ?? .number(value)
    }

    private static func write(_ headers: [(name: String, value: String)], to writer: inout JSONWriter) {
        writer.array("headers", headers) { pairs, header in
            pairs.array([header.name, header.value]) { $0.value($1) }
        }
    }
}

extension JSONValue {
    fileprivate static func number(digits: String?) -> JSONValue {
        digits.flatMap { UInt64(digits: $0) }.map { JSONValue($0) } ?? .null
    }
}
