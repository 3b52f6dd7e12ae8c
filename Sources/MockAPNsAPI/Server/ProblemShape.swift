/// Why a request failed (RFC 9457).
///
/// Optional members depend on the kind of problem.
package final class ProblemShape: Shape {
    package static let definition = Definition(ProblemShape(), "Problem")
    package let detail = Member<String>("What happened, and how to fix it.")
    package let errors = Member<[APIObject<ComplaintShape>]>("The invalid parameters or members.")
    package let status = Member<Int>()
    package let title = Member<String>()
    package let type = Member<String>(.word(.problemType))
    package let between = OptionalMember<String?>(.pushID)
    package let considered = OptionalMember<Int>()
    package let count = OptionalMember<Int>()
    package let failedStep = OptionalMember<Int>()
    package let hints = OptionalMember<[String]>()
    package let journal = OptionalMember<APIObject<JournalShape>>()
    package let listeners = OptionalMember<[APIObject<BoundListenerShape>]>()
    package let matched = OptionalMember<[String]>(.pushID)
    package let nearMisses = OptionalMember<[APIObject<NearMissShape>]>()
    package let notConsidered = OptionalMember<APIObject<NotConsidered>>()
    package let ready = OptionalMember<Bool>()
    package let report = OptionalMember<String>()
    package let stopping = OptionalMember<Bool>()
    package let unverified = OptionalMember<[String]>(.pushID)

    /// Pushes that a verification did not look at.
    package final class NotConsidered: Shape {
        package static let definition = Definition(NotConsidered())
        package let beforeAfter = Member<Int>("Matching pushes that arrived before the window.")
        package let evicted = Member<UInt64>()
        package let otherNamespaces = Member<[String: Int]>(
            "Pushes in other namespaces: to the requested tokens, or matching if no token was requested.")
    }
}

package final class ComplaintShape: Shape {
    package static let definition = Definition(ComplaintShape())
    package let message = Member<String>()
    package let path = Member<String>("The parameter, or a JSON Pointer into the body.")
    package let suggestion = Member<String?>()
}
