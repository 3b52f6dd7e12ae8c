internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<VerdictShape> {
    init(_ facts: PushFacts, in subject: ShownNamespace) {
        let record = facts.record
        let verdict = Verdict(facts: facts, texts: subject.checkTexts[record.service])
        let reason = record.verdict.reason
        self.init()
        self.check = verdict.fault == nil ? verdict.decidingCheck?.id : nil
        set(\.checks, to: .written(verdict.checks))
        self.decidedBy = verdict.fault.map { "fault:\($0)" } ?? verdict.decider.rawValue
        self.hint = record.cause(in: subject.world)?.hint
        self.meaning = reason?.meaning.description
        self.outcome = (verdict.isAccepted ? PushQuery.Outcome.accepted : .rejected).rawValue
        self.problem = record.problem
        self.reason = reason?.name
        self.status = Int(record.answer.status)
    }
}

private struct Verdict {
    let facts: PushFacts
    let texts: CheckTexts

    private var record: PushRecord { facts.record }

    var isAccepted: Bool { record.isAccepted }

    /// The fault that decided; the checks then show what the rules alone would have answered.
    var fault: String? { record.isDecidedByFault ? record.faults.first.map(FaultIDText.text) : nil }

    var decidingCheck: Check? {
        guard let position = record.verdict.decidedBy.map(Int.init), position < texts.checks.count else { return nil }
        return texts.checks[position]
    }

    var decider: Check.Decider { record.problem != nil ? .transport : decidingCheck?.decider ?? .validation }

    /// All checks as JSON; written directly, because a push has 30 of them.
    var checks: [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(to: &text) { $0.array(texts.checks.indices) { writeCheck(at: $1, to: &$0) } }
        return text
    }

    private func writeCheck(at position: Int, to writer: inout JSONWriter) {
        let isPassed = isPassed(position)
        writer.object { shown in
            if let isPassed { writeFindings(at: position, isPassed, to: &shown) }
            if isPassed != nil, position == texts.sizeCheck {
                shown.member("id", texts.checks[position].id)
                shown.member("limit", facts.payloadLimit)
                shown.member("ok", isPassed)
            } else {
                shown.members(texts.members(at: position, isPassed: isPassed))
            }
        }
    }

    private func writeFindings(at position: Int, _ isPassed: Bool, to shown: inout JSONWriter) {
        switch texts.checks[position].subject {
        case .none: break
        case .bodyLength: shown.member("actual", Int(record.bodyLength))
        case .devicePart:
            shown.member("actual", facts.devicePart)
            if !isPassed, let flaw = facts.devicePart.flatMap(DeviceToken.flaw) { shown.member("detail", flaw) }
        // Six checks look at the same long token, so it is shown only where it failed.
        case .header(.authorization): if !isPassed { shown.member("actual", facts.shownAuthorization) }
        case .header(let name): shown.member("actual", record.request[name])
        }
        if !isPassed { shown.member("expected", texts.checks[position].expects) }
    }

    /// Whether the push passed a check; `nil` if the check was not reached.
    private func isPassed(_ position: Int) -> Bool? {
        if isAccepted && fault == nil { return true }
        if fault != nil, record.verdict.decidedBy == nil { return true }
        guard let deciding = record.verdict.decidedBy, position <= Int(deciding) else { return nil }
        return position < Int(deciding)
    }
}
