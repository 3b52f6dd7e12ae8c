internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld

/// What one event loop needs to judge and record pushes.
///
/// Never leaves its loop.
final class Worker: ResponderFactory {
    /// The rules in force when the loop last looked.
    private(set) var ruleset: Ruleset
    let world: World
    let batch = RecordBatch()
    var identifiers: SplitMix64
    var updateWindowsByKey = TokenUpdateWindows()

    /// Finds pushes on connections of this worker that belong to another world; `nil` where none does.
    let router: LoopRouter?

    private let clock: WorldClock
    private let routing: PushRouting
    private let environments: [Environment]
    private let onConnectionProblem: (@Sendable (ConnectionProblem) -> Void)?
    private var tokens = TokenCache()
    private var topics = TopicCache()
    /// The unregistered device tokens of accepted pushes in the batch.
    private var unknownTokens: Set<DeviceToken> = []
    /// The version of `ruleset`, or an older one.
    private var rulesetVersion: UInt64

    init(
        world: World,
        environments: [Environment],
        seed: UInt64,
        routing: PushRouting = .standard,
        router: LoopRouter? = nil,
        onConnectionProblem: (@Sendable (ConnectionProblem) -> Void)?
    ) {
        self.world = world
        clock = world.clock
        self.routing = routing
        self.router = router
        self.environments = environments
        self.onConnectionProblem = onConnectionProblem
        rulesetVersion = world.rulesetVersion
        ruleset = world.ruleset
        batch.begin(by: ruleset)
        identifiers = SplitMix64(seed: seed)
    }

    func connectionOpened(_ connection: ConnectionInfo) -> any ConnectionResponder {
        let record = record(of: connection)
        world.journal.connectionOpened(record)
        return PushResponder(worker: self, connection: record, routing: routing)
    }

    func handshakeFailed(_ connection: ConnectionInfo, because reason: CloseReason) {
        let record = record(of: connection)
        // Without TLS a connection begins with HTTP/2, so it is a handshake that has failed.
        let failure: Journal.ConnectionFailure =
            switch reason.code {
            case .fault: .fault
            case .tooManyConnections: .refused
            default: .handshake
            }
        noteEnd(of: record, because: reason, as: failure)
        report(record, because: reason)
    }

    /// Records the end of a connection, and reports it if it is a mistake.
    func connectionEnded(_ connection: ConnectionRecord, because reason: CloseReason) {
        noteEnd(of: connection, because: reason)
        report(connection, because: reason)
    }

    /// Records the end of a connection.
    func noteEnd(
        of connection: ConnectionRecord,
        because reason: CloseReason,
        as failure: Journal.ConnectionFailure? = nil
    ) {
        world.journal.connectionClosed(
            connection,
            at: world.clock.read().system,
            code: reason.code.rawValue,
            detail: reason.detail,
            hint: ConnectionProblem.hint(for: reason),
            as: failure
        )
    }

    private func report(_ connection: ConnectionRecord, because reason: CloseReason) {
        guard let onConnectionProblem,
            let problem = ConnectionProblem(remoteAddress: connection.remoteAddress, reason: reason)
        else { return }
        onConnectionProblem(problem)
    }

    /// Notes that the batch has an accepted push to an unregistered token.
    func noteUnknown(_ token: DeviceToken) { unknownTokens.insert(token) }

    /// Registers the device token of a request that is about to be judged, if a push before it in the same read has made
    /// it known.
    ///
    /// What is answered must not depend on how bytes arrive. It happens before the verdict, so that a push is judged and
    /// recorded by one ruleset, whatever happens meanwhile.
    func registerUnknown(in request: borrowing RequestView) {
        guard !unknownTokens.isEmpty,
            let token = request.devicePart.flatMap({ DeviceToken(hex: $0) }), unknownTokens.contains(token)
        else { return }
        publish()
        takeRuleset()
    }

    /// Takes the time and makes sure that the rules of that time are at hand.
    func readClock() -> WorldClock.Reading {
        let time = clock.read()
        world.settle(at: time.world)
        // One load of memory that seldom changes; the rules themselves are under a lock.
        if world.rulesetVersion != rulesetVersion { takeRuleset() }
        return time
    }

    /// The rules in force, for use without a request.
    var latestRuleset: Ruleset {
        if world.rulesetVersion != rulesetVersion { takeRuleset() }
        return ruleset
    }

    private func takeRuleset() {
        let version = world.rulesetVersion
        let latest = world.ruleset
        if !latest.hasKeys(of: ruleset) { tokens.removeAll() }
        if !latest.hasTopics(of: ruleset) { topics.removeAll() }
        // What was judged by other rules must be told apart from what comes: a reset may lie between them.
        publish()
        rulesetVersion = version
        ruleset = latest
        batch.begin(by: latest)
    }

    /// What goes wrong on purpose with a connection that has just been accepted.
    func fault(of connection: ConnectionInfo) -> ConnectionFault? {
        let time = readClock()
        guard let plan = ruleset.faults else { return nil }
        let accepted = FaultConnection(
            id: connection.id,
            remoteAddress: connection.remoteAddress,
            environment: environments[connection.listener]
        )
        return plan.firing(accepting: accepted, at: time.world).flatMap { ConnectionFault($0) }
    }

    /// Makes the batch at hand visible.
    func publish() {
        guard !batch.isEmpty else { return }
        world.journal.publish(batch)
        batch.removeAll()
        if !unknownTokens.isEmpty { unknownTokens.removeAll(keepingCapacity: true) }
    }

    private func record(of connection: ConnectionInfo) -> ConnectionRecord {
        ConnectionRecord(
            id: connection.id,
            remoteAddress: connection.remoteAddress,
            environment: environments[connection.listener],
            openedAt: world.clock.read().system,
            tlsVersion: connection.tls?.version,
            applicationProtocol: connection.tls?.applicationProtocol,
            serverName: connection.tls?.serverName,
            clientCertificate: connection.tls?.clientCertificate
        )
    }
}

extension Worker: ProviderTokenAuthority {
    func credential(for token: ByteSpan) -> ProviderCredential {
        if let known = tokens.credential(for: token) { return known }
        let credential = verify(token)
        tokens.insert(credential, for: token)
        return credential
    }

    private func verify(_ text: ByteSpan) -> ProviderCredential {
        let token: ProviderToken
        switch ProviderToken.parse(text) {
        case .success(let parsed): token = parsed
        case .failure(let refusal): return ProviderCredential(refusal: refusal)
        }
        guard let registered = ruleset.keys[token.keyID] else {
            let claimed = ProviderKey(keyID: token.keyID, teamID: token.teamID)
            return ProviderCredential(token: token, key: claimed, verification: .unknownKey)
        }
        let message = UnsafeRawBufferPointer(text.prefix(token.signedLength).bytes)
        let outcome = token.signature.withUnsafeBytes {
            registered.verifier.verify(signature: $0, of: message, algorithm: token.algorithm)
        }
        let verification: TokenVerification =
            switch outcome {
            case .failed: .verifierFailed
            case .invalid: .badSignature
            case .valid: token.teamID == registered.key.teamID ? .verified : .wrongTeam
            }
        return ProviderCredential(token: token, key: registered.key, verification: verification)
    }
}

extension Worker: DeviceDirectory {
    func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool {
        world.admits(token, rate: rate, at: now)
    }

    func find(_ token: DeviceToken) -> RegisteredToken? { ruleset.find(token) }

    func topicNumber(_ topic: ByteSpan) -> UInt32 {
        if let known = topics.number(of: topic) { return known }
        let number = ruleset.topicNumber(topic.text)
        topics.insert(number, for: topic)
        return number
    }
}
