internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The input of the lints: a push from the journal, or one made of command-line arguments.
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
        type =
            if let given = request[.apnsPushType] { PushType(given) } else {
                PushFacts.derivedPushType(topic: topic, payload: payload)
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

    var hasBody: Bool { !body.isEmpty && body.count == bodyLength }

    var aps: [String: JSONValue]? {
        guard case .object(let members)? = payload?["aps"] else { return nil }
        return members
    }

    var payloadLimit: Int { PushFacts.payloadLimit(topic: topic, pushType: givenType) }

    func findings(_ lints: [Lint] = Lint.allCases) -> [LintFinding] {
        lints.flatMap { LintNotes($0, on: self).findings }
    }

    func has(_ lints: [Lint]) -> Bool { lints.contains { !LintNotes($0, on: self).findings.isEmpty } }
}

/// The findings of one lint about a push.
struct LintNotes {
    /// The maximum number of findings: a payload may have hundreds of unknown keys.
    static let mostOfOne = 10

    private(set) var findings: [LintFinding] = []
    private let lint: Lint
    private var count = 0

    init(_ lint: Lint, on push: LintedPush) {
        self.lint = lint
        lint.row.look?(push, &self)
        guard count > Self.mostOfOne, let last = findings.popLast() else { return }
        let message = "\(last.message); and \(count - Self.mostOfOne) more like this"
        findings.append(LintFinding(lint: lint, pointer: last.pointer, message: message, fix: last.fix))
    }

    /// Adds a finding at a path in the payload.
    mutating func add(_ way: [String], _ message: String, fix: String? = nil) {
        add(at: way.map { "/" + JSONPointer.escaped($0) }.joined(), message, fix)
    }

    /// Adds a finding about an invalid value at a path in the payload, or about a missing one in the object around it.
    mutating func add(_ way: [String], invalid seen: JSONValue?, _ expected: String, fix: String? = nil) {
        let message = "\(way.last ?? "") is \(seen?.words ?? "absent"); \(expected)"
        add(seen == nil ? way.dropLast() : way, message, fix: fix)
    }

    mutating func add(_ header: HeaderName, _ message: String, fix: String? = nil) {
        add(at: "headers/\(header.text)", message, fix)
    }

    private mutating func add(at pointer: String, _ message: String, _ fix: String?) {
        count += 1
        guard count <= Self.mostOfOne else { return }
        findings.append(LintFinding(lint: lint, pointer: pointer, message: message, fix: fix ?? lint.row.fix))
    }
}
