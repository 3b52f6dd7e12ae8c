/// The result of verifying a provider token; the names are part of the debug API (`auth.verification`).
public enum TokenVerification: String, CaseIterable, Sendable {
    case notChecked = "not-checked"
    case verified
    case certificate
    case missing
    case malformed
    case wrongAlgorithm = "wrong-algorithm"
    case missingKeyID = "missing-key-id"
    case unknownKey = "unknown-key"
    case missingIssuer = "missing-issuer"
    case wrongTeam = "wrong-team"
    case badIssuedAt = "bad-issued-at"
    case badSignature = "bad-signature"
    case expired
    case issuedInFuture = "issued-in-future"
    case wrongEnvironment = "wrong-environment"
    case unrelatedKey = "unrelated-key"
    case otherTeam = "other-team"
    case tooManyUpdates = "too-many-updates"
    case verifierFailed = "verifier-failed"

    /// The description of the result.
    public var meaning: StaticString {
        switch self {
        case .notChecked: "The request was answered before its token was looked at."
        case .certificate: "The client's certificate authenticates it; a provider token is ignored."
        case .verified: "Signature, key, team and age are right."
        case .missing: "There is no authorization: bearer <provider token>."
        case .malformed: "Not three base64url parts, without padding, with JSON objects in the first two."
        case .wrongAlgorithm: "The header's alg is not ES256."
        case .missingKeyID: "The header has no kid."
        case .unknownKey: "No key with this kid is registered with the server."
        case .missingIssuer: "The claims have no iss."
        case .wrongTeam: "The claim iss is not the team that the key belongs to."
        case .badIssuedAt: "The claim iat is not a time in UNIX seconds."
        case .badSignature: "The signature is not by the key that kid names."
        case .expired: "The claim iat lies more than an hour back."
        case .issuedInFuture: "The claim iat lies more than an hour ahead."
        case .wrongEnvironment: "The key is not for this environment."
        case .unrelatedKey: "The connection began with a key unrelated to this one."
        case .otherTeam: "The connection began with another team's key."
        case .tooManyUpdates: "The provider token changed too soon."
        case .verifierFailed: "The cryptographic library failed."
        }
    }

    /// The reason with which APNs rejects a provider token with this result; `nil` for one that it accepts, or if the
    /// connection or the verifier decides.
    public var reason: Reason? {
        switch self {
        case .missing: .missingProviderToken
        case .malformed, .wrongAlgorithm, .missingKeyID, .unknownKey: .invalidProviderToken
        case .missingIssuer, .wrongTeam, .badIssuedAt, .badSignature: .invalidProviderToken
        case .expired, .issuedInFuture: .expiredProviderToken
        case .wrongEnvironment: .badEnvironmentKeyInToken
        case .notChecked, .verified, .certificate: nil
        case .unrelatedKey, .otherTeam, .tooManyUpdates, .verifierFailed: nil
        }
    }
}
