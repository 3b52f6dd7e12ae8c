internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What was decided about a push, and by what.
package struct ShownVerdict {
    let facts: PushFacts
    let hint: String?
    /// The checks of the push's service, in the order they run.
    private let all: [Check]

    init(_ facts: PushFacts, in subject: ShownNamespace) {
        self.facts = facts
        hint = facts.record.cause(in: subject.world)?.hint
        all = subject.checks[facts.record.service.index]
    }

    var record: PushRecord { facts.record }

    var isAccepted: Bool { record.isAccepted }

    /// The fault that decided; the checks then show what the rules alone would have answered.
    var fault: String? { record.isDecidedByFault ? record.faults.first.map(FaultIDText.text) : nil }

    var decidingCheck: Check? {
        guard let position = record.verdict.decidedBy.map(Int.init), position < all.count else { return nil }
        return all[position]
    }

    var decider: Check.Decider { record.problem != nil ? .transport : decidingCheck?.decider ?? .validation }

    var checks: [ShownCheck] {
        let decided = record.verdict.decidedBy.map(Int.init)
        let passesAll = fault == nil ? isAccepted : decided == nil
        return all.enumerated().map { position, check in
            let isPassed = passesAll ? true : decided.flatMap { position > $0 ? nil : position < $0 }
            return ShownCheck(facts: facts, check: check, isPassed: isPassed)
        }
    }

    /// Appends the checks as their shape does: they are half of what is written about a push.
    func writeChecks(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        for check in checks {
            if check.isPassed == true {
                check.writePassed(to: &text)
            } else {
                APIObject<VerdictShape.Check>(check).write(to: &text)
            }
            text.append(UInt8(ascii: ","))
        }
        if text.last == UInt8(ascii: ",") { text.removeLast() }
        text.append(UInt8(ascii: "]"))
    }
}

/// What a check has found.
package struct ShownCheck {
    let facts: PushFacts
    let check: Check
    /// `nil` if the check was not reached.
    let isPassed: Bool?

    var actual: JSONValue? {
        guard let isPassed else { return nil }
        return switch check.subject {
        case .none: nil
        case .bodyLength: JSONValue(Int(facts.record.bodyLength))
        case .devicePart: JSONValue(facts.devicePart)
        // Six checks look at the same long token, so it is shown only where it failed.
        case .header(.authorization): isPassed ? nil : JSONValue(facts.shownAuthorization)
        case .header(let name): JSONValue(facts.record.request[name])
        }
    }

    fileprivate func writePassed(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        if let actual {
            text += "\"actual\":".utf8
            actual.write(to: &text)
            text.append(UInt8(ascii: ","))
        }
        text += "\"id\":\"".utf8
        text += check.id.utf8
        text.append(UInt8(ascii: "\""))
        if let limit {
            text += ",\"limit\":".utf8
            text += limit.description.utf8
        }
        text += ",\"ok\":true}".utf8
    }

    var flaw: String? {
        guard isPassed == false, case .devicePart = check.subject else { return nil }
        return facts.devicePart.flatMap(DeviceToken.flaw)
    }

    var limit: Int? { isPassed != nil && check.id == "payload-size" ? facts.payloadLimit : nil }
}
