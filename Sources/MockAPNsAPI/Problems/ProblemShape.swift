package import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsVerifying
internal import MockAPNsWorld

/// Why a request failed (RFC 9457).
///
/// Optional members depend on the kind of problem.
package final class ProblemShape: Shape {
    package typealias Source = Problem
    package static let definition = Definition(ProblemShape(), "Problem")
    package let detail = Member<String>("What happened, and how to fix it.") { $0.detail }
    package let errors = Member<[APIObject<ComplaintShape>]>("The invalid parameters or members.") {
        $0.complaints.map { APIObject($0) }
    }
    package let status = Member<Int> { $0.kind.row.status }
    package let title = Member<String> { $0.kind.row.title }
    package let type = Member<String>(.word(.problemType)) { $0.kind.type }
    package let between = OptionalMember<String?>(.pushID) { problem in
        problem.details.sequence.map { finding in finding.stranger.map(finding.extent.id) }
    }
    package let considered = OptionalMember<Int> { $0.details.failure?.considered ?? $0.details.sequence?.considered }
    package let count = OptionalMember<Int> { $0.details.failure?.matched.count ?? $0.details.unverified?.count }
    package let failedStep = OptionalMember<Int> { $0.details.sequence?.matched.count }
    package let hints = OptionalMember<[String]> { $0.details.failure?.hints }
    package let journal = OptionalMember<APIObject<JournalShape>> { $0.details.journal.map { APIObject($0) } }
    package let listeners = OptionalMember<[APIObject<BoundListenerShape>]> {
        $0.details.readiness?.listeners.map { APIObject($0) }
    }
    package let matched = OptionalMember<[String]>(.pushID) { problem in
        let seqs = problem.details.failure?.matched ?? problem.details.sequence?.matched
        return seqs.flatMap { problem.details.journal?.ids($0) }
    }
    package let nearMisses = OptionalMember<[APIObject<NearMissShape>]> { problem in
        problem.details.failure.map { failure in
            failure.nearMisses.map { APIObject(($0, failure.age(of: $0.seq), failure.extent)) }
        }
    }
    package let notConsidered = OptionalMember<APIObject<NotConsidered>> { $0.details.failure.map { APIObject($0) } }
    package let ready = OptionalMember<Bool> { $0.details.readiness.map { _ in false } }
    package let report = OptionalMember<String> { $0.details.report }
    package let stopping = OptionalMember<Bool> { $0.details.readiness?.isStopping }
    package let unverified = OptionalMember<[String]>(.pushID) { problem in
        problem.details.unverified.map { $0.extent.ids($0.seqs) }
    }

    /// Pushes that a verification did not look at.
    package final class NotConsidered: Shape {
        package typealias Source = VerificationFailure
        package static let definition = Definition(NotConsidered())
        package let beforeAfter = Member<Int>("Matching pushes that arrived before the window.") { $0.tooEarly }
        package let evicted = Member<UInt64> { $0.evicted }
        package let otherNamespaces = Member<[String: Int]>(
            "Pushes in other namespaces: to the requested tokens, or matching if no token was requested."
        ) { $0.elsewhere.reduce(into: [:]) { $0[$1.name] = $1.count } }
    }
}

package final class ComplaintShape: Shape {
    package typealias Source = Complaint
    package static let definition = Definition(ComplaintShape())
    package let message = Member<String> { $0.message }
    package let path = Member<String>("The parameter, or a JSON Pointer into the body.") { $0.path }
    package let suggestion = Member<String?> { $0.suggestion }
}
