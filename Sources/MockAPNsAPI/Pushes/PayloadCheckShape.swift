package import MockAPNsQuery
internal import MockAPNsRules

package final class PayloadCheckShape: Shape {
    package typealias Source = PayloadCheck
    package static let definition = Definition(PayloadCheckShape(), "PayloadCheck")
    package let answer = Member<APIObject<Answer>> { APIObject($0) }
    package let errors = Member<Int> { $0.count(.error) }
    package let limit = Member<Int>("The largest payload of the push type, in bytes.") { $0.limit }
    package let lints = Member<[APIObject<LintShape>]> { $0.findings.map { APIObject($0) } }
    package let pushType = Member<String> { $0.pushType.name }
    package let pushTypeDerived = Member<Bool> { $0.pushType.isDerived }
    package let size = Member<Int>("The size of the payload, in bytes.") { $0.size }
    package let warnings = Member<Int> { $0.count(.warning) }

    package final class Answer: Shape {
        package typealias Source = PayloadCheck
        package static let definition = Definition(Answer())
        package let check = Member<String?>("The check that rejects the payload.") { $0.refusal?.check.id }
        package let expected = Member<String?> { $0.refusal?.check.expects }
        package let hint = Member<String?>("How to fix it.") { $0.refusal?.cause.hint }
        package let reason = Member<String?>(.reason) { $0.refusal?.reason.name }
        package let status = Member<Int> { Int($0.refusal?.reason.status ?? 200) }
    }
}
