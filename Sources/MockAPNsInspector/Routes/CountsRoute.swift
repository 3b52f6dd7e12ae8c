internal import MockAPNs
package import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsWorld

package final class CountsShape: Shape {
    package typealias Source = (subject: InspectedServer, rejected: Int)
    package static let definition = Definition(CountsShape(), "Counts")
    package let channels = Member<Int> { $0.subject.world.channels.all(limit: 0).total }
    package let connections = Member<Int>("The open ones, of those that the log keeps.") {
        $0.subject.journal.connections.count { $0.closedAt == nil }
    }
    package let devices = Member<Int> { counts in
        var query = DeviceQuery()
        query.limit = 1
        return counts.subject.world.devices.devices(query).total
    }
    package let faults = Member<Int> { $0.subject.world.faults.all.count }
    package let feedback = Member<Int>("Invalid device tokens.") { $0.subject.world.devices.feedback().count }
    package let keys = Member<Int> { KeyRing(of: $0.subject.world).all.count }
    package let pushes = Member<Int>("Those in the journal's memory.") { $0.subject.journal.count }
    package let rejected = Member<Int>("How many of these pushes were rejected.") { $0.rejected }
}

/// How much there is, for those who show all of it: one request instead of one for each list.
enum CountsRoute {
    static let route = Route.get("/api/v1/counts", "Count everything", counts).work(.search).gives(
        .json(CountsShape.self, "The counts."))

    static func counts(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var rejected = PushQuery()
        rejected.outcomes = [.rejected]
        let (found, _) = try await call.find(rejected)
        return .json(CountsShape.self, (call.subject, found.count))
    }
}
