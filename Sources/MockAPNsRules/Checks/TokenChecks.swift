extension Check {
    /// Observed: both reasons, in a GOAWAY after the first request.
    static let clientCertificate = Check(
        "client-certificate", .connection, [.badCertificate, .badCertificateEnvironment], decider: .auth,
        isStable: true, expects: "no client certificate, or a valid one for this environment",
        cause: { _, evidence in
            guard let certificate = evidence.certificate else { return .unknown(evidence.reason) }
            return evidence.reason == .badCertificate
                ? .certificate(certificate, at: evidence.now)
                : .certificateEnvironment(certificate, address: evidence.environment)
        }
    ) { _, situation in
        guard let certificate = situation.certificate, situation.options.authentication != .any else { return nil }
        guard certificate.standing == .verified else { return .badCertificate }
        return certificate.isValid(in: situation.environment) ? nil : .badCertificateEnvironment
    }

    static let tokenPresent = Check(
        "provider-token-present", .auth, [.missingProviderToken], .header(.authorization), isStable: true,
        expects: "authorization: bearer <provider token>",
        cause: { request, evidence in .token(.missing(evidence.absence(in: request))) }
    ) { request, situation in
        guard !situation.isBinary, !situation.hasCertificate, ProviderToken.bearer(request[.authorization]) == nil
        else { return nil }
        situation.verification = .missing
        guard situation.options.authentication != .any else {
            situation.isAuthenticated = true
            return nil
        }
        return situation.verification.reason
    }

    static let tokenValid = Check(
        "provider-token-valid", .auth, [.invalidProviderToken, .internalServerError, .tooManyProviderTokenUpdates],
        .header(.authorization),
        expects: "an ES256 JSON Web Token, signed by the registered key that kid names, with its team as iss",
        cause: { request, evidence in
            evidence.reason == .tooManyProviderTokenUpdates
                ? evidence.update(in: request) : evidence.refusal(of: request)
        }
    ) { request, situation in
        // Documented: with a certificate, the header is ignored.
        guard !situation.hasCertificate else {
            situation.verification = .certificate
            return nil
        }
        guard !situation.recallCredential(), let token = ProviderToken.bearer(request[.authorization]) else {
            return nil
        }
        let credential = situation.authority.credential(for: token)
        situation.credential = credential
        situation.verification = credential.verification
        if situation.options.countsInvalidTokens, !situation.admits(credential) {
            return situation.refuse(.tooManyUpdates, as: .tooManyProviderTokenUpdates)
        }
        if situation.options.requiresBase64URL, !credential.isBase64URL {
            situation.verification = .malformed
        } else if credential.algorithm == .es512, !situation.options.acceptsES512 {
            situation.verification = .wrongAlgorithm
        }
        switch (situation.verification, situation.options.authentication) {
        case (.verified, _), (_, .any), (.badSignature, .wellformed), (.unknownKey, .wellformed): return nil
        case (.verifierFailed, _): return .internalServerError
        default: return situation.verification.reason
        }
    }

    /// Documented: at most one hour old.
    ///
    /// The behavior for a token from the future is unknown; the limit is inferred.
    static let tokenAge = Check(
        "provider-token-age", .auth, [.expiredProviderToken, .invalidProviderToken], .header(.authorization),
        expects: "an iat within one hour of the server's clock",
        cause: { request, evidence in evidence.age(of: request) }
    ) { _, situation in
        guard let issuedAt = situation.credential?.issuedAt else { return nil }
        let age = situation.now.seconds - issuedAt
        let lifetime = Double(situation.options.tokenLifetime) / 1_000_000
        if age > lifetime { return situation.refuse(.expired) }
        if -age > lifetime { return situation.refuse(.issuedInFuture, as: situation.options.futureTokenReason) }
        return nil
    }

    /// Observed spelling: BadEnvironmentKeyInToken; documented spelling: BadEnvironmentKeyIdInToken.
    static let tokenEnvironment = Check(
        "provider-token-environment", .auth, [.badEnvironmentKeyInToken, .badEnvironmentKeyIDInToken],
        .header(.authorization), isStable: true, expects: "a key for this environment",
        cause: { request, evidence in
            let (key, address) = (evidence.key(of: request)?.keyID ?? "", evidence.environment)
            return .token(.keyEnvironment(key: key, seen: address.other, address: address))
        }
    ) { _, situation in
        guard let environment = situation.credential?.key.environment, environment != situation.environment else {
            return nil
        }
        let documented = situation.options.usesDocumentedEnvironmentReason
        return situation.refuse(.wrongEnvironment, as: documented ? .badEnvironmentKeyIDInToken : nil)
    }

    /// Documented: the first push binds a connection to a team and a kind of key.
    ///
    /// Inferred: the reason for another team.
    static let connectionKey = Check(
        "connection-key", .auth, [.unrelatedKeyIDInToken, .invalidProviderToken, .forbidden], .header(.authorization),
        isStable: true, expects: "the team and the key, or a related one, that the connection began with",
        cause: { request, evidence in
            guard let seen = evidence.key(of: request) else { return .unknown(evidence.reason) }
            let bound = evidence.earlierToken()?.key
            return evidence.reason == .unrelatedKeyIDInToken
                ? .token(.unrelatedKey(seen: seen, bound: bound)) : .token(.otherTeam(seen: seen, bound: bound))
        }
    ) { _, situation in
        // A token that cannot be parsed has no key; if tokens are not verified, the request gets this far.
        guard let credential = situation.credential, credential.issuedAt != nil,
            credential !== situation.relatedCredential
        else { return nil }
        let key = credential.key
        let bound = situation.boundKey ?? key
        situation.boundKey = bound
        if key.teamID != bound.teamID { return situation.refuse(.otherTeam, as: situation.options.otherTeamReason) }
        guard key.isRelated(to: bound) else { return situation.refuse(.unrelatedKey, as: .unrelatedKeyIDInToken) }
        situation.relatedCredential = credential
        return nil
    }

    static let tokenUpdates = Check(
        "provider-token-updates", .auth, [.tooManyProviderTokenUpdates], .header(.authorization), decider: .rateLimit,
        expects: "the same provider token for at least 20 minutes",
        cause: { request, evidence in evidence.update(in: request) }
    ) { _, situation in
        guard let credential = situation.credential else { return nil }
        guard situation.admits(credential) else {
            return situation.refuse(.tooManyUpdates, as: .tooManyProviderTokenUpdates)
        }
        situation.isAuthenticated = true
        return nil
    }
}

