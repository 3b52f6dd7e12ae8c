internal import MockAPNsCrypto
public import MockAPNsRules
public import MockAPNsWorld

/// The keys that provider tokens may be signed with, while the server runs.
///
/// A change is in force for every request that arrives after the call has returned: a token of a key that was taken
/// away is refused from then on, however often it was accepted before.
public struct KeyRing: Sendable {
    /// A key that is registered; of its private half nothing is kept.
    public struct Entry: Sendable {
        /// What the key may do.
        public let key: ProviderKey
        /// The public key, in PEM.
        public let publicKeyPEM: String
        /// Whether the key was there at the start, and comes back with a reset.
        public let isFromStart: Bool
    }

    private let world: World

    /// The keys of a world.
    public init(of world: World) { self.world = world }

    /// The keys, by key identifier.
    public var all: [Entry] {
        world.ruleset.keys.values.map(entry).sorted { $0.key.keyID < $1.key.keyID }
    }

    /// The key with this identifier.
    public subscript(keyID: String) -> Entry? { world.ruleset.keys[keyID].map(entry) }

    /// Registers a key.
    ///
    /// - Parameters:
    ///   - key: what the key may do.
    ///   - pem: the public key, or the private one it is the half of.
    /// - Returns: the key, or `nil` when there is another one with its identifier.
    /// - Throws: `MockAPNsError` for a text that holds no usable key.
    public func add(_ key: ProviderKey, pem: String) throws(MockAPNsError) -> Entry? {
        let added = try MockAPNsError.wrapping(.badKey) {
            Ruleset.RegisteredKey(key: key, verifier: KeyVerifier(key: try VerifyingKey(pem: pem)))
        }
        let changed = world.changeRuleset { ruleset in
            guard ruleset.keys[key.keyID] == nil else { return ruleset }
            return ruleset.with(keys: ruleset.keys.merging([key.keyID: added]) { old, _ in old })
        }
        return changed.keys[key.keyID] === added ? entry(added) : nil
    }

    /// Takes a key away.
    ///
    /// - Returns: whether it was there.
    public func remove(_ keyID: String) -> Bool {
        var isThere = false
        _ = world.changeRuleset { ruleset in
            isThere = ruleset.keys[keyID] != nil
            return isThere ? ruleset.with(keys: ruleset.keys.filter { $0.key != keyID }) : ruleset
        }
        return isThere
    }

    private func entry(_ registered: Ruleset.RegisteredKey) -> Entry {
        Entry(
            key: registered.key,
            publicKeyPEM: (registered.verifier as? KeyVerifier)?.key.publicKeyPEM ?? "",
            isFromStart: world.isFromStart(registered)
        )
    }
}
