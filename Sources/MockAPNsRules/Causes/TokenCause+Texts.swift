internal import MockAPNsFormats

extension TokenCause {
    /// What was seen and expected, in one sentence, and how to fix it.
    var texts: (what: String, fix: String) {
        switch self {
        case .missing(let absence): return Self.texts(of: absence)
        case .malformed(let flaw): return Self.texts(of: flaw)
        case .algorithm(nil):
            return (
                "The token's header has no alg, expected 'ES256'.", "Sign with ES256, and let the JWT library set alg."
            )
        case .algorithm(let seen?):
            return ("The token's alg is \(seen), expected 'ES256'.", "Sign with ES256 and the key of the .p8 file.")
        case .es512:
            return (
                "The token's alg is 'ES512', expected 'ES256'.",
                "Sign with ES256; this server accepts ES512 with --behavior token-es512=accept."
            )
        case .keyIDMissing(let isInClaims):
            return isInClaims
                ? (
                    "The token's kid is among the claims, expected in the header.",
                    "Set kid in the header, as a header of the JWT library."
                )
                : (
                    "The token's header has no kid, expected the key ID.",
                    "Set kid to the 10 characters in the name of the .p8 file."
                )
        case .keyUnknown(let seen, let registered):
            let form = ProviderKey.isIdentifier(seen) ? "" : ", which is not 10 capital letters and digits"
            return (
                "The token's kid is \(Words.quoted(seen))\(form), expected a registered key (\(Words.list(registered))).",
                "Sign with a registered key, register this one (mock-apns keys add, or --key), or accept any with --auth wellformed."
            )
        case .keyAndTeamSwapped(let keyID, let teamID):
            return (
                "The token's kid is the team \(teamID) and its iss is the key \(keyID): they are swapped.",
                "Set kid to \(keyID) and iss to \(teamID)."
            )
        case .issuerMissing(isInHeader: true):
            return (
                "The token's iss is in the header, expected among the claims.",
                "Set iss in the claims; the header has only alg and kid."
            )
        case .issuerMissing(isInHeader: false):
            return (
                "The token's claims have no iss, expected the team ID.", "Set iss to the 10 characters of the team ID."
            )
        case .team(let seen, let key, let expected):
            return (
                "The token's iss is \(Words.quoted(seen)), but key \(key) belongs to team \(expected).",
                "Set iss to \(expected), or sign with a key of the other team."
            )
        case .issuedAt(let flaw): return Self.texts(of: flaw)
        case .signature(let key, let algorithm):
            return (
                "The token is not signed with key \(key), as its kid says.",
                "Check that the .p8 file belongs to \(key), and that the signature (\(algorithm)) covers exactly what is sent."
            )
        case .signatureCut(let key, let length):
            return (
                "The token's signature has \(counted(length, "character", "characters")), expected"
                    + " \(ProviderToken.signatureLength) of key \(key): the token is cut.",
                "Send the whole token; a variable, a column or a line of a file may be too short for it."
            )
        case .subject(let seen, let expected):
            return (
                "The token's sub is \(seen.map(Words.quoted) ?? "absent"), expected \(Words.quoted(expected)), because its key is for certain topics.",
                "Set sub to the bundle identifier; --behavior token-subject=ignored accepts tokens without it."
            )
        case .expired(let issuedAt, let age, let limit):
            return (
                "The token was issued \(Words.duration(age)) before the push (iat \(Self.claim(issuedAt))), expected at most \(Words.duration(limit)).",
                "Issue a new token every 20 to 60 minutes, for all requests together."
            )
        case .fromFuture(let issuedAt, let ahead, let limit):
            return (
                "The token was issued \(Words.duration(ahead)) after the push (iat \(Self.claim(issuedAt))), expected at most \(Words.duration(limit)).",
                "Set the provider's clock, or take iat from the time in UTC."
            )
        case .issuedAtUnit(let unit, let seen):
            let seconds = Words.number(unit.seconds(seen).rounded(.down))
            return (
                "The token's iat is \(Words.number(seen)), which is in \(unit.words), expected UNIX seconds: \(seconds).",
                unit.fix
            )
        case .keyEnvironment(let key, let seen, let address):
            return (
                "Key \(key) is for \(seen.rawValue) only, but this address is \(address.rawValue).",
                "Send to the \(seen.rawValue) address, or use a key for \(address.rawValue)."
            )
        case .otherTeam(let seen, let bound):
            let first = bound.map { "team \($0.teamID) (key \($0.keyID))" } ?? "another team"
            return (
                "The token is of team \(seen.teamID) (key \(seen.keyID)), but the connection began with \(first).",
                "Open a connection for each team."
            )
        case .unrelatedKey(let seen, let bound):
            let first = bound.map { "key \($0.keyID), which is for other topics" } ?? "a key for other topics"
            return (
                "The token is of key \(seen.keyID), but the connection began with \(first).",
                "Open a connection for each key that is for certain topics."
            )
        case .update(let issuedAt, let previous, let interval):
            let other = previous.map { "; the one before was issued at \(Words.moment($0))" } ?? ""
            return (
                "The token (issued at \(Words.moment(issuedAt))) changed within \(Words.duration(interval)),"
                    + " expected the same one for that long\(other).",
                "Share one token among all requests, and renew it every 20 to 60 minutes."
            )
        case .verifierFailed:
            return (
                "This server failed to verify the token's signature: the cryptographic library has an error.",
                "Retry; if it stays, restart the server."
            )
        }
    }

