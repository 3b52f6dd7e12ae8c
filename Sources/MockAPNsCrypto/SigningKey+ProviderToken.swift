internal import MockAPNsFormats

extension SigningKey {
    /// Makes a provider token as a provider would: a JSON Web Token signed with ES256 (RFC 7519).
    ///
    /// Source of the form: Apple, "Establishing a token-based connection to APNs" (documented).
    ///
    /// `keyID` is the header's `kid` and `teamID` the claim `iss`; Apple's have 10 characters. Neither is checked,
    /// so that invalid tokens can be made on purpose. `issuedAt` is the claim `iat`, in UNIX seconds. Two tokens
    /// with the same claims differ, because ECDSA signatures contain a random number.
    package func providerToken(keyID: String, teamID: String, issuedAt: Int64) throws -> String {
        let header = #"{"alg":"ES256","kid":\#(Self.quoted(keyID))}"#
        let claims = #"{"iss":\#(Self.quoted(teamID)),"iat":\#(issuedAt)}"#
        let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
        let signature = try Array(signed.utf8).withUnsafeBytes { try self.signature(of: $0) }
        return "\(signed).\(Base64URL.encode(signature))"
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).text, as: UTF8.self)
    }
}
