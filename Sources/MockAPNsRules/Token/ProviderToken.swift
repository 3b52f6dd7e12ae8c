internal import MockAPNsFormats

/// A provider token taken apart, before anybody looks at its signature (a JSON Web Token, RFC 7519).
///
/// Source of the form: Apple, "Establishing a token-based connection to APNs" (documented).
public struct ProviderToken: Sendable {
    /// How a token is signed, always by a key on P-256.
    public enum Algorithm: String, Sendable {
        /// SHA-256: the one that Apple documents.
        case es256 = "ES256"
        /// SHA-512, and a signature padded to 132 bytes, as edamov/pushok makes it since its commit 553af93.
        ///
        /// RFC 7518, section 3.4, wants a key on P-521 for this name.
        case es512 = "ES512"
    }

    /// The header's `alg`.
    public let algorithm: Algorithm
    /// The header's `kid`.
    public let keyID: String
    /// The claim `iss`.
    public let teamID: String
    /// The claim `iat`, in UNIX seconds; a fraction is accepted (observed of Python clients).
    public let issuedAt: Double
    /// Whether `iat` came as a string of digits (observed of a client in production).
    public let issuedAtIsText: Bool
    /// The claim `sub`; nothing documented asks for it.
    public let subject: String?
    /// The number of bytes, from the start of the token, that the signature covers.
    public let signedLength: Int
    /// The signature, in whatever form it came.
    public let signature: [UInt8]

    /// Why a token could not be taken apart, with what was readable of it.
    public struct Refusal: Error {
        /// What is wrong.
        public let verification: TokenVerification
        /// The header's `kid`, where it was readable.
        public let keyID: String
        /// The claim `iss`, where it was readable.
        public let teamID: String
    }

    /// The largest token looked at, in bytes; a real one has about 200.
    static let maximumSize = 4_096

    /// Takes a token apart.
    public static func parse(_ text: ByteSpan) -> Result<ProviderToken, Refusal> {
        func refusal(
            _ verification: TokenVerification,
            _ keyID: String = "",
            _ teamID: String = ""
        )
            -> Result<ProviderToken, Refusal>
        {
            .failure(Refusal(verification: verification, keyID: keyID, teamID: teamID))
        }
        guard text.count <= maximumSize, let parts = split(text),
            let header = Base64URL.decode(parts.header.bytes).flatMap(members),
            let claims = Base64URL.decode(parts.claims.bytes).flatMap(members),
            let signature = Base64URL.decode(parts.signature.bytes)
        else { return refusal(.malformed) }

        let keyID = header["kid"]?.nonEmptyText
        let teamID = claims["iss"]?.nonEmptyText
        guard case .string(let name)? = header["alg"], let algorithm = Algorithm(rawValue: name) else {
            return refusal(.wrongAlgorithm, keyID ?? "", teamID ?? "")
        }
        guard let keyID else { return refusal(.missingKeyID, "", teamID ?? "") }
        guard let teamID else { return refusal(.missingIssuer, keyID) }
        guard let issuedAt = claims["iat"]?.seconds else { return refusal(.badIssuedAt, keyID, teamID) }
        return .success(
            ProviderToken(
                algorithm: algorithm,
                keyID: keyID,
                teamID: teamID,
                issuedAt: issuedAt.value,
                issuedAtIsText: issuedAt.isText,
                subject: claims["sub"]?.nonEmptyText,
                signedLength: parts.signedLength,
                signature: signature
            )
        )
    }

    /// The token in an `authorization` value; `nil` when it is absent, empty or of another scheme.
    ///
    /// Documented: `bearer`; observed: clients write `Bearer` as well, so letter case does not matter.
    public static func bearer(_ authorization: ByteSpan?) -> ByteSpan? {
        guard let authorization, authorization.hasPrefix("bearer ") || hasBearerInCapitals(authorization)
        else {
            return nil
        }
        var token = authorization.dropFirst(7)
        while !token.isEmpty, token[0] == UInt8(ascii: " ") { token = token.dropFirst(1) }
        return token.isEmpty ? nil : token
    }

    /// Whether a value begins with `bearer ` in any letter case.
    private static func hasBearerInCapitals(_ authorization: ByteSpan) -> Bool {
        let scheme: StaticString = "bearer "
        guard authorization.count >= scheme.utf8CodeUnitCount else { return false }
        return (0..<scheme.utf8CodeUnitCount).allSatisfy { offset in
            let byte = authorization[offset]
            let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            return lower == scheme.utf8Start[offset]
        }
    }

    private struct Parts {
        let header: ByteSpan
        let claims: ByteSpan
        let signature: ByteSpan
        let signedLength: Int
    }

    private static func split(_ text: ByteSpan) -> Parts? {
        guard let first = text.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let rest = text.dropFirst(first + 1)
        guard let second = rest.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let signature = rest.dropFirst(second + 1)
        guard signature.firstIndex(of: UInt8(ascii: ".")) == nil else { return nil }
        return Parts(
            header: text.prefix(first),
            claims: rest.prefix(second),
            signature: signature,
            signedLength: first + 1 + second
        )
    }

    private static func members(_ json: [UInt8]) -> [String: JSONValue]? {
        guard case .object(let members)? = JSONParser.value(of: json, maximumDepth: RuleOptions.deepestJSON)
        else {
            return nil
        }
        return members
    }
}

extension JSONValue {
    fileprivate var nonEmptyText: String? {
        guard case .string(let text) = self, !text.isEmpty else { return nil }
        return text
    }

    /// A time in UNIX seconds: a number that is not negative, or a string of digits.
    fileprivate var seconds: (value: Double, isText: Bool)? {
        if case .string(let text) = self {
            guard text.utf8.count <= 19, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
            return Double(text).map { ($0, true) }
        }
        return double.flatMap { $0 >= 0 ? ($0, false) : nil }
    }
}
