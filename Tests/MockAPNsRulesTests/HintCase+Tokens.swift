@testable import MockAPNsRules

extension HintCase {
    private static let expected = "expected three parts of URL-safe Base64 with dots between them"

    static let tokens: [HintCase] = [
        HintCase("no header", .missingProviderToken, "The request has no authorization header") {
            $0.request.remove("authorization")
        },
        HintCase(
            "ignored certificate", .missingProviderToken,
            "the client's certificate (CN=app) does not authenticate it: The server was started with"
        ) {
            $0.request.remove("authorization")
            $0.certificate = HintScenario.certificate
            $0.certificate?.standing = .ignored
        },
        HintCase("no token", .missingProviderToken, "no token after bearer") {
            $0.request.set("authorization", "bearer ")
        },
        HintCase("no scheme", .missingProviderToken, "begins with the token") {
            $0.request.edit("authorization") { String($0.dropFirst("bearer ".count)) }
        },
        HintCase("another scheme", .missingProviderToken, "has the scheme 'Basic'") {
            $0.request.set("authorization", "Basic dXNlcjpwYXNz")
        }, absent("tab", "bearer\teyJh.e30.c2ln", "has a tab after bearer"),
        absent("colon", "bearer:eyJh.e30.c2ln", "has ':' after bearer"),
        absent("placeholder", "undefined", "The authorization header is the placeholder 'undefined'"),
        absent("FCM", "key=AAAA:APA91bF", "has a server key of FCM"),
        malformed("too long", "The token has 4997 bytes, expected at most 4096.") {
            String(repeating: "a", count: 4_997)
        }, malformed("key", "has the content of a key file") { "-----BEGIN PRIVATE KEY-----MIGTAgEAMBMG" },
        malformed("path", "has the name of a key file") { "/keys/AuthKey_ABC123DEFG.p8" },
        malformed("bearer twice", "has bearer twice") { "Bearer " + ProviderTokenCase.text() },
        malformed("quotes", "The token is in quotes") { "\"\(ProviderTokenCase.text())\"" },
        malformed("null", "has the placeholder 'null' after bearer") { "null" },
        malformed("promise", "has the placeholder '[object Promise]'") { "[object Promise]" },
        malformed("variable", "has the placeholder '$TOKEN'") { "$TOKEN" },
        malformed("space", "The token's header contains ' '") { "ey J.e30.c2ln" },
        malformed("five parts", "The token has 5 parts, \(expected).") { "e30.e30..." },
        HintCase("padding, where it is refused", .invalidProviderToken, "The token's signature has padding") {
            $0.options.requiresBase64URL = true
            $0.request.edit("authorization") { $0 + "==" }
        }, standard("plus", "+", "The token's signature contains '+', expected URL-safe Base64 without padding."),
        standard("slash", "/", "The token's signature contains '/', expected URL-safe Base64 without padding."),
        malformed("access token of Google", "The token is one of Google's") { "ya29.a0AfH6SMB" },
        malformed("one part", "The token has 1 part, \(expected).") { "abcdef" },
        malformed("character", "The token's header contains '*'") { "eyJ*.e30.c2ln" },
        malformed("cut", "The token's claims is not valid Base64") { "e30.eyJpc.c2ln" },
        malformed("not JSON", "The token's header is not a JSON object") { "YWJj.e30.c2ln" },
        malformed("signature", "The token's signature is not valid Base64") { "e30.e30.a" },
        token("alg none", "The token's alg is 'none', expected 'ES256'.", #"{"alg":"none","kid":"ABC123DEFG"}"#),
        token("no alg", "The token's header has no alg", #"{"kid":"ABC123DEFG"}"#),
        token("ES512", "The token's alg is 'ES512', expected 'ES256'.", #"{"alg":"ES512","kid":"ABC123DEFG"}"#),
        token("no kid", "The token's header has no kid", #"{"alg":"ES256"}"#),
        token(
            "kid in the claims", "The token's kid is among the claims", #"{"alg":"ES256"}"#,
            #"{"iss":"DEF123GHIJ","kid":"ABC123DEFG","iat":1}"#),
        token(
            "unknown kid",
            "The token's kid is 'XYZ', which is not 10 capital letters and digits, expected a registered key (ABC123DEFG).",
            #"{"alg":"ES256","kid":"XYZ"}"#),
        token(
            "swapped", "The token's kid is the team DEF123GHIJ and its iss is the key ABC123DEFG: they are swapped.",
            #"{"alg":"ES256","kid":"DEF123GHIJ"}"#, #"{"iss":"ABC123DEFG","iat":1}"#),
        token(
            "iss in the header", "The token's iss is in the header",
            #"{"alg":"ES256","kid":"ABC123DEFG","iss":"DEF123GHIJ"}"#, #"{"iat":1}"#),
        token(
            "iat in the header", "The token's iat is in the header", #"{"alg":"ES256","kid":"ABC123DEFG","iat":1}"#,
            #"{"iss":"DEF123GHIJ"}"#),
        token("no iss", "The token's claims have no iss", HintScenario.header, #"{"iat":1}"#),
        token(
            "another team", "The token's iss is 'OTHERTEAM1', but key ABC123DEFG belongs to team DEF123GHIJ.",
            HintScenario.header, #"{"iss":"OTHERTEAM1","iat":1}"#),
        token("no iat", "The token's claims have no iat", HintScenario.header, #"{"iss":"DEF123GHIJ"}"#),
        token(
            "exp", "The token's claims have exp but no iat", HintScenario.header,
            #"{"iss":"DEF123GHIJ","exp":1754402113}"#),
        issuedAt("negative", "-5", "The token's iat is the number -5, which is before 1970"),
        issuedAt("date", #""2025-08-05T13:55:13Z""#, "The token's iat is the text '2025-08-05T13:55:13Z'"),
        issuedAt("null", "null", "The token's iat is null, expected UNIX seconds as a number."),
        HintCase("signature", .invalidProviderToken, "The token is not signed with key ABC123DEFG") {
            $0.signatureIsRight = false
        },
        HintCase(
            "cut signature", .invalidProviderToken,
            "The token's signature has 40 characters, expected 86 of key ABC123DEFG: the token is cut."
        ) {
            $0.signatureIsRight = false
            $0.request.edit("authorization") { String($0.dropLast(46)) }
        },
        HintCase("verifier", .internalServerError, "This server failed to verify the token's signature") {
            $0.signatureIsRight = nil
        },
        HintCase("subject", .invalidProviderToken, "The token's sub is absent, expected 'com.example.app'") {
            $0.options.requiresSubject = true
            $0.keys["ABC123DEFG"] = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", topics: ["com.example.app"])
        },
        HintCase(
            "old", .expiredProviderToken,
            "The token was issued 2 h 5 min before the push (iat 1754394613, 2025-08-05T11:50:13Z), expected at most 1 h."
        ) { $0.setIssuedAt("\(HintScenario.now - 7_500)") },
        HintCase("ahead", .expiredProviderToken, "The token was issued 2 h after the push (iat 1754409313") {
            $0.setIssuedAt("\(HintScenario.now + 7_200)")
        },
        HintCase("ahead, called invalid", .invalidProviderToken, "The token was issued 3 h after the push") {
            $0.options.futureTokenReason = .invalidProviderToken
            $0.setIssuedAt("\(HintScenario.now + 10_800)")
        }, unit("milliseconds", "1754402113000"), unit("microseconds", "1754402113000000"),
        unit("nanoseconds", "1754402113000000000"), unit("ticks of .NET", "638899989130000000"),
        HintCase("2001", .expiredProviderToken, "776094913, which is in seconds since 2001") {
            $0.setIssuedAt("\(HintScenario.now - 978_307_200)")
        },
        HintCase("environment", .badEnvironmentKeyInToken, "Key ABC123DEFG is for production only") {
            $0.keys["ABC123DEFG"] = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", environment: .production)
        },
        HintCase("environment, as documented", .badEnvironmentKeyIDInToken, "Key ABC123DEFG is for sandbox only") {
            $0.environment = .production
            $0.options.usesDocumentedEnvironmentReason = true
            $0.keys["ABC123DEFG"] = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", environment: .sandbox)
        },
        HintCase(
            "another team's connection", .invalidProviderToken,
            "The token is of team DEF123GHIJ (key ABC123DEFG), but the connection began with team OTHERTEAM1 (key OTHERKEY01)."
        ) { $0.earlier = (ProviderKey(keyID: "OTHERKEY01", teamID: "OTHERTEAM1"), HintScenario.now - 700) },
        HintCase(
            "another team's connection, forbidden", .forbidden,
            "but the connection began with team OTHERTEAM2 (key OTHERKEY02)."
        ) {
            $0.options.otherTeamReason = .forbidden
            $0.earlier = (ProviderKey(keyID: "OTHERKEY02", teamID: "OTHERTEAM2"), HintScenario.now - 700)
        },
        HintCase(
            "unrelated key", .unrelatedKeyIDInToken,
            "The token is of key ABC123DEFG, but the connection began with key OTHERKEY01, which is for other topics."
        ) {
            let topics: Set = ["com.example.app"]
            $0.earlier = (
                ProviderKey(keyID: "OTHERKEY01", teamID: "DEF123GHIJ", topics: topics), HintScenario.now - 700
            )
        },
        HintCase(
            "another token too soon", .tooManyProviderTokenUpdates,
            "changed within 20 min, expected the same one for that long; the one before was issued at 2025-08-05T13:43:33Z."
        ) { $0.earlier = (HintScenario.key, HintScenario.now - 700) },
        HintCase(
            "another token too soon, before it is verified", .tooManyProviderTokenUpdates,
            "changed within 20 min, expected the same one for that long"
        ) {
            $0.earlier = (HintScenario.key, HintScenario.now - 800)
            $0.options.countsInvalidTokens = true
        },
    ]

    private static func absent(_ name: String, _ value: String, _ says: String) -> HintCase {
        HintCase("authorization: \(name)", .missingProviderToken, says) { $0.request.set("authorization", value) }
    }

    /// A whole signature with a character of standard Base64, without padding, where that is refused.
    private static func standard(_ name: String, _ character: String, _ says: String) -> HintCase {
        HintCase("\(name), where it is refused", .invalidProviderToken, says) {
            $0.options.requiresBase64URL = true
            $0.request.edit("authorization") { "\($0.dropLast(10))\(character)\($0.suffix(9))" }
        }
    }

    private static func malformed(_ name: String, _ says: String, _ text: () -> String) -> HintCase {
        HintCase(name, .invalidProviderToken, says) { $0.request.set("authorization", "bearer " + text()) }
    }

    private static func token(_ name: String, _ says: String, _ header: String, _ claims: String? = nil) -> HintCase {
        HintCase(name, .invalidProviderToken, says) { $0.setToken(header: header, claims: claims) }
    }

    private static func issuedAt(_ name: String, _ text: String, _ says: String) -> HintCase {
        HintCase("iat: \(name)", .invalidProviderToken, says) { $0.setIssuedAt(text) }
    }

    private static func unit(_ name: String, _ text: String) -> HintCase {
        let says = "The token's iat is \(text), which is in \(name), expected UNIX seconds: 1754402113."
        return HintCase(name, .expiredProviderToken, says) { $0.setIssuedAt(text) }
    }
}
