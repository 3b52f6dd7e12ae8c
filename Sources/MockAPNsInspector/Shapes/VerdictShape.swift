internal import MockAPNsFormats
internal import MockAPNsQuery
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
    private let texts: CheckTexts
    /// What is known now of the device token, where it matters to the verdict.
    private let registration: Registration?

    init(_ facts: PushFacts, in subject: InspectedServer) {
        self.facts = facts
        texts = subject.checkTexts
        let reason = facts.record.verdict.reason
        let isAboutToken = reason == .deviceTokenNotForTopic || reason == .badDeviceToken
        let token = isAboutToken ? facts.token : nil
        registration = token.flatMap { subject.world.devices.registration($0)?.registration }
    }

    private var record: PushRecord { facts.record }

    /// Writes the verdict.
    func write(to writer: inout JSONWriter) {
        let row = record.verdict.reason?.row
        writer.object { verdict in
            verdict.member("check", fault == nil ? decidingCheck?.id : nil)
            verdict.array("checks", texts.checks.indices) { writeCheck(at: $1, to: &$0) }
            verdict.member("decidedBy", fault.map { "fault:\($0)" } ?? decider.rawValue)
            verdict.member("hint", row.map { $0.hint.description + (addedHint.map { " \($0)" } ?? "") })
            verdict.member("meaning", row?.meaning.description)
            verdict.member("outcome", isAccepted ? "accepted" : "rejected")
            verdict.member("problem", record.problem)
            verdict.member("reason", record.verdict.reason?.name)
            verdict.member("status", record.answer.status)
        }
    }

    private var isAccepted: Bool { record.answer.status == 200 }

    /// The fault that decided; what the checks say is then what the rules would have answered.
    private var fault: String? {
        record.isDecidedByFault ? record.faults.first.map(FaultIDText.text) : nil
    }

    /// The check that refused the push.
    private var decidingCheck: Check? {
        guard let position = record.verdict.decidedBy.map(Int.init), position < texts.checks.count else {
            return nil
        }
        return texts.checks[position]
    }

    private var decider: Decider {
        if record.problem != nil { return .transport }
        return decidingCheck.map(Decider.init) ?? .validation
    }

    private func writeCheck(at position: Int, to writer: inout JSONWriter) {
        let isPassed = isPassed(position)
        writer.object { shown in
            if let isPassed { writeFindings(at: position, isPassed, to: &shown) }
            if isPassed != nil, position == texts.sizeCheck {
                shown.member("id", texts.checks[position].id)
                shown.member("limit", payloadLimit)
                shown.member("ok", isPassed)
            } else {
                shown.members(texts.members(at: position, isPassed: isPassed))
            }
        }
    }

    /// Writes the value that a check saw and, if the check failed, what it expected.
    private func writeFindings(at position: Int, _ isPassed: Bool, to shown: inout JSONWriter) {
        switch texts.checks[position].subject {
        case .none: break
        case .bodyLength: shown.member("actual", record.request.bodyLength)
        case .devicePart: shown.member("actual", facts.devicePart)
        // Six checks look at the same long token: once is enough, where it matters.
        case .header(.authorization):
            if !isPassed { shown.member("actual", facts.authorization) }
        case .header(let name): shown.member("actual", record.request[name])
        }
        if !isPassed { shown.member("expected", texts.checks[position].expects) }
    }

    /// Whether the push passed a check; `nil` when the check was not reached.
    private func isPassed(_ position: Int) -> Bool? {
        if isAccepted && fault == nil { return true }
        if fault != nil, record.verdict.decidedBy == nil { return true }
        guard let deciding = record.verdict.decidedBy, position <= Int(deciding) else { return nil }
        return position < Int(deciding)
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

    /// The largest body that this push may have.
    private var payloadLimit: Int {
        PushFacts.payloadLimit(topic: record.request[.apnsTopic], pushType: record.request[.apnsPushType])
    }
}
