package import MockAPNsFormats

package final class VerdictShape: Shape {
    package static let definition = Definition(VerdictShape(), "Verdict")
    package let check = Member<String?>("The check that rejected the push.")
    package let checks = Member<[APIObject<Check>]>("All checks, in the order they run.")
    package let decidedBy = Member<String>()
    package let hint = Member<String?>(
        "Why the push was rejected: what was seen and expected, in the first sentence, then how to fix it.")
    package let meaning = Member<String?>("When APNs returns the reason, in general.")
    package let outcome = Member<String>(.word(.outcome))
    package let problem = Member<String?>()
    package let reason = Member<String?>(.reason)
    package let status = Member<Int>()

    package final class Check: Shape {
        package static let definition = Definition(Check())
        package let actual = OptionalMember<JSONValue>()
        package let detail = OptionalMember<String>("What is wrong with the actual value.")
        package let expected = OptionalMember<String>()
        package let id = Member<String>()
        package let limit = OptionalMember<Int>()
        package let ok = Member<Bool?>("null if the check was not reached.")
    }
}
