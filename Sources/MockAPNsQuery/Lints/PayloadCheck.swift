package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// Checks a payload without a server: runs the lints and predicts the APNs response.
package struct PayloadCheck: Sendable {
    package let findings: [LintFinding]
    package let refusal: (reason: Reason, check: Check, cause: Cause)?
    package let pushType: (name: String, isDerived: Bool)
    /// The given schemas that apply to no part of the payload, by name; empty if it is not JSON.
    package let unusedSchemas: [AppSchemaName]
    package let size: Int
    /// The maximum size for this push, in bytes.
    package let limit: Int

    /// A missing header or device token is assumed to be correct; `token` is the path after `/3/device/`.
    ///
    /// A broadcast has no token, and is for the app of the topic. The schemas are those of the push's app.
    package init(
        body: [UInt8], headers given: [HeaderName: String], others: [(name: String, value: String)] = [],
        token: String? = nil, isBroadcast: Bool = false, schemas: [AppSchemaName: JSONSchema] = [:], at now: Timestamp
    ) {
        size = body.count
        let service: Service = isBroadcast ? .broadcast : .push
        let givenType = given[.apnsPushType]
        let type = PushType.delivered(header: givenType, topic: given[.apnsTopic], body: body, service: service)
        pushType = (givenType ?? type.name, givenType == nil)
        var headers: [HeaderName: String] = [.method: "POST"]
        if isBroadcast {
            headers[.path] = "/4/broadcasts/apps/" + Topic.bundleID(of: given[.apnsTopic] ?? Self.bundleID)
            headers[.apnsChannelID] = ChannelID(UniqueID(high: 1, low: 2)).text
            headers[.apnsPushType] = type.name
        } else {
            headers[.path] = "/3/device/" + (token ?? String(repeating: "ab", count: 32))
            // A topic that is not an app's has no suffix, and only MDM has a type of its own.
            headers[.apnsTopic] =
                type == .mdm ? "com.apple.mgmt.External" : Self.bundleID + type.row.topicSuffix.description
        }
        headers.merge(given) { _, given in given }
        if isBroadcast { headers[.apnsTopic] = nil }
        let fields =
            HeaderName.allCases.compactMap { name in headers[name].map { (name.text.description, $0) } }
            + others.map { ($0.name, $0.value) }
        var outline = PushOutline()
        outline.head.clockTime = now
        let found: [LintFinding]
        (found, refusal, limit, unusedSchemas) = RequestView.withRequest(headers: fields, body: body) { request in
            let push = Candidate(request, outline, in: nil, StepBudget(Candidate.largestAlone))
            push.givenSchemas = push.schemas(schemas)
            let used = push.schemaChecks.map(\.name)
            let unused = push.payload == nil ? [] : schemas.keys.filter { !used.contains($0) }.sorted()
            return (push.findings, Self.refusal(of: request, at: now), request.payloadLimit, unused)
        }
        findings = Lint.Severity.allCases.flatMap { severity in
            // A push type that was not specified here is unknown, not missing from the push; so is the environment.
            found.filter {
                $0.severity == severity && (givenType != nil || $0.lint != .pushTypeMissing)
                    && $0.lint != .productionOnly
            }
        }
    }

    private static let bundleID = "com.example.app"

    package func count(_ severity: Lint.Severity) -> Int { findings.count { $0.severity == severity } }

    /// Returns why the default rules reject the request, accepting any provider token and unregistered device token.
    private static func refusal(
        of request: borrowing RequestView, at now: Timestamp
    ) -> (reason: Reason, check: Check, cause: Cause)? {
        var options = RuleOptions()
        options.authentication = .any
        options.answersOnDemand = false
        let nobody = Nobody()
        var situation = Situation(environment: .sandbox, authority: nobody, devices: nobody, channels: nobody)
        situation.begin(at: now, options: options)
        let pipeline = Pipeline.standard
        let verdict = pipeline.verdict(on: request, in: &situation)
        guard let reason = verdict.reason, let position = verdict.decidedBy else { return nil }
        let check = pipeline.checks(of: situation.service)[Int(position)]
        var evidence = Evidence(reason)
        (evidence.service, evidence.now) = (situation.service, now)
        return (reason, check, check.cause(request, evidence))
    }

    private final class Nobody: ProviderTokenAuthority, DeviceDirectory, ChannelDirectory {
        func credential(for token: ByteSpan) -> ProviderCredential {
            switch ProviderToken.parse(token) {
            case .success(let token): ProviderCredential(token: token, verification: .notChecked)
            case .failure(let refusal): ProviderCredential(refusal: refusal)
            }
        }

        func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing { .known }
        func find(_ token: DeviceToken) -> RegisteredToken? { nil }
        func allowsBroadcasts(to bundleID: String) -> Bool { true }
        func storage(of channel: ChannelID, in app: ChannelApp) -> ChannelStorage? { .newest }
        func hasRoom(in app: ChannelApp) -> Bool { true }
        func admits(_ channel: ChannelID, rate: RuleOptions.Rate, at now: Timestamp) -> Bool { true }
        func topicNumber(_ topic: ByteSpan) -> UInt32 { 0 }
        func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool { true }
    }
}
