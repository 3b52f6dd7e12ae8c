import Testing

@testable import MockAPNsRules

/// What the three ways to look at tokens answer, and what each writes down as `verification`.
@Suite struct AuthenticationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The answers under verify, wellformed and any.
        let answers: [Reason?]
        /// What is written down, which is the same under all three.
        let verification: TokenVerification
        let change: @Sendable (inout Scenario) -> Void

        init(
            _ name: String, _ answers: [Reason?], _ verification: TokenVerification,
            _ change: @escaping @Sendable (inout Scenario) -> Void
        ) {
            self.name = name
            self.answers = answers
            self.verification = verification
            self.change = change
        }

        /// A token of which the authority says this.
        init(_ found: TokenVerification, _ answers: [Reason?]) {
            self.init("\(found)", answers, found) { $0.token.verification = found }
        }

        var testDescription: String { name }
    }

    private static let refused: [Reason?] = [.invalidProviderToken, .invalidProviderToken, nil]

    static let table: [Row] = [
        Row(.verified, [nil, nil, nil]), Row(.malformed, refused), Row(.wrongAlgorithm, refused),
        Row(.missingKeyID, refused), Row(.missingIssuer, refused), Row(.wrongTeam, refused), Row(.badIssuedAt, refused),
        Row(.unknownKey, [.invalidProviderToken, nil, nil]), Row(.badSignature, [.invalidProviderToken, nil, nil]),
        Row(.verifierFailed, [.internalServerError, .internalServerError, nil]),
        Row("no token", [.missingProviderToken, .missingProviderToken, nil], .missing) {
            $0.request.remove("authorization")
        }, Row("iat is text", [nil, nil, nil], .verified) { $0.token.issuedAtIsText = true },
        Row("alg is ES512", refused, .wrongAlgorithm) { $0.token.algorithm = .es512 },
        Row("alg is ES512, which is chosen", [nil, nil, nil], .verified) {
            $0.token.algorithm = .es512
            $0.options.acceptsES512 = true
        }, Row("certificate", [nil, nil, nil], .certificate) { $0.certificate = .standing() },
        Row("too old", [.expiredProviderToken, .expiredProviderToken, nil], .expired) { $0.token.issuedAt -= 3_601 },
        Row("too far ahead", [.expiredProviderToken, .expiredProviderToken, nil], .issuedInFuture) {
            $0.token.issuedAt += 7_200
        },
        Row("other environment", [.badEnvironmentKeyInToken, .badEnvironmentKeyInToken, nil], .wrongEnvironment) {
            $0.token.environment = .production
        },
        Row("other team", [.invalidProviderToken, .invalidProviderToken, nil], .otherTeam) {
            $0.began { $0.teamID = "ZZZ999ZZZ9" }
        },
        Row("unrelated key", [.unrelatedKeyIDInToken, .unrelatedKeyIDInToken, nil], .unrelatedKey) {
            $0.began {
                $0.keyID = "SECONDKEY0"
                $0.topics = [PushRequest.goodTopic]
            }
        },
        Row("renewed too soon", [.tooManyProviderTokenUpdates, .tooManyProviderTokenUpdates, nil], .tooManyUpdates) {
            $0.began { $0.issuedAt -= 60 }
        },
        Row("topic not covered", [.topicDisallowed, .topicDisallowed, nil], .verified) {
            $0.token.topics = ["com.example.other"]
        },
        // The signature was found wrong first, and that is what is worth telling.
        Row("wrong signature and too old", [.invalidProviderToken, .expiredProviderToken, nil], .badSignature) {
            $0.token.verification = .badSignature
            $0.token.issuedAt -= 3_601
        },
    ]

    @Test(arguments: table) func `each mode gives the token its expected reason and verification`(_ row: Row) {
        for (mode, expected) in zip([RuleOptions.Authentication.verify, .wellformed, .any], row.answers) {
            var scenario = Scenario()
            row.change(&scenario)
            scenario.options.authentication = mode
            let outcome = scenario.run()
            #expect(outcome.reason == expected, "\(mode)")
            #expect(outcome.verification == row.verification, "\(mode)")
        }
    }

    /// The connection and the verifier decide about the others.
    @Test(arguments: table) func `a result that the token alone decides has the reason of mode verify`(
        _ row: Row
    ) throws {
        let isTold = ![.otherTeam, .unrelatedKey, .tooManyUpdates, .verifierFailed].contains(row.verification)
        let answer = try #require(row.answers.first)
        let expected = isTold && row.verification != .verified ? answer : nil
        #expect(row.verification.reason == expected)
    }

    @Test func `the table has every result of a verification`() {
        let seen = Set(Self.table.map(\.verification))
        #expect(seen == Set(TokenVerification.allCases).subtracting([.notChecked]))
    }

    /// The first valid push opens the connection for many streams, and a refused token does not.
    @Test func `only a valid token authenticates a connection, also on a refused push`() {
        let connection = Connection()
        var expired = TokenFields()
        expired.issuedAt -= 3_601
        #expect(!connection.push(expired).situation.isAuthenticated)
        var forged = TokenFields()
        forged.verification = .badSignature
        #expect(!connection.push(forged).situation.isAuthenticated)
        var withoutTopic = PushRequest()
        withoutTopic.remove("apns-topic")
        #expect(connection.push(request: withoutTopic).situation.isAuthenticated)
        // Once open it stays so.
        #expect(connection.push(forged).situation.isAuthenticated)
    }

    @Test func `mode any authenticates a connection with any token, or none`() {
        var options = RuleOptions()
        options.authentication = .any
        var request = PushRequest()
        request.remove("authorization")
        #expect(Connection().push(options: options, request: request).situation.isAuthenticated)
        let malformed = ProviderCredential(refusal: .init(verification: .malformed, keyID: "", teamID: ""))
        #expect(Connection().push(malformed, options: options).situation.isAuthenticated)
    }

    /// What one request left behind does not colour the next.
    @Test func `nothing of a request is left for the next one`() {
        let connection = Connection()
        var asking = PushRequest()
        asking.setToken("dead0410")
        let first = connection.push(request: asking)
        #expect(first.situation.deadSince == Scenario.start)
        #expect(first.situation.deviceToken?.hex == "dead0410")
        var wrong = PushRequest()
        wrong.set(":method", "GET")
        let second = connection.push(request: wrong)
        #expect(second.situation.deadSince == nil)
        #expect(second.situation.deviceToken == nil)
        #expect(second.situation.credential == nil)
        #expect(second.verification == .notChecked)
    }
}

