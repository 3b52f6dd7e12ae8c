@testable import MockAPNsRules

extension CheckCase {
    static let tokens: [CheckCase] = [
        .without("authorization", .missingProviderToken), .header("authorization", "", .missingProviderToken),
        .header("authorization", "bearer", .missingProviderToken),
        .header("authorization", "bearer ", .missingProviderToken),
        .header("authorization", "basic dXNlcjpwYXNz", .missingProviderToken),
        .header("authorization", "header.claims.signature", .missingProviderToken, "(no scheme)"),
        .header("authorization", "Bearer header.claims.signature", nil),

        .refused("provider token: cannot be taken apart", .invalidProviderToken) { $0.token.verification = .malformed },
        .token("alg is not ES256", .invalidProviderToken) { $0.verification = .wrongAlgorithm },
        .token("no kid", .invalidProviderToken) { $0.verification = .missingKeyID },
        .token("unknown kid", .invalidProviderToken) { $0.verification = .unknownKey },
        .token("no iss", .invalidProviderToken) { $0.verification = .missingIssuer },
        .token("iss is not the key's team", .invalidProviderToken) { $0.verification = .wrongTeam },
        .token("wrong signature", .invalidProviderToken) { $0.verification = .badSignature },
        .token("iat unusable", .invalidProviderToken) { $0.verification = .badIssuedAt },
        .token("verifier failed", .internalServerError) { $0.verification = .verifierFailed },

        .token("iat has a fraction", nil) { $0.issuedAt += 0.25 },
        .token("iat is text", nil) { $0.issuedAtIsText = true },
        .token("alg is ES512", .invalidProviderToken) { $0.algorithm = .es512 },
        .accepted("provider token: alg is ES512, which is chosen") {
            $0.options.acceptsES512 = true
            $0.token.algorithm = .es512
        },
        .refused("provider token: alg is ES512, well-formed is asked for", .invalidProviderToken) {
            $0.options.authentication = .wellformed
            $0.token.algorithm = .es512
        },

        .token("3599 s old", nil) { $0.issuedAt = Scenario.start.seconds - 3_599 },
        .token("3600 s old", nil) { $0.issuedAt = Scenario.start.seconds - 3_600 },
        .token("3601 s old", .expiredProviderToken) { $0.issuedAt = Scenario.start.seconds - 3_601 },
        .token("3600.5 s old", .expiredProviderToken) { $0.issuedAt = Scenario.start.seconds - 3_600.5 },
        .token("of 1970", .expiredProviderToken) { $0.issuedAt = 0 },
        .token("3600 s ahead", nil) { $0.issuedAt = Scenario.start.seconds + 3_600 },
        .token("3601 s ahead", .expiredProviderToken) { $0.issuedAt = Scenario.start.seconds + 3_601 },
        .token("iat in milliseconds", .expiredProviderToken) { $0.issuedAt *= 1_000 },
        .refused("provider token: ahead, called invalid", .invalidProviderToken) {
            $0.options.futureTokenReason = .invalidProviderToken
            $0.token.issuedAt = Scenario.start.seconds + 3_601
        },
        .refused("provider token: older than a shorter lifetime", .expiredProviderToken) {
            $0.options.tokenLifetime = 599_000_000
        },

        .token("key for this environment", nil) { $0.environment = .sandbox },
        .token("key for the other environment", .badEnvironmentKeyInToken) { $0.environment = .production },
        .accepted("provider token: production key in production") {
            $0.environment = .production
            $0.token.environment = .production
        },
        .refused("provider token: sandbox key in production", .badEnvironmentKeyInToken) {
            $0.environment = .production
            $0.token.environment = .sandbox
        },
        .refused("provider token: documented spelling", .badEnvironmentKeyIDInToken) {
            $0.options.usesDocumentedEnvironmentReason = true
            $0.token.environment = .production
        },

        .accepted("wrong signature, well-formed is enough") {
            $0.options.authentication = .wellformed
            $0.token.verification = .badSignature
        },
        .accepted("unknown key, well-formed is enough") {
            $0.options.authentication = .wellformed
            $0.token.verification = .unknownKey
        },
        .refused("malformed, well-formed is asked for", .invalidProviderToken) {
            $0.options.authentication = .wellformed
            $0.token.verification = .malformed
        },
        .refused("too old, well-formed is asked for", .expiredProviderToken) {
            $0.options.authentication = .wellformed
            $0.token.verification = .unknownKey
            $0.token.issuedAt -= 3_600
        },
        .accepted("malformed, anything goes") {
            $0.options.authentication = .any
            $0.token.verification = .malformed
        },
        .accepted("no provider token, anything goes") {
            $0.options.authentication = .any
            $0.request.remove("authorization")
        },
    ]

    static let bindings: [CheckCase] = [
        .accepted("connection began with the same token") { $0.began { _ in } },
        .refused("connection began with another team", .invalidProviderToken) { $0.began { $0.teamID = "ZZZ999ZZZ9" } },
        .refused("connection began with another team, Forbidden chosen", .forbidden) {
            $0.options.otherTeamReason = .forbidden
            $0.began { $0.teamID = "ZZZ999ZZZ9" }
        }, .accepted("connection began with another key of the team") { $0.began { $0.keyID = "SECONDKEY0" } },
        .refused("connection began with a topic-specific key", .unrelatedKeyIDInToken) {
            $0.began {
                $0.keyID = "SECONDKEY0"
                $0.topics = [PushRequest.goodTopic]
            }
        }, .refused("token renewed after a minute", .tooManyProviderTokenUpdates) { $0.began { $0.issuedAt -= 60 } },
        .accepted("token renewed after a minute, no limit") {
            $0.options.tokenUpdateInterval = 0
            $0.began { $0.issuedAt -= 60 }
        },
        .accepted("token renewed after a minute, shorter interval") {
            $0.options.tokenUpdateInterval = 60_000_000
            $0.began { $0.issuedAt -= 60 }
        },
        .refused("token renewed after a minute, invalid ones count", .tooManyProviderTokenUpdates) {
            $0.options.countsInvalidTokens = true
            $0.began { $0.issuedAt -= 60 }
        },
        .refused("token renewed after a minute, connection blocked", .tooManyProviderTokenUpdates) {
            $0.options.blocksAfterTokenUpdate = true
            $0.began { $0.issuedAt -= 60 }
        }, .accepted("token in standard Base64") { $0.token.isBase64URL = false },
        .refused("token in standard Base64, Base64URL required", .invalidProviderToken) {
            $0.options.requiresBase64URL = true
            $0.token.isBase64URL = false
        },
        .refused("token renewed after a minute, limit per key", .tooManyProviderTokenUpdates) {
            $0.options.tokenUpdateScope = .key
            $0.began { $0.issuedAt -= 60 }
        },
    ]
}
