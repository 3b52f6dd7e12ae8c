internal import MockAPNs
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The provider that the server itself is, for the pushes that the API sends.
///
/// It has a key of its own, registered when it is first needed: a token of somebody else's key would count among the
/// provider tokens of that key, which may not be renewed too often.
final class OwnProvider: Sendable {
    /// The identifier of its key, where no other key has it.
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

    /// A provider token that is good now.
    ///
    /// - Parameter subject: whose keys its key is to be among.
    /// - Returns: what goes behind `bearer`.
    /// - Throws: `MockAPNsError` when the cryptographic library cannot.
    func token(for subject: InspectedServer) throws -> String {
        let ring = KeyRing(of: subject.world)
        let now = subject.world.clock.read().world.seconds
        let lifetime = Double(subject.world.ruleset.options.tokenLifetime) / 1_000_000
        let renewalAge = min(Self.renewalAge, lifetime * 2 / 3)
        return try latest.withLockedValue { latest in
            // Somebody may have taken the key away, or a reset.
            let isRegistered = latest.map { ring[$0.key.keyID]?.publicKeyPEM == $0.publicKeyPEM } ?? false
            if let latest, isRegistered, (0..<renewalAge).contains(now - latest.issuedAt) {
                return latest.text
            }
            let (key, publicKeyPEM) =
                if let latest, isRegistered { (latest.key, latest.publicKeyPEM) } else {
                    try Self.register(with: subject.developmentKey?.teamID, in: ring)
                }
            let token = Token(
                key: key,
                publicKeyPEM: publicKeyPEM,
                text: try key.providerToken(issuedAt: Int64(now)),
                issuedAt: now.rounded(.down)
            )
            latest = token
            return token.text
        }
    }

    /// Makes a key; one of a name of its own when the user has one of this name.
    private static func register(
        with teamID: String?,
        in ring: KeyRing
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
