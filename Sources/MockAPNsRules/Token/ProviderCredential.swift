/// A provider token that was parsed and verified once, and is then recognized by its bytes.
///
/// It contains nothing that depends on the time or the connection; that is checked for every push.
public final class ProviderCredential: Sendable {
    /// The result of verifying the token, without results that depend on the time or the connection.
    public let verification: TokenVerification
    /// The key that the token names: the registered one, or one made from the token's claims if none is
    /// registered.
    public let key: ProviderKey
    /// The claim `iat` in UNIX seconds; `nil` if the token cannot be parsed.
    public let issuedAt: Double?
    /// The header's `alg`; `nil` if the token cannot be parsed.
    public let algorithm: ProviderToken.Algorithm?
    /// Whether the token is Base64URL without padding, as documented.
    public let isBase64URL: Bool
    /// The claim `sub`.
    public let subject: String?
    /// The bytes of the key's ID and of its team's, each cut to 1,024; records are written from them without a string.
    public let identifiers: (keyID: Int, teamID: Int, bytes: [UInt8])

    /// Creates the credential of a token that was parsed, by default with a key made from its claims.
    public init(token: ProviderToken, key: ProviderKey? = nil, verification: TokenVerification) {
        self.verification = verification
        self.key = key ?? ProviderKey(keyID: token.keyID, teamID: token.teamID)
        issuedAt = token.issuedAt
        algorithm = token.algorithm
        isBase64URL = token.isBase64URL
        subject = token.subject
        identifiers = Self.identifiers(of: self.key)
    }

    /// Creates the credential of a token that cannot be parsed.
    public init(refusal: ProviderToken.Refusal) {
        verification = refusal.verification
        key = ProviderKey(keyID: refusal.keyID, teamID: refusal.teamID)
        issuedAt = nil
        algorithm = nil
        isBase64URL = true
        subject = nil
        identifiers = Self.identifiers(of: key)
    }

    private static func identifiers(of key: ProviderKey) -> (keyID: Int, teamID: Int, bytes: [UInt8]) {
        let (keyID, teamID) = (key.keyID.utf8.prefix(1_024), key.teamID.utf8.prefix(1_024))
        return (keyID.count, teamID.count, Array(keyID) + Array(teamID))
    }
}

/// The source of verified provider tokens.
///
/// There is one per event loop; it is used only on that loop.
public protocol ProviderTokenAuthority: AnyObject {
    /// Returns the credential of a token, verifying it only if its bytes are new.
    func credential(for token: ByteSpan) -> ProviderCredential
    /// Returns what a token is to the limit on token updates, if that counts for all connections, and makes it the
    /// current one of its owner if it is new.
    func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> TokenUpdateWindows.Standing
}
