package import MockAPNsFormats

package final class VerifiedShape: Shape {
    package static let definition = Definition(VerifiedShape(), "Verified")
    package let count = OptionalMember<Int>()
    package let elapsedMs = OptionalMember<Int>()
    package let journal = Member<APIObject<JournalShape>>()
    package let matched = Member<[String]>(.pushID)
    package let ok = Member<Bool>(.constant(true))
    package let verification = Member<String>()
}

/// All pushes were matched by a verification.
package final class NoneUnverifiedShape: Shape {
    package static let definition = Definition(NoneUnverifiedShape(), "NoneUnverified")
    package let count = Member<Int>()
    package let journal = Member<APIObject<JournalShape>>()
    package let ok = Member<Bool>(.constant(true))
}

package final class ExplanationShape: Shape {
    package static let definition = Definition(ExplanationShape(), "Explanation")
    package let conditions = Member<[APIObject<ConditionShape>]>()
    package let id = Member<String>(.pushID)
    package let matches = Member<Bool>()
    package let report = Member<String>()
    package let score = Member<String>()
}

package final class ConditionShape: Shape {
    package static let definition = Definition(ConditionShape(), "Condition")
    package let actual = Member<JSONValue>()
    package let expected = Member<JSONValue>()
    package let field = Member<String>()
    package let ok = Member<Bool>()
    package let `operator` = Member<String>()
}

/// A push that almost matched.
package final class NearMissShape: Shape {
    package static let definition = Definition(NearMissShape(), "NearMiss")
    package let ageMs = Member<Int64?>(.count)
    package let id = Member<String>(.pushID)
    package let mismatches = Member<[APIObject<ConditionShape>]>()
    package let score = Member<String>()
    package let seq = Member<UInt64>()
}
