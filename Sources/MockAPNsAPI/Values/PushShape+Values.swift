internal import MockAPNs
package import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

extension APIObject<PushShape> {
    init(_ facts: PushFacts, in subject: ShownNamespace) {
        let record = facts.record
        self.init()
        self.apns = APIObject<PushShape.APNs>(facts)
        self.auth = APIObject<PushShape.Authentication>(facts)
        self.clockTime = record.clockTime.rfc3339
        self.connection = APIObject<PushShape.Connection> {
            $0.id = ConnectionID(record.connectionID).text
            $0.pushesOnConnection = UInt64(record.requestOnConnection)
            $0.remote = record.connection?.remoteAddress
            $0.replica = Replica.number(ofConnection: record.connectionID)
            $0.streamId = Int64(record.streamID)
            $0.tls = record.connection.flatMap { APIObject<TLSShape>($0) }
        }
        self.delivery = APIObject<DeliveryShape>(facts)
        self.environment = record.environment.rawValue
        self.epoch = record.epoch
        self.faults = record.faults.map(FaultIDText.text)
        self.id = PushID(epoch: record.epoch, seq: record.seq).text
        self.imported = false
        self.lints = subject.context.lints(of: facts).map(APIObject<LintShape>.init)
        self.namespace = subject.name
        self.note = subject.journal.note(on: record.seq, epoch: record.epoch) ?? nil
        self.pinned = record.isPinned
        self.protocol = record.pushProtocol
        self.receivedAt = record.receivedAt.rfc3339
        self.request = APIObject<PushShape.Request>(facts)
        self.response = APIObject<PushShape.Response>(record)
        self.routedBy = record.routing.rawValue
        self.seq = record.seq
        self.service = record.service.rawValue
        self.verdict = APIObject<VerdictShape>(facts, in: subject)
        self.verifiedBy = subject.context.verifications.ids(of: record.seq)
    }
}

/// A push as the API shows it: an imported push keeps what the exporting server recorded.
package struct ShownPush {
    /// The members that always are this server's own.
    private static let own = ["id", "seq", "epoch", "namespace", "pinned", "verifiedBy"]

    let facts: PushFacts
    private let subject: ShownNamespace

    package init(_ record: PushRecord, in subject: ShownNamespace) {
        self.subject = subject
        facts = PushFacts(record)
    }

    private var record: PushRecord { facts.record }

    private var imported: JSONValue? {
        subject.imports.document(of: record.seq, epoch: record.epoch).flatMap { JSONParser.value(of: $0) }
    }

    package var json: JSONValue {
        let own = APIObject<PushShape>(facts, in: subject).json
        guard case .object(var shown)? = imported, case .object(let members) = own.read else { return own }
        for (name, value) in members where shown[name] == nil || Self.own.contains(name) { shown[name] = value }
        let isNoted = subject.journal.note(on: record.seq, epoch: record.epoch) != nil
        if isNoted { shown["note"] = members["note"] }
        shown["imported"] = true
        shown["delivery"] = Self.renumbered(shown["delivery"], as: members["delivery"])
        return .object(shown)
    }

    /// The imported delivery, its steps with the numbers that they have here.
    private static func renumbered(_ delivery: JSONValue?, as own: JSONValue?) -> JSONValue {
        guard case .object(var shown)? = delivery else { return own ?? .null }
        let numbers = (own?["timeline"]).entries.map { $0["seq"] }
        let steps = shown["timeline"].entries.enumerated().map { position, step -> JSONValue in
            guard case .object(var step) = step, position < numbers.count else { return step }
            step["seq"] = numbers[position]
            return .object(step)
        }
        shown["timeline"] = .array(steps)
        return .object(shown)
    }

    package var summary: JSONValue {
        let alert = facts.reading.alert
        var line = APIObject<PushSummaryShape>()
        line.id = PushID(epoch: record.epoch, seq: record.seq).text
        line.seq = record.seq
        line.receivedAt = record.receivedAt.rfc3339
        line.token = facts.token?.hex
        line.device = imported?["delivery"]?["device"]?.plainText ?? record.delivery?.deviceLabel
        line.topic = record.request[.apnsTopic]
        line.connection = ConnectionID(record.connectionID).text
        line.service = record.service.rawValue
        line.bundleId = record.bundleID
        line.channel = record.channel
        line.pushType = facts.pushType.name
        line.priority = facts.number(.apnsPriority)
        line.title = alert.title
        line.body = alert.body
        line.status = Int(record.answer.status)
        line.durationMs = Double(record.answer.microseconds) / 1_000
        line.reason = record.verdict.reason?.name
        line.outcome = (record.isAccepted ? PushQuery.Outcome.accepted : .rejected).rawValue
        line.delivery = PushOutline(record).delivery
        line.pinned = record.isPinned
        line.faults = record.faults.map(FaultIDText.text)
        let lints = lints
        line.lintCount = lints.count
        line.worstLint = Lint.worst(of: lints.compactMap(\.self)).map { lint in
            APIObject<PushSummaryShape.WorstLint> {
                $0.id = lint.id
                $0.severity = lint.severity.rawValue
            }
        }
        line.imported = imported != nil
        return line.json
    }

    /// The lint of each finding; `nil` for one that only the server knows where the push was recorded.
    private var lints: [Lint?] {
        if case .array(let lints)? = imported?["lints"] { return lints.map { $0["id"]?.string.flatMap(Lint.init) } }
        return subject.context.lints(of: facts).map(\.lint)
    }
}

