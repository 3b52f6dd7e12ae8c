internal import MockAPNsFormats

/// Makes provider tokens as a provider would: JSON Web Tokens signed with ES256 (RFC 7519).
///
/// Source of the form: Apple, "Establishing a token-based connection to APNs" (documented).
public struct ProviderTokenSigner: Sendable {
    private let key: SigningKey
    private let keyID: String
    private let teamID: String

    /// Puts a key and its two identifiers together; neither identifier is checked, so that bad tokens can be
    /// made on purpose.
    ///
    /// - Parameters:
    ///   - key: The key that signs.
    ///   - keyID: The header's `kid`, 10 characters at Apple.
    ///   - teamID: The claim `iss`, 10 characters at Apple.
    public init(key: SigningKey, keyID: String, teamID: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Makes a token.
    ///
    /// Two tokens with the same claims differ, because ECDSA signatures contain a random number.
    ///
    /// - Parameter issuedAt: The claim `iat`, in UNIX seconds.
    /// - Returns: Three base64url parts joined by dots, the signature in its raw form.
    /// - Throws: ``OpenSSLError``.
    public func token(issuedAt: Int64) throws -> String {
        let header = #"{"alg":"ES256","kid":\#(jsonString(keyID))}"#
        let claims = #"{"iss":\#(jsonString(teamID)),"iat":\#(issuedAt)}"#
        let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
        let signature = try Array(signed.utf8).withUnsafeBytes { try key.signature(of: $0) }
        return "\(signed).\(Base64URL.encode(signature))"
    }

    private func jsonString(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