    /// A time in UNIX seconds, and as a date where it is one.
    private static func claim(_ issuedAt: Double) -> String {
        let (number, moment) = (Words.number(issuedAt), Words.moment(issuedAt))
        return number == moment ? number : "\(number), \(moment)"
    }

    private static func texts(of absence: TokenAbsence) -> (what: String, fix: String) {
        let expected = "expected authorization: bearer <provider token>"
        let fix = "Send authorization: bearer <provider token> with every request."
        switch absence {
        case .noHeader: return ("The request has no authorization header, \(expected), or a client certificate.", fix)
        case .certificate(let subject, let problem):
            return (
                "The request has no provider token, and the client's certificate (\(subject)) does not authenticate it: \(problem)",
                "Send authorization: bearer <provider token>, or a valid certificate."
            )
        case .empty:
            return (
                "The authorization header has no token after bearer, \(expected).",
                "Check the variable that holds the token."
            )
        case .noScheme:
            return (
                "The authorization header begins with the token, \(expected).",
                "Put bearer and a space before the token."
            )
        case .separator(let character):
            let seen = character == "\t" ? "a tab" : "'\(character)'"
            return (
                "The authorization header has \(seen) after bearer, expected a space.",
                "Put one space between bearer and the token."
            )
        case .placeholder(let word):
            return (
                "The authorization header is the placeholder \(Words.quoted(word)), \(expected).",
                "Check the variable that holds the token, and put bearer and a space before it."
            )
        case .fcmKey:
            return (
                "The authorization header has a server key of FCM, \(expected).",
                "Sign a provider token with the .p8 key of APNs; a server key is for FCM."
            )
        case .otherScheme(let scheme):
            return (
                "The authorization header has the scheme \(Words.quoted(scheme)), \(expected).",
                "Use the scheme bearer."
            )
        }
    }

