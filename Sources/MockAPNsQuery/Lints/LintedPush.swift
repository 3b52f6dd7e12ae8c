internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push as lints look at it: its headers and payload, and the time.
///
/// Whatever it is made of, a record, a request in the journal or words of the command line, the lints are the
/// same.
struct LintedPush {
    /// What follows `/3/device/`.
    let devicePart: String
    /// The push type as its header gave it.
    let givenType: String?
    /// The push type that it has; `nil` when its header has one that does not exist.
    let type: PushType?
    let topic: String?
    let priority: String?
    let expiration: Expiration?
    let collapseID: String?
    let id: String?
    /// The provider token, without its signature, or why it could not be read.
    let providerToken: Result<ProviderToken, ProviderToken.Refusal>?
    /// What is at hand of the body.
    let body: [UInt8]
    /// The number of bytes that arrived.
    let bodyLength: Int
    /// The body as JSON; `nil` when it is none.
    let payload: JSONValue?
    /// When it came, on the world's clock.
    let clockTime: Timestamp

    /// A request; `nil` for one that is no push.
    ///
    /// - Parameters:
    ///   - request: what came.
    ///   - payload: its body as JSON.
    ///   - clockTime: when, on the world's clock.
    init?(_ request: borrowing RequestView, payload: JSONValue?, at clockTime: Timestamp) {
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
        providerToken = ProviderToken.bearer(request[.authorization]).map { ProviderToken.parse($0) }
        body = Array(request.body.bytes)
        bodyLength = request.bodyLength
        self.payload = payload
        self.clockTime = clockTime
    }

    /// A request in the journal.
    init?(_ request: borrowing RequestView, _ outline: PushOutline, payload: () -> JSONValue?) {
        guard !outline.hasProblem else { return nil }
        self.init(request, payload: payload(), at: outline.clockTime)
    }

    /// A record of the journal.
    ///
    /// - Parameters:
    ///   - facts: what its headers and payload say.
    ///   - parse: takes its provider token apart.
    init?(_ facts: PushFacts, _ parse: (ByteSpan) -> Result<ProviderToken, ProviderToken.Refusal>) {
        let record = facts.record
        guard record.problem == nil, facts.method == "POST", let devicePart = facts.devicePart else {
            return nil
        }
        func read<Value>(_ name: HeaderName, _ value: (ByteSpan) -> Value?) -> Value? {
            guard var text = record.request[name] else { return nil }
            return text.withUTF8 { value(ByteSpan($0)) }
        }
        self.devicePart = devicePart
        topic = record.request[.apnsTopic]
        givenType = record.request[.apnsPushType]
        type =
            givenType == nil
            ? PushFacts.derivedPushType(topic: topic, payload: facts.payload)
            : read(.apnsPushType) { PushType($0) }
        priority = record.request[.apnsPriority]
        expiration = read(.apnsExpiration) { Expiration($0) }
        collapseID = record.request[.apnsCollapseID]
        id = record.request[.apnsID]
        providerToken = read(.authorization) { ProviderToken.bearer($0).map(parse) }
        body = record.request.body
        bodyLength = record.request.bodyLength
        payload = facts.payload
        clockTime = record.clockTime
    }

    /// Whether there is a body, and all of it is at hand.
    var hasBody: Bool { !body.isEmpty && body.count == bodyLength }

    /// What the payload has for the system; `nil` when it has nothing, or something else than an object.
    var aps: [String: JSONValue]? {
        guard case .object(let members)? = payload?["aps"] else { return nil }
        return members
    }

    /// The largest body that this push may have.
    var payloadLimit: Int { PushFacts.payloadLimit(topic: topic, pushType: givenType) }

    /// What is found in it, in the order of the lints.
    func findings(_ lints: [Lint] = Lint.allCases) -> [LintFinding] {
        var notes = LintNotes()
        for lint in lints { notes.take(lint, of: self) }
        return notes.findings
    }

    /// Whether one of these lints finds anything.
    func has(_ lints: some Sequence<Lint>) -> Bool {
        var notes = LintNotes()
        for lint in lints {
            notes.take(lint, of: self)
            if !notes.findings.isEmpty { return true }
        }
        return false
    }
}
