public import MockAPNsRules
public import MockAPNsWorld
internal import NIOCore

extension Namespace {
    /// What a check takes as given, because sending a push would create it first.
    public struct Assumptions: Sendable {
        /// A provider token that is valid.
        public var providerToken: String?
        /// A device token that is registered to the topic of the push.
        public var deviceToken: DeviceToken?

        /// Creates assumptions; by default there are none.
        public init() {}
    }

    /// Judges a push as ``send(_:)`` would, and returns the record that it would have.
    ///
    /// Nothing is recorded, counted or delivered, and faults are not applied. The record has no number, no connection and
    /// no delivery.
    public func check(
        _ push: LocalPush, assuming assumptions: Assumptions = Assumptions()
    ) async throws(NamespaceError) -> PushRecord {
        guard let worker = workers.first, world.ruleset.refusal != .shutdown else { throw .stopping }
        let record = try? await worker.eventLoop.submit { worker.value.check(push, assumptions) }.get()
        guard let record = record ?? nil else { throw .stopping }
        return record
    }
}

extension Worker {
    fileprivate func check(_ push: Namespace.LocalPush, _ assumptions: Namespace.Assumptions) -> PushRecord? {
        let time = readClock()
        let ruleset = ruleset
        let directory = Rehearsal(self, assumptions, in: push.environment)
        var situation = Situation(
            environment: push.environment, address: ConnectionRecord.ownAddress, authority: directory,
            devices: directory, channels: self)
        situation.begin(at: time.world, options: ruleset.options, refusal: ruleset.refusal)
        let batch = RecordBatch()
        push.withRequest { request in
            var facts = RecordHead()
            facts.verdict = ruleset.verdict(on: request, in: &situation)
            facts.status = facts.verdict.status
            facts.verification = situation.verification
            facts.service = situation.service
            facts.deadSince = situation.deadSince
            facts.receivedAt = time.system
            facts.clockTime = time.world
            facts.requestOnConnection = 1
            facts.streamID = 1
            facts.environment = push.environment
            facts.routing = .api
            batch.append(request, facts, credential: situation.credential)
        }
        return PushRecord(unpublished: batch)
    }
}

/// A worker's keys and devices, with what a check assumes; a check changes none of them.
private final class Rehearsal: ProviderTokenAuthority, DeviceDirectory {
    private let worker: Worker
    private let assumptions: Namespace.Assumptions
    private let environment: Environment

    init(_ worker: Worker, _ assumptions: Namespace.Assumptions, in environment: Environment) {
        self.worker = worker
        self.assumptions = assumptions
        self.environment = environment
    }

    func credential(for token: ByteSpan) -> ProviderCredential {
        guard assumptions.providerToken == token.text, case .success(let parsed) = ProviderToken.parse(token) else {
            return worker.credential(for: token)
        }
        return ProviderCredential(token: parsed, verification: .verified)
    }

    func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing {
        worker.ruleset.tokenUpdates.standing(of: use, at: now, interval: interval)
    }

    func find(_ token: DeviceToken) -> RegisteredToken? {
        guard token == assumptions.deviceToken else { return worker.find(token) }
        return RegisteredToken(place: .max, generation: 0, topic: Self.assumedTopic, environment: environment)
    }

    func topicNumber(_ topic: ByteSpan) -> UInt32 {
        // The device token that is assumed fits every topic.
        assumptions.deviceToken == nil ? worker.topicNumber(topic) : Self.assumedTopic
    }

    func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        worker.world.wouldAdmit(token, rate: rate, at: now)
    }

    private static let assumedTopic = UInt32.max
}
