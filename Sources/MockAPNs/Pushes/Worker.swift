internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld

/// The state of an event loop for judging and recording pushes.
///
/// Used only on its loop.
final class Worker: ResponderFactory {
    /// The ruleset at the last check.
    private(set) var ruleset: Ruleset
    /// Counts the changes of the ruleset's rules.
    private(set) var edition: UInt64 = 1
    let world: World
    let batch = RecordBatch()
    private var identifiers: SplitMix64
    /// Routes pushes on connections of this worker to other worlds; `nil` if there are none.
    let router: LoopRouter?

    /// The clients that wait for another push service; `nil` if its answers are only recorded.
    let answers: ForwardAnswers?

    private let clock: WorldClock
    private let routing: PushRouting
    private let environments: [Environment]
    private let interfaces: [ProviderInterface]
    private let certificates: ClientCertificates
    /// The listeners that only serve channel management.
    private let channelListeners: Range<Int>
    private let onConnectionProblem: (@Sendable (ConnectionProblem) -> Void)?
    private var tokens = TokenCache()
    private var topics = TopicCache()
    /// The unregistered device tokens of accepted pushes in the batch.
    private var unknownTokens: Set<DeviceToken> = []
    private var published: LogEnd?
    /// The version of `ruleset`, or an older one.
    private var rulesetVersion: UInt64

    init(
        world: World, listeners: [ListenAddress], channelListeners: Range<Int> = 0..<0, seed: UInt64,
        certificates: ClientCertificates, routing: PushRouting = .standard, router: LoopRouter? = nil,
        answers: ForwardAnswers? = nil, onConnectionProblem: (@Sendable (ConnectionProblem) -> Void)?
    ) {
        self.world = world
        clock = world.clock
        self.routing = routing
        self.router = router
        self.answers = answers
        environments = listeners.map(\.environment)
        interfaces = listeners.map(\.interface)
        self.certificates = certificates
        self.channelListeners = channelListeners
        self.onConnectionProblem = onConnectionProblem
        rulesetVersion = world.rulesetVersion
        ruleset = world.ruleset
        batch.begin(by: ruleset)
        identifiers = SplitMix64(seed: seed)
    }

    func judge(_ chain: [[UInt8]], listener: Int) -> JudgedCertificate? {
        let certificate = certificates.judge(chain)
        let options = latestRuleset.options
        // Observed on the binary interface for a revoked one; inferred for all others there.
        let isBinary = interfaces[listener] != .http2
        let isGood = isBinary ? certificate.isValid(in: environments[listener]) : certificate.standing == .verified
        let isRefused =
            !isGood && certificate.standing != .ignored && options.authentication != .any
            && (isBinary || options.badCertificate == .alert)
        return JudgedCertificate(certificate, isRefused: isRefused)
    }

    func connectionOpened(_ connection: ConnectionInfo) -> any ConnectionResponder {
        let record = record(of: connection)
        world.journal.connectionOpened(record)
        return PushResponder(
            worker: self, connection: record, routing: routing,
            hasOnlyChannels: channelListeners.contains(connection.listener))
    }

    func gatewayOpened(_ connection: ConnectionInfo) -> any GatewayResponder {
        let record = record(of: connection)
        world.journal.connectionOpened(record)
        return PushResponder(worker: self, connection: record, routing: routing)
    }

    func feedbackOpened(_ connection: ConnectionInfo) -> any FeedbackResponder {
        let record = record(of: connection)
        world.journal.connectionOpened(record)
        return FeedbackSender(worker: self, connection: record)
    }

    func handshakeFailed(_ connection: ConnectionInfo, because reason: CloseReason) {
        // Without TLS, a connection begins with HTTP/2, so this is a failed handshake.
        let failure: Journal.ConnectionFailure =
            switch reason.code {
            case .fault: .fault
            case .tooManyConnections, .badCertificate: .refused
            default: .handshake
            }
        connectionEnded(record(of: connection), because: reason, as: failure)
    }

    /// Records the end of a connection, and reports it if there was a problem.
    func connectionEnded(
        _ connection: ConnectionRecord, because reason: CloseReason, as failure: Journal.ConnectionFailure? = nil
    ) {
        noteEnd(of: connection, because: reason, as: failure)
        guard let onConnectionProblem,
            let problem = ConnectionProblem(remoteAddress: connection.remoteAddress, reason: reason)
        else { return }
        onConnectionProblem(problem)
    }

    /// Records the end of a connection.
    func noteEnd(
        of connection: ConnectionRecord, because reason: CloseReason, as failure: Journal.ConnectionFailure? = nil
    ) {
        world.journal.connectionClosed(
            connection, at: world.clock.read().system, code: reason.code.rawValue, detail: reason.detail,
            hint: ConnectionProblem.hint(for: reason), as: failure)
    }