extension Evidence {
    /// Why the limit on token updates does not admit the token.
    fileprivate func update(in request: borrowing RequestView) -> Cause {
        let issuedAt = token(of: request)?.issuedAt ?? 0
        let interval = Double(options.tokenUpdateInterval) / 1_000_000
        return .token(.update(issuedAt: issuedAt, previous: earlierToken()?.issuedAt, interval: interval))
    }
}

extension Situation {
    /// Returns whether the limit on token updates admits a token, and counts it.
    ///
    /// A token that cannot be parsed is not limited, because nothing says whether it is another one.
    fileprivate mutating func admits(_ credential: ProviderCredential) -> Bool {
        let interval = options.tokenUpdateInterval
        guard interval > 0, let issuedAt = credential.issuedAt else { return true }
        if options.blocksAfterTokenUpdate, let blockedUntil {
            guard now >= blockedUntil else { return false }
            self.blockedUntil = nil
        }
        let key = credential.key
        let owner =
            switch options.tokenUpdateScope {
            case .connection, .key: key.keyID
            case .team: key.teamID
            case .address: address
            }
        let use = TokenUse(owner: owner, keyID: key.keyID, issuedAt: issuedAt)
        let standing =
            options.tokenUpdateScope == .connection
            ? updateWindows.admit(use, at: now, interval: interval) : authority.admit(use, at: now, interval: interval)
        guard case .early(let end) = standing else { return true }
        if options.blocksAfterTokenUpdate { blockedUntil = end }
        return false
    }

    /// Records the problem of the token, and rejects the request unless tokens are not verified.
    ///
    /// `reason` replaces that of the result.
    fileprivate mutating func refuse(_ verification: TokenVerification, as reason: Reason? = nil) -> Reason? {
        if self.verification == .verified { self.verification = verification }
        return options.authentication == .any ? nil : reason ?? verification.reason
    }
}
