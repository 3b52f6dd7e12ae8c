/// The result of verifying a provider token.
///
/// To add one, add a case and its row. The names are part of the debug API (`auth.verification`).
public enum TokenVerification: UInt8, CaseIterable, Sendable {
    case notChecked
    case verified
    case missing
    case malformed
    case wrongAlgorithm
    case missingKeyID
    case unknownKey
    case missingIssuer
    case wrongTeam
    case badIssuedAt
    case badSignature
    case expired
    case issuedInFuture
    case wrongEnvironment
    case unrelatedKey
    case otherTeam
    case tooManyUpdates
    case verifierFailed

    /// The properties of a result.
    public struct Row: Sendable {
        /// The name in the debug API.
        public let name: StaticString
        /// The description of the result.
        public let meaning: StaticString
    }

    /// The properties of this result.
    public var row: Row {
        switch self {
        case .notChecked:
            Row(name: "not-checked", meaning: "The request was answered before its token was looked at.")
        case .verified: Row(name: "verified", meaning: "Signature, key, team and age are right.")
        case .missing: Row(name: "missing", meaning: "There is no authorization: bearer <provider token>.")
        case .malformed:
            Row(
                name: "malformed",
                meaning: "Not three base64url parts, without padding, with JSON objects in the first two."
            )
        case .wrongAlgorithm: Row(name: "wrong-algorithm", meaning: "The header's alg is not ES256.")
        case .missingKeyID: Row(name: "missing-key-id", meaning: "The header has no kid.")
        case .unknownKey:
            Row(name: "unknown-key", meaning: "No key with this kid is registered with the server.")
        case .missingIssuer: Row(name: "missing-issuer", meaning: "The claims have no iss.")
        case .wrongTeam:
            Row(name: "wrong-team", meaning: "The claim iss is not the team that the key belongs to.")
        case .badIssuedAt: Row(name: "bad-issued-at", meaning: "The claim iat is not a time in UNIX seconds.")
        case .badSignature:
            Row(name: "bad-signature", meaning: "The signature is not by the key that kid names.")
        case .expired: Row(name: "expired", meaning: "The claim iat lies more than an hour back.")
        case .issuedInFuture:
            Row(name: "issued-in-future", meaning: "The claim iat lies more than an hour ahead.")
        case .wrongEnvironment:
            Row(name: "wrong-environment", meaning: "The key is not for this environment.")
        case .unrelatedKey:
            Row(name: "unrelated-key", meaning: "The connection began with a key unrelated to this one.")
        case .otherTeam: Row(name: "other-team", meaning: "The connection began with another team's key.")
        case .tooManyUpdates:
            Row(name: "too-many-updates", meaning: "The connection's token changed too soon.")
        case .verifierFailed: Row(name: "verifier-failed", meaning: "The cryptographic library failed.")
        }
    }

    /// The name in the debug API.
    public var name: String { row.name.description }
}
