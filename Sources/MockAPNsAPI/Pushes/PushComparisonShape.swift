package import MockAPNsFormats

/// What differs between two pushes, and what is the same.
package final class PushComparisonShape: Shape {
    package static let definition = Definition(PushComparisonShape(), "PushComparison")
    package let differences = Member<[APIObject<Difference>]>("At most 500, by kind and name.")
    package let left = Member<JSONValue>(.named("PushSummary"))
    package let moreDifferences = Member<Int>("The number of differences that are not listed.")
    package let moreSame = Member<Int>("The number of equal values that are not listed.")
    package let right = Member<JSONValue>(.named("PushSummary"))
    package let same = Member<[APIObject<Same>]>("Values that both pushes have: at most 200.")

    package final class Difference: Shape {
        package static let definition = Definition(Difference())
        package let kind = Member<String>(kinds)
        package let left = Member<String?>("The value as text, in a payload as JSON; null if it is absent.")
        package let name = Member<String>(place)
        package let right = Member<String?>()
    }

    package final class Same: Shape {
        package static let definition = Definition(Same())
        package let kind = Member<String>(kinds)
        package let name = Member<String>(place)
        package let value = Member<String>()
    }

    /// The part of a push that a value belongs to.
    package enum Kind: String, CaseIterable { case response, delivery, request, auth, header, payload }

    private static let kinds = Schema.words(Kind.allCases.map(\.rawValue))
    private static let place: StaticString = """
        The name of the value; in a payload a JSON Pointer, which is empty for the whole body.
        """
}
