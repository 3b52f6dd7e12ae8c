internal import MockAPNsAPI
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The pushes that a query finds, with those that are alike as one group.
struct PushGroups {
    /// The groups that are listed.
    private static let most = 200

    private struct Key: Hashable {
        let status: UInt16
        let reason: Reason?
        let isAccepted: Bool
        let topic: String?
        let pushType: String
    }

    /// What the pushes of a group do not share.
    private struct Members {
        var count = 0
        let first: UInt64
        var last: UInt64

        mutating func add(_ seq: UInt64) {
            count += 1
            last = seq
        }
    }

    private var groups: [Key: Members] = [:]

    static func list(_ call: Route.Call, _ selection: PushSelection) async throws(Problem) -> APIResponse {
        let query = try selection.resolved(call).query
        let context = call.subject.context
        var found = PushGroups()
        let extent = try await call.search { (scan) async throws(SearchFailure) in
            try await scan.visit(call.subject.journal, query) { request, outline, _ in
                found.add(Candidate(request, outline, in: context, scan.budget))
            }.extent
        }
        return .json(PushGroupsShape.self) {
            $0.groups = found.newest.map { key, members in Self.object(key, members, extent) }
            $0.total = found.groups.count
        }
    }

    private mutating func add(_ push: Candidate) {
        let key = Key(
            status: push.outline.status, reason: push.outline.reason, isAccepted: push.outline.isAccepted,
            topic: push.topic, pushType: push.pushType ?? PushType.alert.name)
        groups[key, default: Members(first: push.outline.seq, last: 0)].add(push.outline.seq)
    }

    private var newest: ArraySlice<(key: Key, value: Members)> {
        groups.sorted { $0.value.last > $1.value.last }.prefix(Self.most)
    }

    private static func object(_ key: Key, _ members: Members, _ extent: Journal.Extent) -> APIObject<PushGroupShape> {
        APIObject {
            $0.count = members.count
            $0.first = extent.id(of: members.first)
            $0.last = extent.id(of: members.last)
            $0.outcome = (key.isAccepted ? PushQuery.Outcome.accepted : .rejected).rawValue
            $0.pushType = key.pushType
            $0.reason = key.reason?.name
            $0.status = Int(key.status)
            $0.topic = key.topic
        }
    }
}
