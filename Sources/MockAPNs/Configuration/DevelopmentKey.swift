internal import MockAPNsCrypto
internal import MockAPNsRules

/// A provider's signing key that the server made itself, so that the first push needs no account.
public struct DevelopmentKey: Sendable {
    /// The key identifier, for the header `kid`.
    public let keyID: String
    /// The team identifier, for the claim `iss`.
    public let teamID: String
    /// The private key as an Apple `.p8` file has it.
    public let privateKeyPEM: String

    /// A key that exists.
    public init(keyID: String, teamID: String, privateKeyPEM: String) {
        self.keyID = keyID
        self.teamID = teamID
        self.privateKeyPEM = privateKeyPEM
    }

    /// Makes a key with identifiers of Apple's form, ten capital letters and digits.
    ///
    /// - Throws: `MockAPNsError` when the cryptographic library cannot.
    public static func make(
        keyID: String? = nil,
        teamID: String? = nil
    ) throws(MockAPNsError) -> DevelopmentKey {
        try MockAPNsError.wrapping(.badKey, "a development key could not be made: ") {
            DevelopmentKey(
                keyID: keyID ?? randomIdentifier(),
                teamID: teamID ?? randomIdentifier(),
                privateKeyPEM: try SigningKey.generate().privateKeyPEM
            )
        }
    }

    /// A provider token signed with the key.
    ///
    /// - Parameter issuedAt: the claim `iat`, in UNIX seconds.
    /// - Returns: what follows `bearer` in the header `authorization`.
    /// - Throws: `MockAPNsError` when the key cannot sign.
    public func providerToken(issuedAt: Int64) throws(MockAPNsError) -> String {
        try MockAPNsError.wrapping(.badKey) {
            let key = try SigningKey(pem: privateKeyPEM)
            return try ProviderTokenSigner(key: key, keyID: keyID, teamID: teamID).token(issuedAt: issuedAt)
        }
    }

    /// The key as a configuration takes it.
    public var configured: Configuration.Key {
        Configuration.Key(key: ProviderKey(keyID: keyID, teamID: teamID), pem: privateKeyPEM)
    }

    /// Random capital letters and digits, without those that look alike.
    public static func randomIdentifier(length: Int = 10) -> String {
        String((0..<length).map { _ in "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".randomElement() ?? "A" })
    }
}
