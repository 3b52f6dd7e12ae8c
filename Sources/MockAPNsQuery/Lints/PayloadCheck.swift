internal import MockAPNsFormats
package import MockAPNsRules

/// Checks a payload without a server: runs the lints and predicts the APNs response.
///
/// All headers are optional. A missing header is assumed to be correct.
package struct PayloadCheck: Sendable {
    package struct Headers: Sendable {
        package var pushType: String?
        package var topic: String?
        package var priority: String?
        package var expiration: String?
        package var collapseID: String?
        /// The path after `/3/device/`.
        package var token: String?

        package init() {}
    }

    package struct Refusal: Sendable {
        package let reason: Reason
        package let check: String
        package let expected: String
    }

    package let findings: [LintFinding]
    package let refusal: Refusal?
    package let pushType: (name: String, isDerived: Bool)
    package let size: Int
    /// The maximum size for this push, in bytes.
    package let limit: Int

    package init(body: [UInt8], headers: Headers = Headers(), at now: Timestamp) {
        size = body.count
        let payload = JSONParser.value(of: body)
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
        // A push type that was not specified here is unknown, not missing from the push.
        let lints = Lint.allCases.filter { headers.pushType != nil || $0 != .pushTypeMissing }
        let found = push?.findings(lints) ?? []
        findings = Lint.Severity.allCases.flatMap { severity in found.filter { $0.severity == severity } }
    }

    package func count(_ severity: Lint.Severity) -> Int { findings.count { $0.severity == severity } }

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

    /// Returns why the default rules reject the request, accepting any provider token and unregistered device token.
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
