internal import MockAPNsAPI
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The pushes that a query finds, with those that are alike as one group.
struct PushGroups {
    /// The groups that are listed.
    private static let most = 200

    private var groups: [PushGroup.Key: PushGroup] = [:]

    static func list(_ call: Route.Call, _ selection: PushSelection) async throws(Problem) -> APIResponse {
        let query = try selection.resolved(call).query
        let context = call.subject.context
        var found = PushGroups()
        let extent = try await call.search { (scan) async throws(SearchFailure) in
            try await scan.visit(call.subject.journal, query) { request, outline, _ in
                found.add(Candidate(request, outline, in: context, scan.budget))
            }.extent
        }
        return .json(PushGroupsShape.self, (found.newest, found.groups.count, extent))
    }

    private mutating func add(_ push: Candidate) {
        let (outline, pushType) = (push.outline, push.pushType ?? PushType.alert.name)
        let key = PushGroup.Key(outline, topic: push.topic, pushType: pushType)
        groups[key, default: PushGroup(key, first: outline.seq)].add(outline.seq)
    }

    private var newest: [PushGroup] { Array(groups.values.sorted { $0.last > $1.last }.prefix(Self.most)) }
}
