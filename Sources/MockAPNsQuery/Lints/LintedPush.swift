internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The input of the lints: a push's headers and payload, and its time.
///
/// Created from a request, which may be one in the journal or made of command-line arguments.
struct LintedPush {
    let devicePart: String
    let givenType: String?
    /// The push type, derived if the header is missing, or `nil` if the header's value is unknown.
    let type: PushType?
    let topic: String?
    let priority: String?
    let expiration: Expiration?
    let collapseID: String?
    let id: String?
    /// The provider token without its signature, or why it could not be parsed.
    let providerToken: Result<ProviderToken, ProviderToken.Refusal>?
    /// The stored part of the body.
    let body: [UInt8]
    let bodyLength: Int
    let payload: JSONValue?
    /// When the push arrived, by the world's clock.
    let clockTime: Timestamp

    /// Returns `nil` unless it is a POST request to a device path.
    init?(
        _ request: borrowing RequestView,
        payload: JSONValue?,
        at clockTime: Timestamp,
        parse: (ByteSpan) -> Result<ProviderToken, ProviderToken.Refusal> = { ProviderToken.parse($0) }
    ) {
        guard let device = request.devicePart, request[.method]?.equals("POST") == true else { return nil }
        devicePart = device.text
        topic = request[.apnsTopic]?.text
        givenType = request[.apnsPushType]?.text
        if let given = request[.apnsPushType] {
            type = PushType(given)
        } else {
            type = PushFacts.derivedPushType(topic: topic, payload: payload)
        }
        priority = request[.apnsPriority]?.text
        expiration = request[.apnsExpiration].flatMap { Expiration($0) }
        collapseID = request[.apnsCollapseID]?.text
        id = request[.apnsID]?.text
        providerToken = ProviderToken.bearer(request[.authorization]).map(parse)
        body = Array(request.body.bytes)
        bodyLength = request.bodyLength
        self.payload = payload
        self.clockTime = clockTime
    }

    /// Whether the body is not empty and completely stored.
    var hasBody: Bool { !body.isEmpty && body.count == bodyLength }

    var aps: [String: JSONValue]? {
        guard case .object(let members)? = payload?["aps"] else { return nil }
        return members
    }

    var payloadLimit: Int { PushFacts.payloadLimit(topic: topic, pushType: givenType) }

    func findings(_ lints: [Lint] = Lint.allCases) -> [LintFinding] {
        var notes = LintNotes()
        for lint in lints { notes.take(lint, of: self) }
        return notes.findings
    }

    func has(_ lints: some Sequence<Lint>) -> Bool {
        var notes = LintNotes()
        for lint in lints {
            notes.take(lint, of: self)
            if !notes.findings.isEmpty { return true }
        }
        return false
    }
}
