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
    }

    /// Whether the keys are those of `other`, so that what either verified holds for both.
    public func hasKeys(of other: Ruleset) -> Bool {
        keys.count == other.keys.count && keys.allSatisfy { $0.value === other.keys[$0.key] }
    }

    /// The same ruleset for a server that is going down.
    public func stopping() -> Ruleset {
        Ruleset(options: options, pipeline: pipeline, keys: keys, isStopping: true)
    }
}
