internal import FoundationEssentials
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// An exported push, converted to what the journal records of a push.
struct ImportedPush {
    struct Failure: Error {
        let pointer: String
        let message: String
    }

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
    init(_ document: JSONValue, checks: [[String]]) throws(Failure) {
        let request = document["request"] ?? .null
        let isBinary = document["protocol"]?.plainText == ProviderInterface.gateway.pushProtocol
        var headers = Self.headers(request, isBinary: isBinary)
        guard let data = Data(base64Encoded: request["bodyBase64"]?.plainText ?? "") else {
            throw Failure(pointer: "/request/bodyBase64", message: "is not Base64")
        }
        body = Array(data)
        bodyLength = max(Self.number(request["bodySize"], atMost: Int(Int32.max)), body.count)
        headerBlockLength = Self.number(request["headerBlockSize"], atMost: Int(Int32.max))
        let received = try Self.time(document, "receivedAt")
        let clock = try Self.time(document, "clockTime")
        let verdict = document["verdict"] ?? .null
        let reason = verdict["reason"]?.plainText.flatMap { Reason(name: $0) }
        let status = UInt16(Self.number(verdict["status"], atMost: 999))
        let service = document["service"]?.plainText.flatMap { Service(rawValue: $0) } ?? .push
        let decidedBy = verdict["check"]?.plainText.flatMap { checks[service.index].firstIndex(of: $0) }
        let response = document["response"] ?? .null
        let duration = Self.microseconds(response["durationMs"])
        let connection = document["connection"] ?? .null
        let verification =
            document["auth"]?["verification"]?.plainText.flatMap { TokenVerification(rawValue: $0) } ?? .notChecked
        let apnsID = document["apns"]?["id"]?.plainText
        let echo = headers.first { $0.name == HeaderName.apnsID.text.description }?.value
        var facts = RecordHead()
        facts.receivedAt = received
        facts.clockTime = clock
        facts.connectionID = connection["id"]?.plainText.flatMap { UInt64($0.dropFirst()) } ?? 0
        facts.streamID = Int32(Self.number(connection["streamId"], atMost: Int(Int32.max)))
        let requests = Self.number(connection["pushesOnConnection"], atMost: Int(Int32.max))
        facts.requestOnConnection = UInt32(requests)
        facts.environment = document["environment"]?.plainText.flatMap { Environment(rawValue: $0) } ?? .sandbox
        facts.isBinary = isBinary
        let packet = Self.number(document["response"]?["packet"]?["status"], atMost: Int(UInt8.max))
        facts.packet = isBinary && packet > 0 ? GatewayStatus(rawValue: UInt8(packet)) : nil
        facts.status = status
        facts.verdict = Verdict(reason: reason, decidedBy: decidedBy.map { UInt8(clamping: $0) })
        facts.service = service
        facts.verification = verification
        facts.id = apnsID == echo ? nil : apnsID.flatMap(Self.uniqueID)
        facts.uniqueID = document["apns"]?["uniqueId"]?.plainText.flatMap(Self.uniqueID)
        facts.hasContentType = reason != nil
        certificate = document["auth"]?["certificate"]?.plainText ?? ""
        let topicName = HeaderName.apnsTopic.text.description
        if !certificate.isEmpty, let topic = document["apns"]?["topic"]?.plainText,
            !headers.contains(where: { $0.name == topicName })
        {
            headers.append((topicName, topic))
            facts.impliesTopic = true
        }
        self.headers = headers
        self.facts = facts
        credential = Self.credential(headers, document["auth"], verification)
        problem = verdict["problem"]?.plainText ?? ""
        var steps: [(event: DeliveryEvent, at: Timestamp)] = []
        var answered = clock
        for (position, step) in (document["delivery"]?["timeline"]).entries.enumerated() {
            let place = "/delivery/timeline/\(position)"
            guard let at = step["at"]?.plainText.flatMap({ Timestamp(rfc3339: $0) }) else {
                throw Failure(pointer: place + "/at", message: "is not a time")
            }
            let name = step["event"]?.plainText ?? ""
            switch (position, name) {
            case (0, "received"): break
            case (1, "responded"): answered = at
            default:
                let detail = step["detail"]?.plainText
                let event = DeliveryEvent.allCases.first {
                    $0.row.event.description == name && $0.row.detail?.description == detail
                }
                guard position > 1, status == 200, let event else {
                    throw Failure(pointer: place, message: "is '\(name)', which is not a step at this point")
                }
                steps.append((event, at))
            }
        }
        let last = steps.last { $0.event.row.state != nil }?.event.row.state?.description
        let state = document["delivery"]?["state"]?.plainText
        guard state == last ?? PushQuery.notAttempted else {
            throw Failure(pointer: "/delivery/state", message: "is not what the timeline leads to")
        }
        let sent = Timestamp(microseconds: received.microseconds + duration)
        answer = (WorldClock.Reading(system: sent, world: answered), steps)
    }

    private static func headers(_ request: JSONValue, isBinary: Bool) -> [(name: String, value: String)] {
        var headers = [
            (name: ":method", value: request["method"]?.plainText ?? ""), (name: ":scheme", value: "https"),
            (name: ":path", value: request["path"]?.plainText ?? ""),
        ]
        for pair in request["headers"].entries {
            let parts = pair.entries.map { $0.plainText ?? "" }
            guard parts.count == 2 else { continue }
            // The marker replaces the signature, which the journal cuts off.
            headers.append((parts[0], parts[1].replacing(PushFacts.signatureMarker, with: "AA")))
        }
        return isBinary ? FrameFields.headers(of: headers) : headers
    }

    private static func credential(
        _ headers: [(name: String, value: String)], _ auth: JSONValue?, _ verification: TokenVerification
    ) -> ProviderCredential? {
        // The provider token was not read, because the push was rejected before.
        guard auth?["keyId"]?.plainText != nil || auth?["teamId"]?.plainText != nil else { return nil }
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

    private static func time(_ document: JSONValue, _ name: String) throws(Failure) -> Timestamp {
        guard let time = document[name]?.plainText.flatMap({ Timestamp(rfc3339: $0) }) else {
            throw Failure(pointer: "/" + name, message: "is not a time such as 2026-01-05T10:11:12Z")
        }
        return time
    }

    private static func number(_ value: JSONValue?, atMost most: Int) -> Int {
        guard case .integer(let number)? = value else { return 0 }
        return Int(min(max(number, 0), Int64(most)))
    }

    /// Converts milliseconds to microseconds, limited to a day.
    private static func microseconds(_ milliseconds: JSONValue?) -> Int64 {
        guard let number = milliseconds?.plainText.flatMap({ Double($0) }), number > 0 else { return 0 }
        return Int64((min(number, 86_400_000) * 1_000).rounded())
    }

    private static func uniqueID(_ text: String) -> UniqueID? {
        let digits = text.filter { $0 != "-" }
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.dropFirst(16), radix: 16)
        else { return nil }
        return UniqueID(high: high, low: low)
    }
}
