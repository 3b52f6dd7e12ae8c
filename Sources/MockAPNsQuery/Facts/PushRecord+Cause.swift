package import MockAPNsRules
package import MockAPNsWorld

extension PushRecord {
    /// How many numbers of the journal are searched for an earlier provider token of the connection.
    private static let longestLook: UInt64 = 10_000

    /// Returns why the push was rejected, with what the world knows about it now; `nil` if no reason was given.
    package func cause(in world: World) -> Cause? {
        guard let reason = head.verdict.reason else { return nil }
        guard !isDecidedByFault else { return .fault(reason) }
        let ruleset = world.ruleset
        let checks = ruleset.pipeline.checks(of: head.service)
        guard let position = head.verdict.decidedBy.map(Int.init), position < checks.count,
            checks[position].reasons.contains(reason)
        else { return .unknown(reason) }
        var evidence = Evidence(reason)
        evidence.verification = head.verification
        evidence.removedFromToken = request.removedFromToken
        evidence.service = head.service
        evidence.isBinary = head.isBinary
        evidence.environment = head.environment
        evidence.now = head.clockTime
        evidence.options = ruleset.options
        evidence.certificate = connection?.clientCertificate
        evidence.deadSince = head.deadSince
        evidence.keys = { ruleset.keys.mapValues(\.key) }
        evidence.registration = { token in
            world.devices.registration(token).map { ($0.registration.topic, $0.registration.environment) }
        }
        evidence.owner = { world.channels.app(of: $0) }
        evidence.appsWithChannels = { world.channels.apps }
        evidence.earlierToken = { earlierToken(in: world) }
        return RequestView.withRequest(
            headers: request.judgedHeaders, body: request.body, bodyLength: Int(head.bodyLength)
        ) { checks[position].cause($0, evidence) }
    }

    /// The last valid provider token before this push on its connection.
    private func earlierToken(in world: World) -> (key: ProviderKey, issuedAt: Double)? {
        var query = PushQuery()
        query.after = head.seq > Self.longestLook ? head.seq - Self.longestLook : 0
        query.before = head.seq
        query.limit = 1
        query.condition = { [head] _, outline in
            outline.connectionID == head.connectionID && outline.head.verification == .verified
        }
        let found = world.journal.pushes(query).pushes.first
        guard let found, let keyID = found.keyID, let issuedAt = found.head.issuedAt else { return nil }
        return (ProviderKey(keyID: keyID, teamID: found.teamID ?? ""), issuedAt)
    }
}
