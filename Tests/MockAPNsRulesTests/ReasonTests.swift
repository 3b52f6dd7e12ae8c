import Testing

@testable import MockAPNsRules

@Suite struct ReasonTests {
    /// The statuses as Apple documents them, and the wire names in Apple's spelling.
    private static let documented: [(UInt16, [String])] = [
        (
            400,
            [
                "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
                "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
                "MissingTopic", "PayloadEmpty", "TopicDisallowed", "BadRequestPayload", "BadChannelId",
                "BadRequestParams", "CannotCreateChannelConfig", "ChannelNotRegistered", "FeatureNotEnabled",
                "MissingChannelId", "MissingPushType",
            ]
        ),
        (
            403,
            [
                "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyInToken", "BadEnvironmentKeyIdInToken",
                "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken", "TopicMismatch",
                "UnrelatedKeyIdInToken",
            ]
        ), (404, ["BadPath"]), (405, ["MethodNotAllowed"]), (410, ["ExpiredToken", "Unregistered"]),
        (413, ["PayloadTooLarge"]), (429, ["TooManyProviderTokenUpdates", "TooManyRequests"]),
        (500, ["InternalServerError"]), (503, ["ServiceUnavailable", "Shutdown"]),
    ]

    @Test func `the reasons are those that Apple documents, with their statuses`() {
        let expected = Self.documented.flatMap { status, names in names.map { "\(status) \($0)" } }
        #expect(Set(Reason.allCases.map { "\($0.status) \($0.name)" }) == Set(expected))
        #expect(Reason.allCases.count == expected.count)
    }

    @Test(arguments: Reason.allCases) func `every reason has a meaning, a hint and an exact name`(_ reason: Reason) {
        #expect(!reason.meaning.description.isEmpty)
        #expect(!reason.hint.description.isEmpty)
        #expect(Reason(name: reason.name) == reason)
        #expect(Reason(name: reason.name.lowercased()) == nil)
        #expect(reason.carriesTimestamp == [.unregistered, .expiredToken].contains(reason))
    }

    @Test func `answer tokens are distinct`() {
        #expect(Set(Reason.allCases.map { "\($0.status) \($0.variant)" }).count == Reason.allCases.count)
        #expect(Set(Reason.allCases.map(AnswerToken.prefix(of:))).count == Reason.allCases.count)
    }

