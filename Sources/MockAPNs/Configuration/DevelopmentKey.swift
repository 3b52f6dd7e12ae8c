internal import MockAPNsCrypto
internal import MockAPNsRules

/// A provider's signing key created by the server, so that the first push needs no developer account.
public struct DevelopmentKey: Sendable {
    /// The key ID, for the header `kid`.
    public let keyID: String
    /// The team ID, for the claim `iss`.
    public let teamID: String
    /// The private key in the format of an Apple `.p8` file.
    public let privateKeyPEM: String

    /// Creates a development key from an existing key.
    public init(keyID: String, teamID: String, privateKeyPEM: String) {
        self.keyID = keyID
        self.teamID = teamID
        self.privateKeyPEM = privateKeyPEM
    }

    /// Generates a key with IDs of Apple's form, ten capital letters and digits.
    public static func make(keyID: String? = nil, teamID: String? = nil) throws(MockAPNsError) -> DevelopmentKey {
        try MockAPNsError.wrapping(.badKey, "a development key could not be made: ") {
            DevelopmentKey(
                keyID: keyID ?? randomIdentifier(), teamID: teamID ?? randomIdentifier(),
                privateKeyPEM: try SigningKey.generate().privateKeyPEM)
        }
    }

    /// Returns a provider token signed with the key; `issuedAt` is the claim `iat`, in UNIX seconds.
    ///
    /// It is sent after `bearer` in the header `authorization`.
    public func providerToken(issuedAt: Int64) throws(MockAPNsError) -> String {
        try MockAPNsError.wrapping(.badKey) {
            let key = try SigningKey(pem: privateKeyPEM)
            return try key.providerToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
        }
    }

    /// The key as a part of a configuration.
    public var configured: Configuration.Key {
        Configuration.Key(key: ProviderKey(keyID: keyID, teamID: teamID), pem: privateKeyPEM)
    }

    /// Returns random capital letters and digits, without those that look alike.
    public static func randomIdentifier(length: Int = 10) -> String {
        String((0..<length).map { _ in "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".randomElement() ?? "A" })
    }
}
