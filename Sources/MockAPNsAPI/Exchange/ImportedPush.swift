internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// An exported push, converted to what the journal records of a push.
struct ImportedPush {
    /// The members that a push must have.
    static let needed = [
        "/receivedAt", "/clockTime", "/environment", "/request", "/apns", "/auth", "/connection", "/verdict",
        "/response", "/delivery",
    ]

    let headers: [(name: String, value: String)]
    let body: [UInt8]
    let bodyLength: Int
    let headerBlockLength: Int
    let facts: RecordHead
    let credential: ProviderCredential?
    /// The app of the client certificate; empty if there was none.
    let certificate: String
    let problem: String
    let answer: Journal.AdoptedAnswer

    /// `document` matches the schema; `checks` are the ids of all checks of each service, in order.
    init(_ document: JSONValue, checks: [[String]]) throws(Complaint) {
        let reader = ValueReader(document)
        let push = APIObject<PushShape>(reading: reader)
        let (request, verdict, connection) = (push.request, push.verdict, push.connection)
        let isBinary = push.ifGiven(\.protocol) == ProviderInterface.gateway.pushProtocol
        var headers = Self.headers(request, isBinary: isBinary)
        body = request.bodyBase64.bytes
        bodyLength = max(Self.limited(request.bodySize), body.count)
        headerBlockLength = Self.limited(request.headerBlockSize ?? 0)
        let received = try Self.time(push.receivedAt, at: "/receivedAt")
        let clock = try Self.time(push.clockTime, at: "/clockTime")
        let reason = verdict.reason.flatMap { Reason(name: $0) }
        let status = UInt16(Self.limited(verdict.status, to: 999))
        let service = push.ifGiven(\.service).flatMap { Service(rawValue: $0) } ?? .push
        let decidedBy = verdict.check.flatMap { checks[service.index].firstIndex(of: $0) }
        let verification = TokenVerification(rawValue: push.auth.verification) ?? .notChecked
        let apnsID = push.apns.id
        let echo = headers.first { $0.name == HeaderName.apnsID.text.description }?.value
        var facts = RecordHead()
        facts.receivedAt = received
        facts.clockTime = clock
        facts.connectionID = UInt64(connection.id.dropFirst()) ?? 0
        facts.streamID = Int32(Self.limited(Int(clamping: connection.streamId)))
        facts.requestOnConnection = UInt32(Self.limited(Int(clamping: connection.pushesOnConnection)))
        facts.environment = Environment(rawValue: push.environment) ?? .sandbox
        facts.isBinary = isBinary
        let packet = Self.limited(push.response.packet?.status ?? 0, to: Int(UInt8.max))
        facts.packet = isBinary && packet > 0 ? GatewayStatus(rawValue: UInt8(packet)) : nil
        facts.status = status
        facts.verdict = Verdict(reason: reason, decidedBy: decidedBy.map { UInt8(clamping: $0) })
        facts.service = service
        facts.verification = verification
        facts.id = apnsID == echo ? nil : apnsID.flatMap(Self.uniqueID)
        facts.uniqueID = push.apns.uniqueId.flatMap(Self.uniqueID)
        facts.hasContentType = reason != nil
        certificate = push.auth.certificate ?? ""
        let topicName = HeaderName.apnsTopic.text.description
        if !certificate.isEmpty, let topic = push.apns.topic, !headers.contains(where: { $0.name == topicName }) {
            headers.append((topicName, topic))
            facts.impliesTopic = true
        }
        self.headers = headers
        self.facts = facts
        credential = Self.credential(headers, push.auth, verification)
        problem = verdict.problem ?? ""
        // Milliseconds, limited to a day.
        let duration = Int64((min(max(push.response.durationMs, 0), 86_400_000) * 1_000).rounded())
        let sent = Timestamp(microseconds: received.microseconds + duration)
        let (answered, steps) = try Self.steps(push.delivery, isSent: status == 200)
        // A later version may know more refusals.
        let refusal = push.delivery.ignored.flatMap { ActivityRefusal(code: $0.code) }
        answer = (WorldClock.Reading(system: sent, world: answered ?? clock), steps, refusal)
        if let complaint = reader.complaint { throw complaint }
    }

    /// When the push was answered, and what happened to its notification after that.
    private static func steps(
        _ delivery: APIObject<DeliveryShape>, isSent: Bool
    ) throws(Complaint) -> (answered: Timestamp?, [(event: DeliveryEvent, at: Timestamp)]) {
        var steps: [(event: DeliveryEvent, at: Timestamp)] = []
        var answered: Timestamp?
        for (position, step) in delivery.timeline.enumerated() {
            let place = "/delivery/timeline/\(position)"
            guard let at = Timestamp(rfc3339: step.at) else {
                throw Complaint(path: place + "/at", message: "is not a time")
            }
            let name = step.event
            switch (position, name) {
            case (0, "received"): break
            case (1, "responded"): answered = at
            default:
                let detail = step.detail
                let event = DeliveryEvent.allCases.first {
                    $0.row.event.description == name && $0.row.detail?.description == detail
                }
                guard position > 1, isSent, let event else {
                    throw Complaint(path: place, message: "is '\(name)', which is not a step at this point")
                }
                steps.append((event, at))
            }
        }
        let last = steps.last { $0.event.row.state != nil }?.event.row.state?.description
        guard delivery.state == last ?? PushQuery.notAttempted else {
            throw Complaint(path: "/delivery/state", message: "is not what the timeline leads to")
        }
        return (answered, steps)
    }

    private static func headers(
        _ request: APIObject<PushShape.Request>, isBinary: Bool
    ) -> [(name: String, value: String)] {
        var headers = [
            (name: ":method", value: request.method), (name: ":scheme", value: "https"),
            (name: ":path", value: request.path),
        ]
        for pair in request.headers where pair.count == 2 {
            // The marker replaces the signature, which the journal cuts off.
            headers.append((pair[0], pair[1].replacing(PushFacts.signatureMarker, with: "AA")))
        }
        return isBinary ? FrameFields.headers(of: headers) : headers
    }

    private static func credential(
        _ headers: [(name: String, value: String)], _ auth: APIObject<PushShape.Authentication>,
        _ verification: TokenVerification
    ) -> ProviderCredential? {
        // The provider token was not read, because the push was rejected before.
        guard auth.keyId != nil || auth.teamId != nil else { return nil }
        guard var text = headers.first(where: { $0.name == HeaderName.authorization.text.description })?.value else {
            return nil
        }
        return text.withUTF8 { bytes in
            guard let token = ProviderToken.bearer(ByteSpan(bytes)) else { return nil }
            switch ProviderToken.parse(token) {
            case .success(let token): return ProviderCredential(token: token, verification: verification)
            case .failure(let refusal): return ProviderCredential(refusal: refusal)
            }
        }
    }

    private static func time(_ text: String, at place: String) throws(Complaint) -> Timestamp {
        if let time = Timestamp(rfc3339: text) { return time }
        throw Complaint(path: place, message: "is not a time such as 2026-01-05T10:11:12Z")
    }

    private static func limited(_ number: Int, to most: Int = Int(Int32.max)) -> Int { min(max(number, 0), most) }

    private static func uniqueID(_ text: String) -> UniqueID? {
        let digits = text.filter { $0 != "-" }
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.dropFirst(16), radix: 16)
        else { return nil }
        return UniqueID(high: high, low: low)
    }
}