    /// Documented: BadDeviceToken counts more than others towards ending a connection, and a 410 does not count.
    @Test func `BadDeviceToken weighs more than other errors, and 410 nothing`() {
        #expect(Reason.badDeviceToken.errorWeight > Reason.missingTopic.errorWeight)
        #expect(Reason.missingTopic.errorWeight > 0)
        for reason in Reason.allCases { #expect((reason.errorWeight == 0) == (reason.status == 410)) }
    }

    /// So that `dead`, four digits of status, and nothing else always asks for something.
    @Test func `every status has its first variant`() {
        for status in Set(Reason.allCases.map(\.status)) {
            #expect(Reason.allCases.contains { $0.status == status && $0.variant == 0 })
        }
    }

    @Test(arguments: Reason.allCases) func `the device token of a reason gets that reason`(_ reason: Reason) {
        let prefix = AnswerToken.prefix(of: reason)
        #expect(prefix.count == 10)
        for token in [prefix, prefix.uppercased(), prefix + String(repeating: "0", count: 54)] {
            var scenario = Scenario()
            scenario.request.setToken(token)
            let outcome = scenario.run()
            #expect(outcome.reason == reason)
            #expect(outcome.checkID == "answer-token")
            #expect((outcome.situation.deadSince != nil) == reason.carriesTimestamp)
        }
    }

    @Test(arguments: Reason.allCases) func `the body has the reason, and a timestamp only with 410`(_ reason: Reason) {
        let plain = #"{"reason":""# + reason.name + #""}"#
        #expect(ResponseBody.bytes(for: reason, deadSince: nil) == Array(plain.utf8))
        let dated = plain.dropLast() + #","timestamp":1754402113000}"#
        let body = ResponseBody.bytes(for: reason, deadSince: Scenario.start)
        #expect(body == Array((reason.carriesTimestamp ? dated : plain[...]).utf8))
    }

    @Test func `timestamp is whole milliseconds`() {
        let moment = Timestamp(microseconds: 1_754_402_113_000_999)
        let body = ResponseBody.bytes(for: .expiredToken, deadSince: moment)
        #expect(String(decoding: body, as: UTF8.self) == #"{"reason":"ExpiredToken","timestamp":1754402113000}"#)
    }

    @Test(arguments: TokenVerification.allCases) func `every verification has a meaning and a name of its own`(
        _ verification: TokenVerification
    ) {
        #expect(!verification.meaning.description.isEmpty)
        #expect(TokenVerification.allCases.filter { $0.rawValue == verification.rawValue } == [verification])
        #expect(verification.rawValue.allSatisfy { ($0.isLowercase && $0.isASCII) || $0 == "-" })
    }

    @Test(arguments: Environment.allCases) func `only the exact name of an environment is recognized`(
        _ environment: Environment
    ) {
        #expect(Environment(rawValue: environment.rawValue) == environment)
        #expect(Environment(rawValue: environment.rawValue.uppercased()) == nil)
    }

    @Test func `timestamps are subtracted, compared and rounded down to milliseconds`() {
        let moment = Timestamp(microseconds: 1_500_999)
        #expect(moment.milliseconds == 1_500)
        #expect(moment.seconds == 1.500_999)
        #expect(moment.microseconds(since: Timestamp(seconds: 1)) == 500_999)
        #expect(Timestamp(seconds: 1).microseconds(since: moment) == -500_999)
        #expect(Timestamp(seconds: 1) < moment)
        #expect(!(moment < moment))
    }
}

/// Exchanges with the real service that were recorded, as far as they are a matter of verdict and body.
@Suite struct RecordedExchangeTests {
    struct Exchange: Sendable, CustomTestStringConvertible {
        let name: String
        let status: UInt16
        /// Empty where the push was accepted.
        let body: String
        let change: @Sendable (inout Scenario) -> Void

        var testDescription: String { name }
    }

    static let exchanges = [
        Exchange(name: "no authentication", status: 403, body: #"{"reason":"MissingProviderToken"}"#) {
            $0.request = bare("/3/device/aaaa", body: "{}")
        },
        Exchange(name: "GET", status: 405, body: #"{"reason":"MethodNotAllowed"}"#) {
            $0.request = bare("/3/device/", body: "")
            $0.request.set(":method", "GET")
        },
        Exchange(name: "missing topic", status: 400, body: #"{"reason":"MissingTopic"}"#) {
            $0.request.remove("apns-topic")
        },
        Exchange(name: "expired provider token", status: 403, body: #"{"reason":"ExpiredProviderToken"}"#) {
            $0.token.issuedAt -= 3_600
        }, Exchange(name: "success in the sandbox", status: 200, body: "") { _ in },
        Exchange(
            name: "token no longer active", status: 410, body: #"{"reason":"Unregistered","timestamp":1754402113000}"#
        ) { $0.request.setToken("dead0410") },
    ]

    @Test(arguments: exchanges) func `the answer has the expected status and body`(_ exchange: Exchange) {
        var scenario = Scenario()
        exchange.change(&scenario)
        let outcome = scenario.run()
        #expect(outcome.verdict.status == exchange.status)
        let body = outcome.reason.map { ResponseBody.bytes(for: $0, deadSince: outcome.situation.deadSince) } ?? []
        #expect(body == Array(exchange.body.utf8))
    }

    /// A request with no header but those HTTP/2 asks for.
    private static func bare(_ path: String, body: String) -> PushRequest {
        var request = PushRequest()
        for header in request.headers where !header.name.hasPrefix(":") { request.remove(header.name) }
        request.set(":path", path)
        request.body = Array(body.utf8)
        return request
    }
}
