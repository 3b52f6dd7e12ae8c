internal import MockAPNsCrypto
public import MockAPNsRules
public import MockAPNsWorld

/// The keys with which provider tokens may be signed, while the server runs.
///
/// A change applies to every request that arrives after the call has returned: from then on, tokens of a
/// removed key are rejected, even if they were accepted before.
public struct KeyRing: Sendable {
    /// A registered key, without its private part.
    public struct Entry: Sendable {
        /// The permissions of the key.
        public let key: ProviderKey
        /// The public key, in PEM.
        public let publicKeyPEM: String
        /// Whether the key was registered at startup, and is restored by a reset.
        public let isFromStart: Bool
    }

    private let world: World

    /// Creates the key ring of a world.
    public init(of world: World) { self.world = world }

    /// The keys, sorted by key ID.
    public var all: [Entry] { world.ruleset.keys.values.map(entry).sorted { $0.key.keyID < $1.key.keyID } }

    /// The key with this ID.
    public subscript(keyID: String) -> Entry? { world.ruleset.keys[keyID].map(entry) }

    /// Registers a key, given as public or private key; returns `nil` if another key has its ID.
    public func add(_ key: ProviderKey, pem: String) throws(MockAPNsError) -> Entry? {
        let added = try MockAPNsError.wrapping(.badKey) {
            Ruleset.RegisteredKey(key: key, verifier: KeyVerifier(key: try VerifyingKey(pem: pem)), pem: pem)
        }
        let changed = world.changeRuleset { ruleset in
            guard ruleset.keys[key.keyID] == nil else { return ruleset }
            return ruleset.with(keys: ruleset.keys.merging([key.keyID: added]) { old, _ in old })
        }
        return changed.keys[key.keyID] === added ? entry(added) : nil
    }

    /// Removes a key, and returns whether it was registered.
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
            key: registered.key, publicKeyPEM: (registered.verifier as? KeyVerifier)?.key.publicKeyPEM ?? "",
            isFromStart: world.isFromStart(registered))
    }
}
