package import MockAPNsFormats
public import MockAPNsRules

/// Everything that determines verdicts, as one immutable value; a change creates another ruleset.
///
/// Every event loop holds the current ruleset, so judging a push needs no lock.
public final class Ruleset: Sendable {
    /// A key with which provider tokens may be signed, compared by identity.
    public final class RegisteredKey: Sendable {
        /// The permissions of the key.
        public let key: ProviderKey
        /// Verifies the key's signatures.
        public let verifier: any SignatureVerifier
        /// The text from which the verifier can be made again; empty if there is none.
        public let pem: String

        /// Creates a registered key.
        public init(key: ProviderKey, verifier: any SignatureVerifier, pem: String = "") {
            self.key = key
            self.verifier = verifier
            self.pem = pem
        }
    }

    /// The options of the rules.
    public let options: RuleOptions
    /// The checks in order.
    public let pipeline: Pipeline
    /// The keys by key ID.
    public let keys: [String: RegisteredKey]
    /// Why the server refuses every request: it is stopping, or its world cannot be kept; `nil` if it does not.
    public let refusal: Reason?
    /// The enabled faults; `nil` if there are none.
    public let faults: FaultPlan?
    let epoch: UInt64
    /// The provider tokens in use, for limits that count for all connections.
    public let tokenUpdates: TokenUpdateWindows
    /// The names of the described apps by bundle identifier, for searches.
    package let appNames: [String: String]
    /// The schemas of apps, for warnings and searches.
    package let schemas: AppSchemas
    /// The index of registered device tokens.
    package let registrations: RegistrationIndex

    /// Creates a ruleset.
    public init(
        options: RuleOptions = RuleOptions(), pipeline: Pipeline = .standard, keys: [String: RegisteredKey] = [:],
        refusal: Reason? = nil
    ) {
        self.options = options
        self.pipeline = pipeline
        self.keys = keys
        self.refusal = refusal
        faults = nil
        epoch = 1
        tokenUpdates = TokenUpdateWindows()
        appNames = [:]
        schemas = AppSchemas()
        registrations = RegistrationIndex()
    }

    private init(
        _ other: Ruleset, options: RuleOptions? = nil, keys: [String: RegisteredKey]? = nil, refusal: Reason?? = nil,
        faults: FaultPlan?? = nil, epoch: UInt64? = nil, tokenUpdates: TokenUpdateWindows? = nil,
        appNames: [String: String]? = nil, schemas: AppSchemas? = nil, registrations: RegistrationIndex? = nil
    ) {
        self.options = options ?? other.options
        pipeline = other.pipeline
        self.keys = keys ?? other.keys
        self.refusal = refusal ?? other.refusal
        self.faults = faults ?? other.faults
        self.epoch = epoch ?? other.epoch
        self.tokenUpdates = tokenUpdates ?? other.tokenUpdates
        self.appNames = appNames ?? other.appNames
        self.schemas = schemas ?? other.schemas
        self.registrations = registrations ?? other.registrations
    }

    /// Returns the verdict on a request.
    public func verdict(on request: borrowing RequestView, in situation: inout Situation) -> Verdict {
        pipeline.verdict(on: request, in: &situation)
    }

    /// Returns the registration of a device token; `nil` if it is not registered.
    public func find(_ token: DeviceToken) -> RegisteredToken? { registrations.tokens[token] }

    /// Returns the number of a topic; 0 if no registration has it.
    public func topicNumber(_ topic: String) -> UInt32 { registrations.topics.number(topic) }

    /// Whether the numbers of topics are the same as in `other`.
    public func hasTopics(of other: Ruleset) -> Bool {
        registrations.topics.version == other.registrations.topics.version
            && registrations.epoch == other.registrations.epoch
    }

    /// Whether the keys are the same as in `other`, so that verified tokens can be reused.
    public func hasKeys(of other: Ruleset) -> Bool {
        keys.count == other.keys.count && keys.allSatisfy { $0.value === other.keys[$0.key] }
    }

    /// Whether `other` gives the same verdicts, except for those that follow from devices.
    public func hasRules(of other: Ruleset) -> Bool {
        options == other.options && refusal == other.refusal && hasKeys(of: other)
            && pipeline.hasChecks(of: other.pipeline)
    }

    /// Returns the ruleset of a stopping server.
    public func stopping() -> Ruleset { Ruleset(self, refusal: .some(.shutdown)) }

    /// Returns the ruleset of a server whose world cannot be kept, or can be kept again; one that is stopping still is.
    package func keeping(_ isKept: Bool) -> Ruleset {
        refusal == .shutdown ? self : Ruleset(self, refusal: .some(isKept ? nil : .serviceUnavailable))
    }

    func refusing(_ refusal: Reason?) -> Ruleset { Ruleset(self, refusal: .some(refusal)) }

    /// Returns the ruleset with other keys.
    public func with(keys: [String: RegisteredKey]) -> Ruleset { Ruleset(self, keys: keys) }

    /// Returns the ruleset with other options.
    public func with(options: RuleOptions) -> Ruleset { Ruleset(self, options: options) }

    func with(tokenUpdates: TokenUpdateWindows) -> Ruleset { Ruleset(self, tokenUpdates: tokenUpdates) }

    /// Returns the ruleset with what warnings and searches need of the tables.
    func with(_ tables: WorldTables) -> Ruleset {
        let names = tables.apps.compactMapValues(\.name)
        let schemas = AppSchemas(tables.schemas)
        return names == appNames && schemas == self.schemas ? self : Ruleset(self, appNames: names, schemas: schemas)
    }

    func with(_ registrations: RegistrationIndex, epoch: UInt64, faults: FaultPlan?) -> Ruleset {
        Ruleset(self, faults: .some(faults), epoch: epoch, registrations: registrations)
    }
}

extension Ruleset.RegisteredKey: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(key)
        archive.write(pem)
    }

    package convenience init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let (key, pem) = (try archive.read(ProviderKey.self), try archive.read(String.self))
        guard let verifier = try archive.replay.verifier(pem) else { throw .badValue }
        self.init(key: key, verifier: verifier, pem: pem)
    }

    /// Keys in the order of their IDs.
    static func ordered(_ keys: [String: Ruleset.RegisteredKey]) -> [Ruleset.RegisteredKey] {
        keys.values.sorted { $0.key.keyID < $1.key.keyID }
    }

    /// Keys by their IDs.
    static func byID(_ keys: [Ruleset.RegisteredKey]) -> [String: Ruleset.RegisteredKey] {
        Dictionary(keys.map { ($0.key.keyID, $0) }) { $1 }
    }

    /// The IDs of the keys that are also `others`, in their order: keys are compared by identity, which bytes do not have.
    static func shared(
        by keys: [String: Ruleset.RegisteredKey], and others: [String: Ruleset.RegisteredKey]
    ) -> [String] { keys.keys.filter { keys[$0] === others[$0] }.sorted() }
}

extension RecordBatch {
    /// Records the ruleset for the following records; the batch must be empty.
    public func begin(by ruleset: Ruleset) {
        epoch = ruleset.epoch
        deviceEpoch = ruleset.registrations.epoch
        isOpen = ruleset.refusal != .serviceUnavailable
    }
}
