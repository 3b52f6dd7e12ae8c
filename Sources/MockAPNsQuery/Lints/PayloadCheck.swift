internal import MockAPNsFormats
public import MockAPNsRules

/// What would become of a payload, without a server: the lints, and what APNs would answer.
///
/// Every header may be left out, and is then right: only what is there is judged.
public struct PayloadCheck: Sendable {
    /// The headers that the payload would be sent with, and the device token.
    public struct Headers: Sendable {
        /// The value of `apns-push-type`.
        public var pushType: String?
        /// The value of `apns-topic`.
        public var topic: String?
        /// The value of `apns-priority`.
        public var priority: String?
        /// The value of `apns-expiration`.
        public var expiration: String?
        /// The value of `apns-collapse-id`.
        public var collapseID: String?
        /// What follows `/3/device/` in the path.
        public var token: String?

        /// No headers.
        public init() {}
    }

    /// Why APNs would not take the push.
    public struct Refusal: Sendable {
        /// What it would answer.
        public let reason: Reason
        /// The check that refuses it.
        public let check: String
        /// What the check wants to see.
        public let expected: String
    }

    /// What is odd about the push, the worst first.
    public let findings: [LintFinding]
    /// Why APNs would not take it; `nil` when it would.
    public let refusal: Refusal?
    /// The push type, and whether it is told from the payload and the topic.
    public let pushType: (name: String, isDerived: Bool)
    /// The number of bytes.
    public let size: Int
    /// The largest number of bytes for this push.
    public let limit: Int

    /// Looks at a payload, with the rules as they are by default.
    ///
    /// - Parameters:
    ///   - body: the payload as it would be sent.
    ///   - headers: what would be sent with it.
    ///   - now: when.
    public init(body: [UInt8], headers: Headers = Headers(), at now: Timestamp) {
        size = body.count
        let payload = PushFacts.payload(of: body)
        let derived = PushFacts.derivedPushType(topic: headers.topic, payload: payload)
        pushType = (headers.pushType ?? derived.name, headers.pushType == nil)
        let type = PushType.allCases.first { $0.name == headers.pushType } ?? derived
        let fields = Self.fields(headers, for: type)
        let (push, refusal, limit) = RequestView.withRequest(headers: fields, body: body) { request in
            (
                LintedPush(request, payload: payload, at: now), Self.refusal(of: request, at: now),
                request.payloadLimit
            )
        }
        self.refusal = refusal
        self.limit = limit
        // Who says nothing of the push type has not left it out of the push.
        let lints = Lint.allCases.filter { headers.pushType != nil || $0 != .pushTypeMissing }
        let found = push?.findings(lints) ?? []
        findings = Lint.Severity.allCases.flatMap { severity in found.filter { $0.severity == severity } }
    }

    /// How many findings are as bad as this.
    public func count(_ severity: Lint.Severity) -> Int { findings.count { $0.severity == severity } }

    /// Everything, for programs.
    public var json: [UInt8] {
        let value: JSONValue = [
            "pushType": .string(pushType.name),
            "pushTypeDerived": .bool(pushType.isDerived),
            "size": JSONValue(size),
            "limit": JSONValue(limit),
            "answer": [
                "status": JSONValue(Int(refusal?.reason.status ?? 200)),
                "reason": JSONValue(refusal?.reason.name),
                "check": JSONValue(refusal?.check),
                "expected": JSONValue(refusal?.expected),
                "hint": JSONValue(refusal?.reason.row.hint.description),
            ],
            "errors": JSONValue(count(.error)),
            "warnings": JSONValue(count(.warning)),
            "lints": .array(findings.map(\.json)),
        ]
        return value.text
    }

    /// A request with these headers, and with right ones where none are given.
    private static func fields(_ headers: Headers, for type: PushType) -> [(name: String, value: String)] {
        let token = headers.token ?? String(repeating: "ab", count: 32)
        let given: [(HeaderName, String?)] = [
            (.method, "POST"),
            (.path, "/3/device/" + token),
            (.apnsTopic, headers.topic ?? "com.example.app\(type.row.topicSuffix)"),
            (.apnsPushType, headers.pushType),
            (.apnsPriority, headers.priority),
            (.apnsExpiration, headers.expiration),
            (.apnsCollapseID, headers.collapseID),
        ]
        return given.compactMap { name, value in value.map { (name.text.description, $0) } }
    }

    /// What the rules say, where nobody has a provider token and every device token is known.
    private static func refusal(of request: borrowing RequestView, at now: Timestamp) -> Refusal? {
        var options = RuleOptions()
        options.authentication = .any
        options.answersOnDemand = false
        let nobody = Nobody()
        var situation = Situation(environment: .sandbox, authority: nobody, devices: nobody)
        situation.begin(at: now, options: options, isStopping: false)
        let pipeline = Pipeline.standard
        let verdict = pipeline.verdict(on: request, in: &situation)
        guard let reason = verdict.reason, let position = verdict.decidedBy else { return nil }
        let check = pipeline.checks[Int(position)]
        return Refusal(reason: reason, check: check.id, expected: check.expects)
    }

    /// Knows no provider token and no device token.
    private final class Nobody: ProviderTokenAuthority, DeviceDirectory {
        var updateWindowsByKey = TokenUpdateWindows()

        func credential(for token: ByteSpan) -> ProviderCredential {
            switch ProviderToken.parse(token) {
            case .success(let token):
                ProviderCredential(
                    token: token,
                    key: ProviderKey(keyID: token.keyID, teamID: token.teamID),
                    verification: .notChecked
                )
            case .failure(let refusal): ProviderCredential(refusal: refusal)
            }
        }

        func find(_ token: DeviceToken) -> RegisteredToken? { nil }
        func topicNumber(_ topic: ByteSpan) -> UInt32 { 0 }
        func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool { true }
    }
}
