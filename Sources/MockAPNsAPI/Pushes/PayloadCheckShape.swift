package final class PayloadCheckShape: Shape {
    package static let definition = Definition(PayloadCheckShape(), "PayloadCheck")
    package let answer = Member<APIObject<Answer>>()
    package let errors = Member<Int>()
    package let limit = Member<Int>("The largest payload of the push type, in bytes.")
    package let lints = Member<[APIObject<LintShape>]>()
    package let pushType = Member<String>()
    package let pushTypeDerived = Member<Bool>()
    package let size = Member<Int>("The size of the payload, in bytes.")
    package let warnings = Member<Int>()

    package final class Answer: Shape {
        package static let definition = Definition(Answer())
        package let check = Member<String?>("The check that rejects the payload.")
        package let expected = Member<String?>()
        package let hint = Member<String?>("How to fix it.")
        package let reason = Member<String?>(.reason)
        package let status = Member<Int>()
    }
}
