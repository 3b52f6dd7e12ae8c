/// Why the provider token, or its absence, is a reason to reject a request.
package enum TokenCause: Equatable, Sendable {
    case missing(TokenAbsence)
    case malformed(TokenFlaw)
    case algorithm(seen: String?)
    /// Accepted with `--behavior token-es512=accept`.
    case es512
    case keyIDMissing(isInClaims: Bool)
    case keyUnknown(seen: String, registered: [String])
    case keyAndTeamSwapped(keyID: String, teamID: String)
    case issuerMissing(isInHeader: Bool)
    case team(seen: String, key: String, expected: String)
    case issuedAt(IssuedAtFlaw)
    case signature(key: String, algorithm: String)
    /// The signature has fewer characters than any that is whole.
    case signatureCut(key: String, length: Int)
    case subject(seen: String?, expected: String)
    case expired(issuedAt: Double, age: Double, limit: Double)
    case fromFuture(issuedAt: Double, ahead: Double, limit: Double)
    case issuedAtUnit(TimeUnit, seen: Double)
    case keyEnvironment(key: String, seen: Environment, address: Environment)
    case otherTeam(seen: ProviderKey, bound: ProviderKey?)
    case unrelatedKey(seen: ProviderKey, bound: ProviderKey?)
    case update(issuedAt: Double, previous: Double?, interval: Double)
    case verifierFailed
}

/// Why a request has no provider token.
package enum TokenAbsence: Equatable, Sendable {
    case noHeader
    /// The client showed a certificate instead, which authenticates nobody.
    case certificate(subject: String, problem: String)
    case empty
    /// The token without `bearer`.
    case noScheme
    /// Another character than a space after `bearer`.
    case separator(Character)
    /// What is written in place of a missing value, such as `null`.
    case placeholder(String)
    /// A server key of FCM.
    case fcmKey
    /// Another scheme, such as Basic.
    case otherScheme(String)
}

/// Why the claim `iat` is not a time.
package enum IssuedAtFlaw: Equatable, Sendable {
    /// There is none; `hasExpiry` if the token has `exp` instead.
    case missing(hasExpiry: Bool)
    /// It is in the token's header.
    case inHeader
    case negative(String)
    case text(String)
    case otherType(String)
}

/// A unit in which clients send `iat` by mistake.
package enum TimeUnit: CaseIterable, Sendable {
    case milliseconds
    case microseconds
    case nanoseconds
    /// Seconds since 2001, the reference date of Foundation.
    case secondsSince2001
    /// Units of 100 nanoseconds since the year 1, as `DateTime.Ticks` of .NET.
    case ticks

    /// The time in UNIX seconds.
    func seconds(_ value: Double) -> Double {
        switch self {
        case .milliseconds: value / 1_000
        case .microseconds: value / 1_000_000
        case .nanoseconds: value / 1_000_000_000
        case .secondsSince2001: value + 978_307_200
        case .ticks: value / 10_000_000 - 62_135_596_800
        }
    }

    /// Finds the unit in which a claim lies within a day of `now`; `nil` for seconds, or if there is none.
    init?(of claim: Double, at now: Double) {
        func isNear(_ seconds: Double) -> Bool { abs(seconds - now) < 86_400 }
        guard !isNear(claim), let unit = Self.allCases.first(where: { isNear($0.seconds(claim)) }) else { return nil }
        self = unit
    }
}
