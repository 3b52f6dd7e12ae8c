internal import MockAPNsFormats

/// A parsed provider token, before its signature is verified (a JSON Web Token, RFC 7519).
///
/// Source of the format: Apple, "Establishing a token-based connection to APNs" (documented).
public struct ProviderToken: Sendable {
    /// The algorithm of the signature, always with a key on P-256.
    public enum Algorithm: String, Sendable {
        /// SHA-256, the algorithm that Apple documents.
        case es256 = "ES256"
        /// SHA-512, with a signature padded to 132 bytes, as edamov/pushok creates it since its commit
        /// 553af93.
        ///
        /// RFC 7518, section 3.4, requires a key on P-521 for this name.
        case es512 = "ES512"
    }

    /// The header's `alg`.
    public let algorithm: Algorithm
    /// The header's `kid`.
    public let keyID: String
    /// The claim `iss`.
    public let teamID: String
    /// The claim `iat`, in UNIX seconds; a fraction is accepted (observed with Python clients).
    public let issuedAt: Double
    /// Whether `iat` is a string of digits (observed with a client in production).
    public let issuedAtIsText: Bool
    /// The claim `sub`, which Apple's documentation does not mention.
    public let subject: String?
    /// Whether all parts are Base64URL without padding, as documented.
    ///
    /// dotAPNS and CorePush send standard Base64 with padding.
    public var isBase64URL = true
    /// The number of bytes, from the start of the token, that the signature covers.
    public let signedLength: Int
    /// The decoded signature, raw or in DER.
    public let signature: [UInt8]

    /// The reason why a token cannot be parsed, with its readable parts.
    public struct Refusal: Error {
        /// The problem.
        public let verification: TokenVerification
        /// The header's `kid`, if it was readable.
        public let keyID: String
        /// The claim `iss`, if it was readable.
        public let teamID: String
    }

    /// The length of a signature with ES256 in characters: 64 bytes in Base64URL.
    static let signatureLength = 86

    /// The maximum size of a token in bytes; a real one has about 200.
    static let maximumSize = 4_096

    /// Parses a token.
    public static func parse(_ text: ByteSpan) -> Result<ProviderToken, Refusal> {
        func refusal(_ problem: TokenVerification, _ keyID: String?, _ teamID: String?) -> Result<Self, Refusal> {
            .failure(Refusal(verification: problem, keyID: keyID ?? "", teamID: teamID ?? ""))
        }
        guard text.count <= maximumSize, let parts = split(text), let headerPart = Base64.decodeAny(parts.header.bytes),
            let header = members(headerPart.bytes), let claimsPart = Base64.decodeAny(parts.claims.bytes),
            let claims = members(claimsPart.bytes), let signature = Self.signature(parts.signature)
        else { return refusal(.malformed, nil, nil) }

        let keyID = header["kid"]?.nonEmptyText
        let teamID = claims["iss"]?.nonEmptyText
        guard case .string(let name)? = header["alg"], let algorithm = Algorithm(rawValue: name) else {
            return refusal(.wrongAlgorithm, keyID, teamID)
        }
        guard let keyID else { return refusal(.missingKeyID, nil, teamID) }
        guard let teamID else { return refusal(.missingIssuer, keyID, nil) }
        guard let issuedAt = claims["iat"]?.seconds else { return refusal(.badIssuedAt, keyID, teamID) }
        return .success(
            ProviderToken(
                algorithm: algorithm, keyID: keyID, teamID: teamID, issuedAt: issuedAt.value,
                issuedAtIsText: issuedAt.isText, subject: claims["sub"]?.nonEmptyText,
                isBase64URL: headerPart.isURL && claimsPart.isURL && signature.isURL,
                signedLength: text.count - parts.signature.count - 1, signature: signature.bytes))
    }

    /// Returns the token of an `authorization` value; `nil` if it is absent, empty or of another scheme.
    ///
    /// Documented: `bearer`. Observed: clients also write `Bearer`, so letter case is ignored.
    public static func bearer(_ authorization: ByteSpan?) -> ByteSpan? {
        guard let authorization, authorization.hasPrefix("bearer ") || hasBearerInCapitals(authorization) else {
            return nil
        }
        var token = authorization.dropFirst(7)
        while !token.isEmpty, token[0] == UInt8(ascii: " ") { token = token.dropFirst(1) }
        return token.isEmpty ? nil : token
    }

    /// Whether a value begins with `bearer ` in any letter case.
    private static func hasBearerInCapitals(_ authorization: ByteSpan) -> Bool {
        let scheme: StaticString = "bearer"
        guard authorization.count > 6, authorization[6] == UInt8(ascii: " ") else { return false }
        return (0..<6).allSatisfy { authorization[$0] | 0x20 == scheme.utf8Start[$0] }
    }

    /// Decodes a signature; records keep only what shows that one is not Base64URL.
    private static func signature(_ text: ByteSpan) -> (bytes: [UInt8], isURL: Bool)? {
        let isRest = text.count > 0 && text.bytes.allSatisfy { rest.contains($0) }
        return isRest ? ([], false) : Base64.decodeAny(text.bytes)
    }

    private static let rest = Array("=+/".utf8)

    private static func split(_ text: ByteSpan) -> (header: ByteSpan, claims: ByteSpan, signature: ByteSpan)? {
        guard let first = text.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let rest = text.dropFirst(first + 1)
        guard let second = rest.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let signature = rest.dropFirst(second + 1)
        guard signature.firstIndex(of: UInt8(ascii: ".")) == nil else { return nil }
        return (text.prefix(first), rest.prefix(second), signature)
    }

    static func members(_ json: [UInt8]) -> [String: JSONValue]? {
        guard case .object(let members)? = JSONParser.value(of: json, maximumDepth: RuleOptions.deepestJSON) else {
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

    /// The time in UNIX seconds, from a number that is not negative or a string of digits.
    var seconds: (value: Double, isText: Bool)? {
        if case .string(let text) = self {
            guard text.utf8.count <= 19, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
            return Double(text).map { ($0, true) }
        }
        return double.flatMap { $0 >= 0 ? ($0, false) : nil }
    }
}
