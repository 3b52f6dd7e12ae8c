internal import MockAPNsFormats

/// What differs between two pushes, and what is the same.
package final class PushComparisonShape: Shape {
    package typealias Source = ComparedPushes
    package static let definition = Definition(PushComparisonShape(), "PushComparison")
    package let differences = Member<[APIObject<Difference>]>("At most 500, by kind and name.") {
        $0.values.differences.map { APIObject($0) }
    }
    package let left = Member<APIObject<PushSummaryShape>> { APIObject(PushLine($0.left)) }
    package let moreDifferences = Member<Int>("The number of differences that are not listed.") {
        $0.values.moreDifferences
    }
    package let moreSame = Member<Int>("The number of equal values that are not listed.") { $0.values.moreSame }
    package let right = Member<APIObject<PushSummaryShape>> { APIObject(PushLine($0.right)) }
    package let same = Member<[APIObject<Same>]>("Values that both pushes have: at most 200.") {
        $0.values.same.map { APIObject($0) }
    }

    package final class Difference: Shape {
        package typealias Source = ComparedValues.Difference
        package static let definition = Definition(Difference())
        package let kind = Member<String>(kinds) { $0.kind.rawValue }
        package let left = Member<String?>("The value as text, in a payload as JSON; null if it is absent.") { $0.left }
        package let name = Member<String>(nil, place) { $0.name }
        package let right = Member<String?> { $0.right }
    }

    package final class Same: Shape {
        package typealias Source = ComparedValues.Same
        package static let definition = Definition(Same())
        package let kind = Member<String>(kinds) { $0.kind.rawValue }
        package let name = Member<String>(nil, place) { $0.name }
        package let value = Member<String> { $0.value }
    }

    private static let kinds = Schema.words(ComparedValues.Kind.allCases.map(\.rawValue))
    private static let place: StaticString = """
        The name of the value; in a payload a JSON Pointer, which is empty for the whole body.
        """
}

package struct ComparedPushes {
    let left: ShownPush
    let right: ShownPush
    let values: ComparedValues

    package init(_ left: ShownPush, _ right: ShownPush) {
        (self.left, self.right, values) = (left, right, ComparedValues(left, right))
    }
}
