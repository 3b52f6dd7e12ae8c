/// A provider token that was taken apart and verified once, and is then known by its bytes.
///
/// What depends on the time or on the connection is not in here: it is decided anew for every push.
public final class ProviderCredential: Sendable {
    /// What came of verifying the token; never one of the outcomes that depend on time or connection.
    public let verification: TokenVerification
    /// The key that the token names: the registered one, or, where none is, what the token claims.
    public let key: ProviderKey
    /// The claim `iat` in UNIX seconds; `nil` when the token could not be taken apart.
    public let issuedAt: Double?
    /// Whether `iat` came as a string of digits.
    public let issuedAtIsText: Bool
    /// The header's `alg`; `nil` when the token could not be taken apart.
    public let algorithm: ProviderToken.Algorithm?
    /// The claim `sub`.
    public let subject: String?

    /// A token that could be taken apart.
    public init(token: ProviderToken, key: ProviderKey, verification: TokenVerification) {
        self.verification = verification
        self.key = key
        issuedAt = token.issuedAt
        issuedAtIsText = token.issuedAtIsText
        algorithm = token.algorithm
        subject = token.subject
    }

    /// A token that could not be taken apart.
    public init(refusal: ProviderToken.Refusal) {
        verification = refusal.verification
        key = ProviderKey(keyID: refusal.keyID, teamID: refusal.teamID)
        issuedAt = nil
        issuedAtIsText = false
        algorithm = nil
        subject = nil
    }
}

/// Where the rules get verified provider tokens from.
///
/// One per event loop; never crosses it.
public protocol ProviderTokenAuthority: AnyObject {
    /// What is known of this token. Verifies it when its bytes are new; otherwise answers from memory.
    func credential(for token: ByteSpan) -> ProviderCredential
    /// The newest token of each key, for the rule that limits token updates per key instead of per connection.
    var updateWindowsByKey: TokenUpdateWindows { get set }
}
