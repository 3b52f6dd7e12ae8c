internal import MockAPNsFormats

/// Makes provider tokens as a provider would: JSON Web Tokens signed with ES256 (RFC 7519).
///
/// Source of the form: Apple, "Establishing a token-based connection to APNs" (documented).
package struct ProviderTokenSigner: Sendable {
    private let key: SigningKey
    private let keyID: String
    private let teamID: String

    /// Creates a signer; neither identifier is checked, so that invalid tokens can be made on purpose.
    ///
    /// - Parameters:
    ///   - key: The key that signs.
    ///   - keyID: The header's `kid`; Apple's have 10 characters.
    ///   - teamID: The claim `iss`; Apple's have 10 characters.
    package init(key: SigningKey, keyID: String, teamID: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Makes a token with a claim `iat`, in UNIX seconds.
    ///
    /// Two tokens with the same claims differ, because ECDSA signatures contain a random number.
    package func token(issuedAt: Int64) throws -> String {
        let header = #"{"alg":"ES256","kid":\#(Self.quoted(keyID))}"#
        let claims = #"{"iss":\#(Self.quoted(teamID)),"iat":\#(issuedAt)}"#
        let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
        let signature = try Array(signed.utf8).withUnsafeBytes { try key.signature(of: $0) }
        return "\(signed).\(Base64URL.encode(signature))"
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).text, as: UTF8.self)
    }
}
