extension DriftDefect {
    private static let url = [DriftCase.Choice("--behavior token-base64=url", "InvalidProviderToken")]
    private static let future = [DriftCase.Choice("--behavior future-token=invalid", "InvalidProviderToken")]

    /// The `authorization` header, and the form of provider tokens.
    static let tokens = [
        token("absent", "provider-token-present", "no authorization header", "documented: MissingProviderToken") { _ in
            .absent
        }.certain(), token("empty", "provider-token-present", "an empty authorization header") { _ in .text("") },
        token("basic", "provider-token-present", "authorization that is not bearer") { _ in .text("basic YTpi") },
        token("scheme-capital", "provider-token-valid", "Bearer with a capital", contradicting) { _ in
            .prefixed("Bearer ")
        }, token("scheme-upper", "provider-token-valid", "BEARER", contradicting) { _ in .prefixed("BEARER ") },
        token("scheme-spaces", "provider-token-valid", "two spaces after bearer", contradicting) { _ in
            .prefixed("bearer  ")
        }, token("scheme-absent", "provider-token-present", "a token without bearer") { _ in .prefixed("") },
        token("word", "provider-token-valid", "a token that is one word", "documented: InvalidProviderToken") { _ in
            .text("bearer word")
        }.certain(), token("dots", "provider-token-valid", "a token of three empty parts") { _ in .text("bearer ..") },
        token("parts", "provider-token-valid", "a token of four parts") { _ in .text("bearer YQ.YQ.YQ.YQ") },
        token(
            "signature", "provider-token-valid", "a wrong signature", "documented: InvalidProviderToken", [],
            signed(.wrongSignature)),
        token("unsigned", "provider-token-valid", "no signature", inferred, [], signed(.withoutSignature)),
        token("padded", "provider-token-valid", "Base64 with padding", contradicting, url, signed(.padded)),
        token(
            "standard-base64", "provider-token-valid", "standard Base64, with + and /", contradicting, url,
            signed(claims: #"{"iss":"TEAM","iat":NOW,"x":"???????>>>>>>>"}"#, .standardBase64)),
        token("der", "provider-token-valid", "a signature in DER", contradicting, [], signed(.der)),
        token(
            "alg-none", "provider-token-valid", "the algorithm none", inferred, [],
            signed(header: #"{"alg":"none","kid":"KEY"}"#)),
        token("alg-absent", "provider-token-valid", "no algorithm", inferred, [], signed(header: #"{"kid":"KEY"}"#)),
        token(
            "alg-es512", "provider-token-valid", "the algorithm ES512 with a P-256 key", contradicting,
            [DriftCase.Choice("--behavior token-es512=accept", "BadDeviceToken")],
            signed(header: #"{"alg":"ES512","kid":"KEY"}"#, .sha512)),
        token(
            "alg-rs256", "provider-token-valid", "the algorithm RS256", documented, [],
            signed(header: #"{"alg":"RS256","kid":"KEY"}"#)),
        token(
            "alg-lower", "provider-token-valid", "the algorithm in lower case", inferred, [],
            signed(header: #"{"alg":"es256","kid":"KEY"}"#)),
        token(
            "kid-unknown", "provider-token-valid", "a key ID that the team does not have", documented, [],
            signed(header: #"{"alg":"ES256","kid":"0000000000"}"#)),
        token("kid-absent", "provider-token-valid", "no key ID", inferred, [], signed(header: #"{"alg":"ES256"}"#)),
        token(
            "kid-number", "provider-token-valid", "a key ID that is a number", inferred, [],
            signed(header: #"{"alg":"ES256","kid":1}"#)),
        token("header-array", "provider-token-valid", "a header that is an array", inferred, [], signed(header: "[]")),
        token("claims-array", "provider-token-valid", "claims that are an array", inferred, [], signed(claims: "[]")),
        token("claims-text", "provider-token-valid", "claims that are not JSON", inferred, [], signed(claims: "iss")),
        token("iss-absent", "provider-token-valid", "no team ID", inferred, [], signed(claims: #"{"iat":NOW}"#)),
        token(
            "iss-other", "provider-token-valid", "another team ID", documented, [],
            signed(claims: #"{"iss":"0000000000","iat":NOW}"#)),
        token(
            "typ", "provider-token-valid", "the type JWT in the header", contradicting, [],
            signed(header: #"{"alg":"ES256","typ":"JWT","kid":"KEY"}"#)),
        token(
            "exp-past", "provider-token-valid", "the claim exp, in the past", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":NOW,"exp":1}"#)),
        token(
            "sub", "provider-token-valid", "a claim sub of another app", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":NOW,"sub":"com.example.other"}"#)),
        token(
            "aud", "provider-token-valid", "a claim aud", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":NOW,"aud":"apns"}"#)),
    ]

    /// The time of issue.
    static let issued = [
        token(
            "iat-absent", "provider-token-valid", "no time of issue", inferred, [], signed(claims: #"{"iss":"TEAM"}"#)),
        token(
            "iat-null", "provider-token-valid", "a time of issue that is null", inferred, [],
            signed(claims: #"{"iss":"TEAM","iat":null}"#)),
        token(
            "iat-word", "provider-token-valid", "a time of issue that is a word", inferred, [],
            signed(claims: #"{"iss":"TEAM","iat":"now"}"#)),
        token(
            "iat-text", "provider-token-valid", "a time of issue that is a string", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":"NOW"}"#)),
        token(
            "iat-fraction", "provider-token-valid", "a time of issue with a fraction", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":NOW.5}"#)
        ).renewed(),
        token(
            "iat-exponent", "provider-token-valid", "a time of issue with an exponent", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":NOWe0}"#)),
        token(
            "iat-old", "provider-token-age", "a token of 1970", "documented: ExpiredProviderToken", [],
            signed(claims: #"{"iss":"TEAM","iat":1}"#)
        ).certain(),
        token(
            "iat-zero", "provider-token-age", "a time of issue of 0", inferred, [],
            signed(claims: #"{"iss":"TEAM","iat":0}"#)),
        token(
            "iat-negative", "provider-token-age", "a negative time of issue", inferred, [],
            signed(claims: #"{"iss":"TEAM","iat":-1}"#)),
        token(
            "iat-61-minutes", "provider-token-age", "a token of over an hour ago", "documented: ExpiredProviderToken",
            []
        ) { provider in signed(claims: #"{"iss":"TEAM","iat":\#(provider.now - 3_660)}"#)(provider) },
        token("iat-ahead", "provider-token-age", "a token of over an hour ahead", inferred, future) { provider in
            signed(claims: #"{"iss":"TEAM","iat":\#(provider.now + 3_900)}"#)(provider)
        },
        token(
            "iat-future", "provider-token-age", "a token of the year 2100", inferred, future,
            signed(claims: #"{"iss":"TEAM","iat":4102444800}"#)),
        token(
            "iat-milliseconds", "provider-token-age", "a time of issue in milliseconds", inferred, future,
            signed(claims: #"{"iss":"TEAM","iat":NOW000}"#)),
    ]
}
