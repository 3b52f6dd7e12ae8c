import MockAPNs
import MockAPNsRules
import Testing

@Suite struct BehaviorTests {
    /// What each value does to a configuration.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String
        let takesEffect: @Sendable (Configuration) -> Bool

        var testDescription: String { "\(name)=\(value)" }

        init(_ name: String, _ value: String, _ takesEffect: @escaping @Sendable (Configuration) -> Bool) {
            self.name = name
            self.value = value
            self.takesEffect = takesEffect
        }
    }

    static let rows = [
        Row("background-priority", "reject") { !$0.rules.allowsImmediateBackground },
        Row("background-priority", "accept") { $0.rules.allowsImmediateBackground },
        Row("push-type-mismatch", "both") { !$0.rules.checksPushTypeInSandboxOnly },
        Row("push-type-mismatch", "sandbox-only") { $0.rules.checksPushTypeInSandboxOnly },
        Row("environment-reason", "wire") { !$0.rules.usesDocumentedEnvironmentReason },
        Row("environment-reason", "documented") { $0.rules.usesDocumentedEnvironmentReason },
        Row("error-content-type", "absent") { !$0.rules.sendsErrorContentType },
        Row("error-content-type", "present") { $0.rules.sendsErrorContentType },
        Row("future-token", "expired") { $0.rules.futureTokenReason == .expiredProviderToken },
        Row("future-token", "invalid") { $0.rules.futureTokenReason == .invalidProviderToken },
        Row("other-team", "invalid") { $0.rules.otherTeamReason == .invalidProviderToken },
        Row("other-team", "forbidden") { $0.rules.otherTeamReason == .forbidden },
        Row("bad-certificate", "goaway") { $0.rules.badCertificate == .goAway },
        Row("bad-certificate", "answer") { $0.rules.badCertificate == .answer },
        Row("bad-certificate", "alert") { $0.rules.badCertificate == .alert },
        Row("token-update-scope", "connection") { $0.rules.tokenUpdateScope == .connection },
        Row("token-update-scope", "key") { $0.rules.tokenUpdateScope == .key },
        Row("token-update-scope", "team") { $0.rules.tokenUpdateScope == .team },
        Row("token-update-scope", "address") { $0.rules.tokenUpdateScope == .address },
        Row("token-update-count", "valid") { !$0.rules.countsInvalidTokens },
        Row("token-update-count", "all") { $0.rules.countsInvalidTokens },
        Row("token-update-block", "token") { !$0.rules.blocksAfterTokenUpdate },
        Row("token-update-block", "connection") { $0.rules.blocksAfterTokenUpdate },
        Row("token-base64", "any") { !$0.rules.requiresBase64URL },
        Row("token-base64", "url") { $0.rules.requiresBase64URL },
        Row("token-subject", "ignored") { !$0.rules.requiresSubject },
        Row("token-subject", "required") { $0.rules.requiresSubject },
        Row("token-es512", "reject") { !$0.rules.acceptsES512 }, Row("token-es512", "accept") { $0.rules.acceptsES512 },
        Row("apns-id-case", "any") { !$0.rules.requiresLowerCaseID },
        Row("apns-id-case", "lower") { $0.rules.requiresLowerCaseID },
        Row("invalid-json", "accept") { !$0.rules.refusesInvalidJSON },
        Row("invalid-json", "reject") { $0.rules.refusesInvalidJSON },
        Row("answer-tokens", "on") { $0.rules.answersOnDemand },
        Row("answer-tokens", "off") { !$0.rules.answersOnDemand },
        Row("gateway-unregistered", "feedback") { !$0.rules.gatewayReportsUnregistered },
        Row("gateway-unregistered", "invalid-token") { $0.rules.gatewayReportsUnregistered },
        Row("over-limit-stream", "refuse") { $0.transport.overLimit == .refuseStream },
        Row("over-limit-stream", "goaway") { $0.transport.overLimit == .goAway },
        Row("goaway", "single") { !$0.transport.repeatsGoAway }, Row("goaway", "double") { $0.transport.repeatsGoAway },
        Row("alpn", "optional") { !$0.transport.requiresALPN }, Row("alpn", "required") { $0.transport.requiresALPN },
    ]

    @Test func `every value of an option has a row`() {
        let all = Behavior.all.flatMap { behavior in behavior.values.map { "\(behavior.name)=\($0)" } }
        #expect(Self.rows.map(\.testDescription) == all)
        #expect(Set(all).count == all.count)
        #expect(Behavior.all.allSatisfy { $0.values.count > 1 && !$0.meaning.isEmpty })
    }

    @Test(arguments: rows) func `a choice takes effect`(_ row: Row) throws {
        #expect(row.takesEffect(try .choosing(row.testDescription)))
        // It is the last choice that counts.
        let others = Self.rows.filter { $0.name == row.name && $0.value != row.value }
        for other in others {
            #expect(!row.takesEffect(try .choosing(other.testDescription)))
            #expect(row.takesEffect(try .choosing(other.testDescription, row.testDescription)))
        }
    }

    @Test(arguments: rows) func `a choice leaves the others alone`(_ row: Row) throws {
        let configuration = try Configuration.choosing(row.testDescription)
        for other in Self.rows where other.name != row.name {
            #expect(other.takesEffect(configuration) == other.takesEffect(Configuration()))
        }
    }

    @Test func `the first value is the default`() {
        for behavior in Behavior.all {
            let row = Self.rows.first { $0.name == behavior.name }
            #expect(row?.value == behavior.values.first)
            #expect(row?.takesEffect(Configuration()) == true, "\(behavior.name)")
        }
    }

    @Test(arguments: [
        ("goaway=triple", "invalid value 'triple' of goaway: expected single or double"),
        ("goaway=Single", "invalid value 'Single' of goaway: expected single or double"),
        ("goaway=single=double", "invalid value 'single=double' of goaway: expected single or double"),
        ("goaway", "'goaway' is not of the form name=value"), ("goaway=", "'goaway=' is not of the form name=value"),
        ("=single", "'=single' is not of the form name=value"), ("", "'' is not of the form name=value"),
    ]) func `an unknown choice is explained`(text: String, message: String) {
        let problem = #expect(throws: InvalidSetting.self) { try Configuration.choosing(text) }
        #expect(problem?.description == message)
    }

    @Test func `an unknown name is answered with the known ones`() throws {
        let problem = #expect(throws: InvalidSetting.self) { try Configuration.choosing("go-away=single") }
        let description = try #require(problem?.description)
        #expect(description.hasPrefix("unknown behavior 'go-away'; expected one of background-priority, "))
        for behavior in Behavior.all { #expect(description.contains(behavior.name)) }
    }
}

extension Configuration {
    /// The defaults with choices.
    static func choosing(_ choices: String...) throws -> Configuration {
        var configuration = Configuration()
        for choice in choices { try Behavior.choose(choice, in: &configuration) }
        return configuration
    }
}
