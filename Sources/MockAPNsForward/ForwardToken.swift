internal import MockAPNsCrypto
internal import NIOConcurrencyHelpers

/// The provider token of the forwarded pushes, which all connections share.
final class ForwardToken: Sendable {
    /// The age at which a token is replaced, in seconds.
    ///
    /// Apple wants a token to be at least 20 and at most 60 minutes old when it is replaced (documented: Apple,
    /// "Establishing a token-based connection to APNs").
    static let renewalAge: Int64 = 40 * 60

    private let key: SigningKey
    private let (keyID, teamID): (String, String)
    private let latest = NIOLockedValueBox<(text: String, issuedAt: Int64)?>(nil)

    init(_ key: SigningKey, keyID: String, teamID: String) {
        (self.key, self.keyID, self.teamID) = (key, keyID, teamID)
    }

    /// Returns a token that is valid at a time, in UNIX seconds; throws if it cannot be signed.
    func text(at now: Int64) throws -> String {
        try latest.withLockedValue { latest in
            if let latest, (0..<Self.renewalAge).contains(now - latest.issuedAt) { return latest.text }
            let text = try key.providerToken(keyID: keyID, teamID: teamID, issuedAt: now)
            latest = (text, now)
            return text
        }
    }
}