/// Which keys may share a connection.
@Suite struct ConnectionBindingTests {
    private static let topicKey: @Sendable (inout TokenFields) -> Void = {
        $0.keyID = "TOPICKEY01"
        $0.topics = [PushRequest.goodTopic]
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: TokenFields
        let second: TokenFields
        let expected: Reason?

        init(
            _ name: String, _ expected: Reason?,
            _ change: (_ first: inout TokenFields, _ second: inout TokenFields) -> Void
        ) {
            var (first, second) = (TokenFields(), TokenFields())
            second.keyID = "SECONDKEY0"
            change(&first, &second)
            testDescription = name
            (self.first, self.second, self.expected) = (first, second, expected)
        }
    }

    static let table: [Row] = [
        Row("two keys of a team", nil) { _, _ in },
        Row("two keys of a team, one for both environments", nil) { _, second in second.environment = .sandbox },
        Row("two keys of a team, for this environment", nil) { first, second in
            (first.environment, second.environment) = (.sandbox, .sandbox)
        }, Row("key of another team", .invalidProviderToken) { _, second in second.teamID = "ZZZ999ZZZ9" },
        Row("topic-specific key of another team", .invalidProviderToken) { _, second in
            topicKey(&second)
            second.teamID = "ZZZ999ZZZ9"
        }, Row("topic-specific key after the team's", .unrelatedKeyIDInToken) { _, second in topicKey(&second) },
        Row("team's key after a topic-specific one", .unrelatedKeyIDInToken) { first, _ in topicKey(&first) },
        Row("the same topic-specific key", nil) { first, second in
            topicKey(&first)
            topicKey(&second)
        },
        Row("related topic-specific key", nil) { first, second in
            topicKey(&first)
            topicKey(&second)
            second.keyID = "TOPICKEY02"
        },
        Row("unrelated topic-specific key", .unrelatedKeyIDInToken) { first, second in
            topicKey(&first)
            second.topics = [PushRequest.goodTopic, "com.example.other"]
        },
        Row("key for the other environment", .badEnvironmentKeyInToken) { first, second in
            (first.environment, second.environment) = (.sandbox, .production)
        },
    ]

    @Test(arguments: table) func `a connection takes only the tokens that its first key allows`(_ row: Row) {
        let connection = Connection()
        #expect(connection.push(row.first).reason == nil)
        let outcome = connection.push(row.second)
        #expect(outcome.reason == row.expected)
        #expect(outcome.situation.boundKey == row.first.key)
        // The key the connection began with goes on working.
        #expect(connection.push(row.first).reason == nil)
    }

    /// A token that was refused binds nothing.
    @Test func `a refused token does not bind the connection to its key`() {
        let connection = Connection()
        var expired = TokenFields()
        expired.teamID = "ZZZ999ZZZ9"
        expired.issuedAt -= 3_601
        #expect(connection.push(expired).reason == .expiredProviderToken)
        #expect(connection.push().reason == nil)
    }

    /// A token that names no key binds nothing, even where it is let through.
    @Test func `a malformed token does not bind the connection, even if it is accepted`() {
        var options = RuleOptions()
        options.authentication = .any
        let connection = Connection()
        let malformed = ProviderCredential(refusal: .init(verification: .malformed, keyID: "", teamID: ""))
        #expect(connection.push(malformed, options: options).situation.boundKey == nil)
        #expect(connection.push(options: options).verification == .verified)
        #expect(connection.push().reason == nil)
    }

    @Test func `each connection is bound to a key of its own`() {
        let authority = FakeAuthority()
        var other = TokenFields()
        other.teamID = "ZZZ999ZZZ9"
        #expect(Connection(authority: authority).push().reason == nil)
        #expect(Connection(authority: authority).push(other).reason == nil)
    }
}