extension APIObject<PushShape.Request> {
    init(_ facts: PushFacts) {
        let request = facts.record.request
        self.init()
        self.bodyBase64 = Base64Bytes(request.body)
        self.bodyKept = facts.hasBody
        let head = facts.record.head
        self.bodySize = Int(head.bodyLength)
        self.headerBlockSize = head.headerBlockLength == 0 ? nil : Int(head.headerBlockLength)
        self.headers = facts.headers.map { [$0.name, $0.value] }
        self.limitShare = (1_000 * Double(head.bodyLength) / Double(facts.payloadLimit)).rounded() / 1_000
        self.method = facts.method
        self.path = facts.path
        self.payload = facts.payload ?? .null
    }
}

extension APIObject<PushShape.APNs> {
    init(_ facts: PushFacts) {
        let record = facts.record
        let pushType = facts.pushType
        self.init()
        self.bundleId = record.bundleID
        self.channel = record.channel
        self.collapseId = record.request[.apnsCollapseID]
        self.expiration = facts.number(.apnsExpiration)
        self.id = record.answer.id ?? record.request[record.service == .push ? .apnsID : .apnsRequestID]
        self.priority = facts.number(.apnsPriority)
        self.pushType = pushType.name
        self.pushTypeDerived = pushType.isDerived
        self.token = facts.token?.hex
        self.topic = record.request[.apnsTopic]
        self.uniqueId = record.answer.uniqueID
    }
}

extension APIObject<PushShape.Authentication> {
    init(_ facts: PushFacts) {
        let record = facts.record
        // A token may claim any time. One outside the calendar is shown as a number only.
        let issued = record.issuedAt.flatMap { (0...Timestamp.lastWritableSecond).contains($0) ? $0 : nil }
        self.init()
        self.ageSeconds = issued.map { (record.clockTime.seconds - $0).rounded(.down) }
        self.issuedAt = issued.map { Timestamp(microseconds: Int64($0 * 1_000_000)).rfc3339 }
        self.issuedAtSeconds = record.issuedAt
        self.certificate = record.certificate
        self.keyId = record.keyID
        self.kind = record.certificate != nil ? "certificate" : facts.hasToken ? "token" : "none"
        self.meaning = record.verification.meaning.description
        self.reason = record.verification.reason?.name
        self.teamId = record.teamID
        self.verification = record.verification.rawValue
    }
}

extension APIObject<PushShape.Response> {
    package init(_ record: PushRecord) {
        let answer = record.answer
        self.init()
        self.body = answer.body
        self.durationMs = Double(answer.microseconds) / 1_000
        self.headers = answer.headers.map { [$0.name, $0.value] }
        self.packet = record.sentPacket.map { packet in
            APIObject<PushShape.Packet> {
                $0.meaning = packet.text
                $0.status = Int(packet.rawValue)
            }
        }
        self.status = Int(answer.status)
    }
}

extension APIObject<PushCheckShape> {
    /// The result for a push that was judged but not recorded.
    package init(_ record: PushRecord, in subject: ShownNamespace) {
        let facts = PushFacts(record)
        self.init()
        self.lints = subject.context.lints(of: facts).map(APIObject<LintShape>.init)
        self.response = APIObject<PushCheckShape.Response> {
            $0.reason = record.verdict.reason?.name
            $0.status = Int(record.answer.status)
        }
        self.verdict = APIObject<VerdictShape>(facts, in: subject)
    }
}

extension APIObject<LintShape> {
    package init(_ finding: LintFinding) {
        self.init()
        self.hint = finding.fix
        self.id = finding.lint.id
        self.learn = finding.lint.learn
        self.message = finding.message
        self.pointer = finding.pointer
        self.severity = finding.severity.rawValue
    }
}

extension PushFacts {
    /// A header that should be a number; `nil` if it is absent or not a number.
    fileprivate func number(_ name: HeaderName) -> UInt64? { record.request[name].flatMap { UInt64(digits: $0) } }
}

extension APIObject<PayloadCheckShape> {
    package init(_ check: PayloadCheck) {
        self.init()
        self.answer = APIObject<PayloadCheckShape.Answer> {
            $0.check = check.refusal?.check.id
            $0.expected = check.refusal?.check.expects
            $0.hint = check.refusal?.cause.hint
            $0.reason = check.refusal?.reason.name
            $0.status = Int(check.refusal?.reason.status ?? 200)
        }
        self.errors = check.count(.error)
        self.limit = check.limit
        self.lints = check.findings.map(APIObject<LintShape>.init)
        self.pushType = check.pushType.name
        self.pushTypeDerived = check.pushType.isDerived
        self.size = check.size
        self.warnings = check.count(.warning)
    }
}