    /// Returns the next `apns-id` or `apns-unique-id`, with random digits.
    func nextID() -> UniqueID {
        let high = identifiers.next()
        return UniqueID(high: high, low: identifiers.next())
    }

    /// Records that the batch has an accepted push to an unregistered token.
    func noteUnknown(_ token: DeviceToken) { unknownTokens.insert(token) }

    /// Registers the device token of a request, if an earlier push in the same read was sent to it.
    ///
    /// Responses must not depend on how input is split into reads. This happens before the verdict, so that
    /// one ruleset judges and records the push, even if the rules change in the meantime.
    func registerUnknown(in request: borrowing RequestView) {
        guard !unknownTokens.isEmpty, let token = request.devicePart.flatMap({ DeviceToken(hex: $0) }),
            unknownTokens.contains(token)
        else { return }
        publish()
        takeRuleset()
    }

    /// Reads the clock, and updates the ruleset if it has changed.
    func readClock() -> WorldClock.Reading {
        let time = clock.read()
        world.settle(at: time.world)
        // This reads one rarely changing variable; the ruleset itself is under a lock.
        if world.rulesetVersion != rulesetVersion { takeRuleset() }
        return time
    }

    /// The current ruleset, for use without a request.
    var latestRuleset: Ruleset {
        if world.rulesetVersion != rulesetVersion { takeRuleset() }
        return ruleset
    }

    private func takeRuleset() {
        let version = world.rulesetVersion
        let latest = world.ruleset
        if !latest.hasKeys(of: ruleset) { tokens.removeAll() }
        if !latest.hasRules(of: ruleset) { edition += 1 }
        if !latest.hasTopics(of: ruleset) { topics.removeAll() }
        // Pushes judged by the old ruleset must be published first: a reset may lie between them and later
        // ones.
        publish()
        rulesetVersion = version
        ruleset = latest
        batch.begin(by: latest)
    }

    /// Returns the fault of a connection that was just accepted.
    func fault(of connection: ConnectionInfo) -> ConnectionFault? {
        let time = readClock()
        guard let plan = ruleset.faults else { return nil }
        return plan.firing(accepting: record(of: connection), at: time.world).flatMap { ConnectionFault($0) }
    }

    /// Publishes the current batch.
    ///
    /// While the world is closed, it waits: it has no answers then, only requests that the transport has rejected.
    func publish() {
        guard !batch.isEmpty, case .done(let end) = world.journal.append(batch) else { return }
        if let end { published = end }
        batch.removeAll()
        if !unknownTokens.isEmpty { unknownTokens.removeAll(keepingCapacity: true) }
    }

    /// Returns, once, the end of the log after the last published batch; `nil` if there is no log.
    func takePublished() -> LogEnd? { published.take() }

    private func record(of connection: ConnectionInfo) -> ConnectionRecord {
        var record = ConnectionRecord(
            id: connection.id, remoteAddress: connection.remoteAddress, environment: environments[connection.listener],
            openedAt: world.clock.read().system)
        record.interface = connection.interface
        record.tlsVersion = connection.tls?.version
        record.applicationProtocol = connection.tls?.applicationProtocol
        record.serverName = connection.tls?.serverName
        record.clientCertificate = connection.tls?.clientCertificate
        return record
    }
}

extension Worker: ProviderTokenAuthority {
    func credential(for token: ByteSpan) -> ProviderCredential {
        if let known = tokens.credential(for: token) { return known }
        let credential = verify(token)
        tokens.insert(credential, for: token)
        return credential
    }

    func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing {
        ruleset.tokenUpdates.knows(use) ? .known : world.admit(use, interval: interval)
    }

    private func verify(_ text: ByteSpan) -> ProviderCredential {
        let token: ProviderToken
        switch ProviderToken.parse(text) {
        case .success(let parsed): token = parsed
        case .failure(let refusal): return ProviderCredential(refusal: refusal)
        }
        guard let registered = ruleset.keys[token.keyID] else {
            return ProviderCredential(token: token, verification: .unknownKey)
        }
        let message = UnsafeRawBufferPointer(text.prefix(token.signedLength).bytes)
        let isValid = token.signature.withUnsafeBytes {
            registered.verifier.verify(signature: $0, of: message, algorithm: token.algorithm)
        }
        let verification: TokenVerification =
            switch isValid {
            case nil: .verifierFailed
            case false?: .badSignature
            case true?: token.teamID == registered.key.teamID ? .verified : .wrongTeam
            }
        return ProviderCredential(token: token, key: registered.key, verification: verification)
    }
}

extension Worker: DeviceDirectory {
    func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
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