    private static func texts(of flaw: TokenFlaw) -> (what: String, fix: String) {
        let expected = "expected three parts of URL-safe Base64 with dots between them"
        let fix = "Sign the token with a JWT library, and send its result unchanged."
        switch flaw {
        case .tooLong(let size):
            return (
                "The token has \(size) bytes, expected at most \(ProviderToken.maximumSize).",
                "Leave out claims other than iss and iat."
            )
        case .keyContent:
            return (
                "The authorization header has the content of a key file, expected a token signed with that key.",
                "Sign a token with the key; never send the key. Revoke a real key that was sent."
            )
        case .keyPath:
            return (
                "The authorization header has the name of a key file, expected a token signed with that key.",
                "Read the file, and sign a token with it."
            )
        case .repeatedScheme:
            return (
                "The authorization header has bearer twice, expected once.",
                "Remove one; a library may add it by itself."
            )
        case .quoted:
            return (
                "The token is in quotes or brackets, expected without.",
                "Send the text itself, not its JSON or how the program prints it: in Python, decode bytes first."
            )
        case .placeholder(let word):
            return (
                "The authorization header has the placeholder \(Words.quoted(word)) after bearer, expected a provider token.",
                "Check the variable that holds the token before sending."
            )
        case .google:
            return (
                "The token is one of Google's, expected a JWT signed with the .p8 key of APNs.",
                "Sign a provider token for APNs; FCM's access tokens and server keys are for FCM."
            )
        case .parts(let count): return ("The token has \(counted(count, "part", "parts")), \(expected).", fix)
        case .character(let part, let character):
            let what = "The token's \(part.rawValue) contains '\(character)', expected URL-safe Base64 without padding."
            if "+/=".contains(character) { return (what, "Use - and _ instead of + and /, and no =.") }
            return (
                what, character.isWhitespace ? "Remove the white space; a copied token often has a line break." : fix
            )
        case .padded(let part):
            return (
                "The token's \(part.rawValue) has padding, expected URL-safe Base64 without =.",
                "Remove each = at the end of a part, and use - and _ instead of + and /."
            )
        case .cut(let part):
            return (
                "The token's \(part.rawValue) is not valid Base64, \(expected).",
                "\(fix) It may be cut, or changed on the way."
            )
        case .notJSON(let part):
            return ("The token's \(part.rawValue) is not a JSON object once decoded, \(expected).", fix)
        }
    }

    private static func texts(of flaw: IssuedAtFlaw) -> (what: String, fix: String) {
        let fix = "Set iat to the current UNIX time in seconds, as a number."
        switch flaw {
        case .inHeader:
            return (
                "The token's iat is in the header, expected among the claims.",
                "Set iat in the claims; the header has only alg and kid."
            )
        case .missing(let hasExpiry):
            return hasExpiry
                ? (
                    "The token's claims have exp but no iat, expected iat: the time of issue in UNIX seconds.",
                    "\(fix) APNs ignores exp."
                ) : ("The token's claims have no iat, expected the time of issue in UNIX seconds.", fix)
        case .negative(let seen):
            return ("The token's iat is \(seen), which is before 1970, expected UNIX seconds.", fix)
        case .text(let seen): return ("The token's iat is the text \(seen), expected UNIX seconds as a number.", fix)
        case .otherType(let seen): return ("The token's iat is \(seen), expected UNIX seconds as a number.", fix)
        }
    }
}

extension TimeUnit {
    fileprivate var words: String {
        switch self {
        case .milliseconds: "milliseconds"
        case .microseconds: "microseconds"
        case .nanoseconds: "nanoseconds"
        case .secondsSince2001: "seconds since 2001"
        case .ticks: "ticks of .NET"
        }
    }

    fileprivate var fix: String {
        switch self {
        case .milliseconds: "Divide by 1,000 and drop the fraction, as in Math.floor(Date.now() / 1000)."
        case .microseconds: "Divide by 1,000,000 and drop the fraction."
        case .nanoseconds: "Divide by 1,000,000,000 and drop the fraction."
        case .secondsSince2001: "Use timeIntervalSince1970, not timeIntervalSinceReferenceDate."
        case .ticks: "Use DateTimeOffset.UtcNow.ToUnixTimeSeconds(), not DateTime.Ticks."
        }
    }
}
