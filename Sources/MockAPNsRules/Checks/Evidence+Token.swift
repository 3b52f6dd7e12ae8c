internal import MockAPNsFormats

/// What the checks of provider tokens have found.
extension Evidence {
    /// The readable parts of the provider token; `nil` if there are none.
    func token(of request: borrowing RequestView) -> TokenParts? {
        request[.authorization].flatMap { TokenParts(authorization: $0.text) }
    }

    /// The key that the token names: the registered one, or one made from its claims; `nil` without a key ID.
    func key(of request: borrowing RequestView) -> ProviderKey? {
        guard let token = token(of: request), let keyID = token.header["kid"]?.plainString else { return nil }
        return keys()[keyID] ?? ProviderKey(keyID: keyID, teamID: token.claims["iss"]?.plainString ?? "")
    }

    /// Why the request has no provider token.
    func absence(in request: borrowing RequestView) -> TokenAbsence {
        guard let value = request[.authorization]?.text else {
            guard let certificate, let problem = certificate.problem(in: environment) else { return .noHeader }
            return .certificate(subject: certificate.subject, problem: problem)
        }
        let words = value.split(separator: " ", maxSplits: 1)
        let first = words.first.map(String.init) ?? ""
        if first.isEmpty || first.lowercased() == "bearer" { return .empty }
        if Placeholder.isOne(value) { return .placeholder(value) }
        if value.lowercased().hasPrefix("key=") || value.contains(":APA91") { return .fcmKey }
        let next = value.dropFirst("bearer".count).first
        if value.lowercased().hasPrefix("bearer"), let next, !next.isLetter, !next.isNumber { return .separator(next) }
        return words.count == 1 ? .noScheme : .otherScheme(first)
    }

    /// Why the token does not verify.
    func refusal(of request: borrowing RequestView) -> Cause {
        if reason == .internalServerError { return .token(.verifierFailed) }
        let bearer = ProviderToken.bearer(request[.authorization])?.text ?? ""
        guard verification != .malformed, let token = token(of: request) else {
            return .token(.malformed(TokenFlaw(bearer, requiresURL: options.requiresBase64URL)))
        }
        let keyID = token.header["kid"]?.plainString ?? ""
        let teamID = token.claims["iss"]?.plainString ?? ""
        switch verification {
        case .wrongAlgorithm:
            let isES512 = token.header["alg"] == .string(ProviderToken.Algorithm.es512.rawValue)
            return .token(isES512 ? .es512 : .algorithm(seen: token.header["alg"]?.summary))
        case .missingKeyID: return .token(.keyIDMissing(isInClaims: token.claims["kid"] != nil))
        case .unknownKey:
            let known = keys()
            return known[teamID] != nil
                ? .token(.keyAndTeamSwapped(keyID: teamID, teamID: keyID))
                : .token(.keyUnknown(seen: keyID, registered: known.keys.sorted()))
        case .missingIssuer: return .token(.issuerMissing(isInHeader: token.header["iss"] != nil))
        case .wrongTeam:
            let expected = keys()[keyID]?.teamID ?? "another team"
            return .token(.team(seen: teamID, key: keyID, expected: expected))
        case .badIssuedAt:
            let isInHeader = token.claims["iat"] == nil && token.header["iat"] != nil
            return .token(.issuedAt(isInHeader ? .inHeader : IssuedAtFlaw(token.claims)))
        case .badSignature:
            let parts = bearer.split(separator: ".", omittingEmptySubsequences: false)
            let length = (parts.count == 3 ? parts[2].utf8.count : 0) + removedFromToken
            // 0 if it is not known, as in a push that was imported.
            if length > 0, length < ProviderToken.signatureLength {
                return .token(.signatureCut(key: keyID, length: length))
            }
            let algorithm = token.header["alg"]?.plainString ?? ""
            return .token(.signature(key: keyID, algorithm: algorithm))
        case .notChecked, .verified, .certificate, .missing, .malformed, .expired, .issuedInFuture, .wrongEnvironment,
            .unrelatedKey, .otherTeam, .tooManyUpdates, .verifierFailed:
            return .unknown(reason)
        }
    }

    /// Why the token's age is wrong.
    func age(of request: borrowing RequestView) -> Cause {
        guard let issuedAt = token(of: request)?.issuedAt else { return .unknown(reason) }
        if let unit = TimeUnit(of: issuedAt, at: now.seconds) { return .token(.issuedAtUnit(unit, seen: issuedAt)) }
        let age = now.seconds - issuedAt
        let limit = Double(options.tokenLifetime) / 1_000_000
        return age > 0
            ? .token(.expired(issuedAt: issuedAt, age: age, limit: limit))
            : .token(.fromFuture(issuedAt: issuedAt, ahead: -age, limit: limit))
    }
}

extension TokenParts {
    /// The claim `iat` in UNIX seconds.
    var issuedAt: Double? { claims["iat"]?.seconds?.value }
}

extension IssuedAtFlaw {
    fileprivate init(_ claims: [String: JSONValue]) {
        guard let claim = claims["iat"] else {
            self = .missing(hasExpiry: claims["exp"] != nil)
            return
        }
        switch claim {
        case .string: self = .text(claim.summary)
        case .integer, .number, .literal, .unsigned: self = .negative(claim.summary)
        case .null, .bool, .array, .object, .written: self = .otherType(claim.summary)
        }
    }
}

extension JSONValue {
    /// The text of a string; `nil` for any other value.
    var plainString: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
