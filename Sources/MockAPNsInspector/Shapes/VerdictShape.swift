internal import MockAPNsRules
internal import MockAPNsWorld

/// What became of a push and why, check by check.
struct VerdictShape {
    /// What kind of thing decided; the names are part of the API.
    enum Decider: String {
        case validation
        case auth
        case rateLimit = "rate-limit"
        case deviceState = "device-state"
        case transport
        case answerToken = "answer-token"

        /// What kind of thing a check is.
        init(_ check: Check) {
            switch (check.id, check.stage) {
            case ("answer-token", _): self = .answerToken
            case ("device-rate", _), ("provider-token-updates", _): self = .rateLimit
            case ("device-token-known", _), ("device-token-topic", _), ("device-token-alive", _):
                self = .deviceState
            case (_, .connection): self = .transport
            case (_, .auth): self = .auth
            default: self = .validation
            }
        }
    }

    private let facts: PushFacts
    private let record: PushRecord
    private let pipeline: Pipeline
    /// What is known now of the device token, where it matters to the verdict.
    private let registration: Registration?

    init(_ facts: PushFacts, in subject: InspectedServer) {
        self.facts = facts
        pipeline = subject.pipeline
        record = facts.record
        let reason = record.verdict.reason
        let isAboutToken = reason == .deviceTokenNotForTopic || reason == .badDeviceToken
        let token = isAboutToken ? facts.token : nil
        registration = token.flatMap { subject.world.devices.registration($0)?.registration }
    }

    var json: JSONValue {
        let row = record.verdict.reason?.row
        return [
            "outcome": .string(isAccepted ? "accepted" : "rejected"),
            "status": JSONValue(Int(record.answer.status)),
            "reason": JSONValue(record.verdict.reason?.name),
            "meaning": JSONValue(row?.meaning.description),
            "hint": JSONValue(row.map { $0.hint.description + (addedHint.map { " \($0)" } ?? "") }),
            "decidedBy": .string(fault.map { "fault:\($0)" } ?? decider.rawValue),
            "check": JSONValue(fault == nil ? decidingCheck?.id : nil),
            "checks": .array(pipeline.checks.enumerated().map { check($1, at: $0) }),
            "problem": JSONValue(record.problem),
        ]
    }

    private var isAccepted: Bool { record.answer.status == 200 }

    /// The fault that decided; what the checks say is then what the rules would have answered.
    private var fault: String? {
        record.isDecidedByFault ? record.faults.first.map(FaultIDText.text) : nil
    }

    /// The check that refused the push.
    private var decidingCheck: Check? {
        guard let position = record.verdict.decidedBy.map(Int.init), position < pipeline.checks.count else {
            return nil
        }
        return pipeline.checks[position]
    }

    private var decider: Decider {
        if record.problem != nil { return .transport }
        return decidingCheck.map(Decider.init) ?? .validation
    }

    private func check(_ check: Check, at position: Int) -> JSONValue {
        var shown: [String: JSONValue] = ["id": .string(check.id)]
        guard let isPassed = isPassed(position) else {
            shown["ok"] = .null
            return .object(shown)
        }
        shown["ok"] = .bool(isPassed)
        shown["actual"] = actual(check, isPassed: isPassed)
        if check.id == Self.sizeCheck { shown["limit"] = JSONValue(payloadLimit) }
        if !isPassed { shown["expected"] = .string(check.expects) }
        return .object(shown)
    }

    /// Whether the push passed a check; `nil` when the check was not reached.
    private func isPassed(_ position: Int) -> Bool? {
        if isAccepted && fault == nil { return true }
        if fault != nil, record.verdict.decidedBy == nil { return true }
        guard let deciding = record.verdict.decidedBy, position <= Int(deciding) else { return nil }
        return position < Int(deciding)
    }

    /// What a check looked at; `nil` for one that looks at more than a value.
    private func actual(_ check: Check, isPassed: Bool) -> JSONValue? {
        switch check.subject {
        case .none: nil
        case .bodyLength: JSONValue(record.request.bodyLength)
        case .devicePart: JSONValue(facts.devicePart)
        // Six checks look at the same long token: once is enough, where it matters.
        case .header(.authorization): isPassed ? nil : JSONValue(facts.authorization)
        case .header(let name): JSONValue(record.request[name])
        }
    }

    /// What is known of this push beyond what its reason always means.
    private var addedHint: String? {
        if record.verdict.reason == .missingProviderToken, let connection = record.connection {
            return connection.clientCertificate.map {
                ClientCertificateShape($0, at: connection.openedAt).hint
            }
        }
        return tokenHint
    }

    /// What to say of the device token, which need not be what it was when the push came.
    private var tokenHint: String? {
        guard let registration else { return nil }
        if record.verdict.reason == .deviceTokenNotForTopic, registration.topic != record.request[.apnsTopic]
        {
            return "This token belongs to \(registration.topic)."
        }
        if registration.environment != record.environment {
            return "This token belongs to \(registration.environment.name), and this address is"
                + " \(record.environment.name)."
        }
        return nil
    }

    private static let sizeCheck = "payload-size"

    /// The largest body that this push may have.
    private var payloadLimit: Int {
        let headers = [HeaderName.apnsTopic, .apnsPushType].compactMap { name in
            record.request[name].map { (name: name.text.description, value: $0) }
        }
        return RequestView.withRequest(headers: headers, body: []) { $0.payloadLimit }
    }
}
