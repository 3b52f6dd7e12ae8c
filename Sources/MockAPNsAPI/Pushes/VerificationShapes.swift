package import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsVerifying
package import MockAPNsWorld

package final class VerifiedShape: Shape {
    package typealias Source = (
        matched: [UInt64], count: Int?, elapsedMs: Int?, extent: Journal.Extent, verification: String
    )
    package static let definition = Definition(VerifiedShape(), "Verified")
    package let count = OptionalMember<Int> { $0.count }
    package let elapsedMs = OptionalMember<Int> { $0.elapsedMs }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.extent) }
    package let matched = Member<[String]>(.pushID) { $0.extent.ids($0.matched) }
    package let ok = Member<Bool>(.constant(true)) { _ in true }
    package let verification = Member<String> { $0.verification }
}

/// All pushes were matched by a verification.
package final class NoneUnverifiedShape: Shape {
    package typealias Source = UnverifiedPushes
    package static let definition = Definition(NoneUnverifiedShape(), "NoneUnverified")
    package let count = Member<Int> { $0.count }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.extent) }
    package let ok = Member<Bool>(.constant(true)) { _ in true }
}

package final class ExplanationShape: Shape {
    package typealias Source = Explanation
    package static let definition = Definition(ExplanationShape(), "Explanation")
    package let conditions = Member<[APIObject<ConditionShape>]> { $0.results.map { APIObject($0) } }
    package let id = Member<String>(.pushID) { $0.id }
    package let matches = Member<Bool> { $0.results.allSatisfy(\.isMet) }
    package let report = Member<String> { $0.report }
    package let score = Member<String> { $0.results.score }
}

package final class ConditionShape: Shape {
    package typealias Source = RequirementResult
    package static let definition = Definition(ConditionShape(), "Condition")
    package let actual = Member<JSONValue> { $0.actual ?? .null }
    package let expected = Member<JSONValue> { $0.expected }
    package let field = Member<String> { $0.name }
    package let ok = Member<Bool> { $0.isMet }
    package let `operator` = Member<String> { $0.operators.joined(separator: ", ") }
}

/// A push that almost matched.
package final class NearMissShape: Shape {
    package typealias Source = (miss: VerificationFailure.NearMiss, age: Int64?, extent: Journal.Extent)
    package static let definition = Definition(NearMissShape(), "NearMiss")
    package let ageMs = Member<Int64?>(.count) { $0.age.map { $0 / 1_000 } }
    package let id = Member<String>(.pushID) { $0.extent.id(of: $0.miss.seq) }
    package let mismatches = Member<[APIObject<ConditionShape>]> {
        $0.miss.results.filter { !$0.isMet }.map { APIObject($0) }
    }
    package let score = Member<String> { $0.miss.results.score }
    package let seq = Member<UInt64> { $0.miss.seq }
}

extension Journal.Extent {
    /// The most ids of a list; the counts beside lists are complete.
    private static let mostListed = 1_000

    func ids(_ seqs: [UInt64]) -> [String] { seqs.prefix(Self.mostListed).map(id) }
}
