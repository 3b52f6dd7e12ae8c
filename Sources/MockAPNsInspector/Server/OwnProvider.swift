internal import MockAPNs
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The provider token for pushes that the API sends.
///
/// Its key is registered when it is first needed. With the user's key, its tokens would count as renewals of the user's
/// provider tokens, which must not be too frequent.
final class OwnProvider: Sendable {
    /// The identifier of its key, unless another key has it.
    static let keyID = "INSPECTOR1"
    /// Documented: tokens are renewed between 20 and 60 minutes of age.
    private static let renewalAge = 40 * 60.0

    private struct Token {
        let key: DevelopmentKey
        let publicKeyPEM: String
        let text: String
        let issuedAt: Double
    }

    private let latest = NIOLockedValueBox<Token?>(nil)

    /// A provider token that is valid now; throws `MockAPNsError` if the cryptographic library fails.
    func token(for subject: InspectedServer) throws -> String {
        let ring = KeyRing(of: subject.world)
        let now = subject.world.clock.read().world.seconds
        let lifetime = Double(subject.world.ruleset.options.tokenLifetime) / 1_000_000
        let renewalAge = min(Self.renewalAge, lifetime * 2 / 3)
        return try latest.withLockedValue { latest in
            // The key may have been deleted, or a reset removed it.
            if let old = latest, ring[old.key.keyID]?.publicKeyPEM != old.publicKeyPEM { latest = nil }
            if let latest, (0..<renewalAge).contains(now - latest.issuedAt) { return latest.text }
            let (key, publicKeyPEM) =
                try latest.map { ($0.key, $0.publicKeyPEM) }
                ?? Self.register(with: subject.developmentKey?.teamID, in: ring)
            let token = Token(
                key: key, publicKeyPEM: publicKeyPEM, text: try key.providerToken(issuedAt: Int64(now)),
                issuedAt: now.rounded(.down))
            latest = token
            return token.text
        }
    }

    /// A provider token of a key that is not registered, for a check, which changes nothing and takes it as valid.
    func unregisteredToken(for subject: InspectedServer) throws -> String {
        let key = try DevelopmentKey.make(teamID: subject.developmentKey?.teamID)
        return try key.providerToken(issuedAt: Int64(subject.world.clock.read().world.seconds))
    }

    /// Adds a key, with a random identifier if the user has one with this identifier.
    private static func register(
        with teamID: String?, in ring: KeyRing
    ) throws -> (key: DevelopmentKey, publicKeyPEM: String) {
        var keyID: String? = Self.keyID
        while true {
            let key = try DevelopmentKey.make(keyID: keyID, teamID: teamID)
            let scope = ProviderKey(keyID: key.keyID, teamID: key.teamID)
            if let entry = try ring.add(scope, pem: key.privateKeyPEM) { return (key, entry.publicKeyPEM) }
            keyID = nil
        }
    }
}
