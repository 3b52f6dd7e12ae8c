public import MockAPNsRules

/// What verdicts are made by, as one value that never changes; a change is another ruleset.
///
/// Every event loop holds the current one, so a push needs no lock to be judged.
public final class Ruleset: Sendable {
    /// A key that provider tokens may be signed with.
    ///
    /// Known by its identity: what verifies signatures cannot be compared.
    public final class RegisteredKey: Sendable {
        /// What the key may do.
        public let key: ProviderKey
        /// Verifies its signatures.
        public let verifier: any SignatureVerifier

        /// Registers a key with what verifies its signatures.
        public init(key: ProviderKey, verifier: any SignatureVerifier) {
            self.key = key
            self.verifier = verifier
        }
    }

    /// How strict to be.
    public let options: RuleOptions
    /// The checks in their order.
    public let pipeline: Pipeline
    /// The keys, by key identifier.
    public let keys: [String: RegisteredKey]
    /// Whether the server is going down.
    public let isStopping: Bool
    /// The faults in force; `nil` for none.
    public let faults: FaultPlan?
    /// The epoch of the journal.
    let epoch: UInt64
    /// The device tokens that are registered.
    package let registrations: RegistrationIndex

    /// A ruleset of these parts.
    public init(
        options: RuleOptions = RuleOptions(),
        pipeline: Pipeline = .standard,
        keys: [String: RegisteredKey] = [:],
        isStopping: Bool = false
    ) {
        self.options = options
        self.pipeline = pipeline
        self.keys = keys
        self.isStopping = isStopping
        faults = nil
        epoch = 1
        registrations = RegistrationIndex()
    }

    /// Another ruleset, but for the parts given.
    private init(
        _ other: Ruleset,
        options: RuleOptions? = nil,
        keys: [String: RegisteredKey]? = nil,
        isStopping: Bool? = nil,
        faults: FaultPlan?? = nil,
        epoch: UInt64? = nil,
        registrations: RegistrationIndex? = nil
    ) {
        self.options = options ?? other.options
        pipeline = other.pipeline
        self.keys = keys ?? other.keys
        self.isStopping = isStopping ?? other.isStopping
        self.faults = faults ?? other.faults
        self.epoch = epoch ?? other.epoch
        self.registrations = registrations ?? other.registrations
    }

    /// What the checks say of a request.
    public func verdict(on request: borrowing RequestView, in situation: inout Situation) -> Verdict {
        pipeline.verdict(on: request, in: &situation)
    }

    /// What is known of a device token; `nil` if it is not registered.
    public func find(_ token: DeviceToken) -> RegisteredToken? { registrations.tokens[token] }

    /// The number of a topic; 0 if no registration has it.
    public func topicNumber(_ topic: String) -> UInt32 { registrations.topics.number(topic) }

    /// Whether topics have the numbers that they have in `other`.
    public func hasTopics(of other: Ruleset) -> Bool {
        registrations.topics.version == other.registrations.topics.version
            && registrations.epoch == other.registrations.epoch
    }

    /// Whether the keys are those of `other`, so that what either verified holds for both.
    public func hasKeys(of other: Ruleset) -> Bool {
        keys.count == other.keys.count && keys.allSatisfy { $0.value === other.keys[$0.key] }
    }

    /// The same ruleset for a server that is going down.
    public func stopping() -> Ruleset { Ruleset(self, isStopping: true) }

    /// The same ruleset with other keys.
    public func with(keys: [String: RegisteredKey]) -> Ruleset { Ruleset(self, keys: keys) }

    /// The same ruleset, as strict as these options say.
    public func with(options: RuleOptions) -> Ruleset { Ruleset(self, options: options) }

    /// The same ruleset for other registrations and faults, in an epoch of the journal.
    func with(_ registrations: RegistrationIndex, epoch: UInt64, faults: FaultPlan?) -> Ruleset {
        Ruleset(self, faults: .some(faults), epoch: epoch, registrations: registrations)
    }
}

extension RecordBatch {
    /// Notes the rules by which the records to come are judged; the batch must be empty.
    public func begin(by ruleset: Ruleset) {
        epoch = ruleset.epoch
        deviceEpoch = ruleset.registrations.epoch
    }
}
