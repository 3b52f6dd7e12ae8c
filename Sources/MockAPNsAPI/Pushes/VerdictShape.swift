package import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

package final class VerdictShape: Shape {
    package typealias Source = ShownVerdict
    package static let definition = Definition(VerdictShape(), "Verdict")
    package let check = Member<String?>("The check that rejected the push.") {
        $0.fault == nil ? $0.decidingCheck?.id : nil
    }
    package let checks = Member<[APIObject<Check>]>("All checks, in the order they run.") {
        $0.checks.map { APIObject($0) }
    } write: {
        $0.writeChecks(to: &$1)
    }
    package let decidedBy = Member<String> { verdict in verdict.fault.map { "fault:\($0)" } ?? verdict.decider.rawValue
    }
    package let hint = Member<String?>(
        "Why the push was rejected: what was seen and expected, in the first sentence, then how to fix it."
    ) { $0.hint }
    package let meaning = Member<String?>("When APNs returns the reason, in general.") {
        $0.record.verdict.reason?.meaning.description
    }
    package let outcome = Member<String>(.word(.outcome)) {
        (($0.isAccepted ? .accepted : .rejected) as PushQuery.Outcome).rawValue
    }
    package let problem = Member<String?> { $0.record.problem }
    package let reason = Member<String?>(.reason) { $0.record.verdict.reason?.name }
    package let status = Member<Int> { Int($0.record.answer.status) }

    package final class Check: Shape {
        package typealias Source = ShownCheck
        package static let definition = Definition(Check())
        package let actual = OptionalMember<JSONValue> { $0.actual }
        package let detail = OptionalMember<String>("What is wrong with the actual value.") { $0.flaw }
        package let expected = OptionalMember<String> { $0.isPassed == false ? $0.check.expects : nil }
        package let id = Member<String> { $0.check.id }
        package let limit = OptionalMember<Int> { $0.limit }
        package let ok = Member<Bool?>("null if the check was not reached.") { $0.isPassed }
    }
}
