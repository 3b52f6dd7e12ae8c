import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

struct SettingsRoutesTests {
    /// A setting, a value for it that is not the default, and what it does.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String
        let takesEffect: @Sendable (World.Options) -> Bool

        var testDescription: String { "\(name)=\(value)" }

        init(_ name: String, _ value: String, _ takesEffect: @escaping @Sendable (World.Options) -> Bool) {
            self.name = name
            self.value = value
            self.takesEffect = takesEffect
        }
    }

    static let rows = [
        Row("strict", "true") { $0.rules.isStrict && $0.rules.requiresLowerCaseID },
        Row("auth", #""wellformed""#) { $0.rules.authentication == .wellformed },
        Row("unknownTokens", #""reject""#) { $0.rules.unknownTokens == .reject },
        Row("deviceRate", #""10/2s""#) { $0.rules.deviceRate == RuleOptions.Rate(count: 10, interval: 2_000_000) },
        Row("channelRate", #""1/1s""#) { $0.rules.channelRate == RuleOptions.Rate(count: 1, interval: 1_000_000) },
        Row("errorLimit", "7") { $0.rules.errorLimit == 7 },
        Row("providerTokenMinInterval", #""0s""#) { $0.rules.tokenUpdateInterval == 0 },
        Row("providerTokenLifetime", #""90m""#) { $0.rules.tokenLifetime == 5_400_000_000 },
        Row("uninstallDetection", #""delayed""#) { $0.devices.uninstallDetection == .delayed },
        Row("uninstallDelay", #""2h..3d""#) { $0.devices.uninstallDelay == 7_200_000_000...259_200_000_000 },
        Row("uninstallSeed", "7") { $0.devices.uninstallSeed == 7 },
        Row("inactiveAfter", #""2h""#) { $0.devices.inactiveAfter == 7_200_000_000 },
        Row("activityTokenRotation", "0.25") { $0.devices.activityTokenRotation == 0.25 },
        Row("backgroundPriority", #""accept""#) { $0.rules.allowsImmediateBackground },
        Row("pushTypeMismatch", #""sandbox-only""#) { $0.rules.checksPushTypeInSandboxOnly },
        Row("environmentReason", #""documented""#) { $0.rules.usesDocumentedEnvironmentReason },
        Row("errorContentType", #""present""#) { $0.rules.sendsErrorContentType },
        Row("futureToken", #""invalid""#) { $0.rules.futureTokenReason == .invalidProviderToken },
        Row("otherTeam", #""forbidden""#) { $0.rules.otherTeamReason == .forbidden },
        Row("badCertificate", #""alert""#) { $0.rules.badCertificate == .alert },
        Row("tokenUpdateScope", #""key""#) { $0.rules.tokenUpdateScope == .key },
        Row("tokenUpdateCount", #""all""#) { $0.rules.countsInvalidTokens },
        Row("tokenUpdateBlock", #""connection""#) { $0.rules.blocksAfterTokenUpdate },
        Row("tokenBase64", #""url""#) { $0.rules.requiresBase64URL },
        Row("tokenSubject", #""required""#) { $0.rules.requiresSubject },
        Row("tokenEs512", #""accept""#) { $0.rules.acceptsES512 },
        Row("apnsIdCase", #""lower""#) { $0.rules.requiresLowerCaseID },
        Row("invalidJson", #""reject""#) { $0.rules.refusesInvalidJSON },
        Row("answerTokens", #""off""#) { !$0.rules.answersOnDemand },
        Row("gatewayUnregistered", #""invalid-token""#) { $0.rules.gatewayReportsUnregistered },
    ]

    @Test func `every setting has a row in the table`() {
        #expect(Self.rows.map(\.name) == RunTimeSetting.all.map(\.name))
        #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
    }

    @Test(arguments: rows) func `a setting takes effect, is shown and is reset`(row: Row) async throws {
        try await withFixture { fixture in
            let before = await fixture.get("/api/v1/settings").json
            #expect(!row.takesEffect(fixture.server.world.options))
            let answer = await fixture.send("PATCH", "/api/v1/settings", #"{"\#(row.name)":\#(row.value)}"#)
            #expect(answer.status == 200)
            #expect(answer.json[row.name].map { String(decoding: $0.text, as: UTF8.self) } == row.value)
            #expect(row.takesEffect(fixture.server.world.options))
            #expect(await fixture.get("/api/v1/settings").json == answer.json)
            // What is shown can be sent back.
            let text = String(decoding: answer.bytes, as: UTF8.self)
            #expect(await fixture.send("PATCH", "/api/v1/settings", text).json == answer.json)
            _ = await fixture.send("POST", "/api/v1/reset", #"{"only":["devices","keys"]}"#)
            #expect(row.takesEffect(fixture.server.world.options))
            let report = await fixture.send("POST", "/api/v1/reset", #"{"only":["settings"]}"#)
            // One by one, strictness is four of them.
            #expect(report.text("cleared", "settings") != "0")
            #expect(await fixture.get("/api/v1/settings").json == before)
        }
    }

    @Test func `the settings of the start are what a reset brings back`() async throws {
        try await withFixture { configuration in
            configuration.rules.authentication = .any
            configuration.deviceOptions.uninstallDetection = .delayed
        } _: { fixture in
            try Golden.expect(await fixture.get("/api/v1/settings"), is: "settings")
            let body = #"{"auth":"verify","uninstallDetection":"immediate"}"#
            _ = await fixture.send("PATCH", "/api/v1/settings", body)
            #expect(await fixture.send("POST", "/api/v1/reset").text("cleared", "settings") == "2")
            #expect(fixture.server.world.options.rules.authentication == .any)
            #expect(fixture.server.world.options.devices.uninstallDetection == .delayed)
        }
    }

    static let refusals: [(body: String, path: String, suggestion: String?)] = [
        (#"{"atuh":"any"}"#, "/atuh", "auth"), (#"{"auth":"verfy"}"#, "/auth", "verify"),
        (#"{"auth":null}"#, "/auth", nil), (#"{"strict":"yes"}"#, "/strict", nil),
        (#"{"deviceRate":"10"}"#, "/deviceRate", nil), (#"{"deviceRate":"0/1s"}"#, "/deviceRate", nil),
        (#"{"deviceRate":"+5/1s"}"#, "/deviceRate", nil), (#"{"deviceRate":"5/0s"}"#, "/deviceRate", nil),
        (#"{"deviceRate":5}"#, "/deviceRate", nil), (#"{"errorLimit":-1}"#, "/errorLimit", nil),
        (#"{"errorLimit":1.5}"#, "/errorLimit", nil), (#"{"errorLimit":1000001}"#, "/errorLimit", nil),
        (#"{"uninstallDelay":"2h..1h"}"#, "/uninstallDelay", nil),
        (#"{"uninstallDelay":"1h"}"#, "/uninstallDelay", nil),
        (#"{"uninstallDelay":"-1h..1h"}"#, "/uninstallDelay", nil), (#"{"uninstallSeed":-1}"#, "/uninstallSeed", nil),
        (#"{"inactiveAfter":"0s"}"#, "/inactiveAfter", nil), (#"{"inactiveAfter":"36526d"}"#, "/inactiveAfter", nil),
        (#"{"providerTokenMinInterval":"-1s"}"#, "/providerTokenMinInterval", nil),
        (#"{"invalidJson":"rejct"}"#, "/invalidJson", "reject"), (#"{"goaway":"double"}"#, "/goaway", nil),
    ]

    @Test(arguments: refusals) func `an invalid setting changes nothing`(
        body: String, path: String, suggestion: String?
    ) async throws {
        try await withFixture { fixture in
            let before = await fixture.get("/api/v1/settings").json
            let both = #"{"answerTokens":"off","# + body.dropFirst()
            let answer = await fixture.send("PATCH", "/api/v1/settings", both)
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "path") == path)
            #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null")
            #expect(await fixture.get("/api/v1/settings").json == before)
        }
    }

    @Test func `a limit is taken away with null`() async throws {
        try await withFixture { fixture in
            _ = await fixture.send("PATCH", "/api/v1/settings", #"{"deviceRate":"1/1h"}"#)
            #expect(fixture.server.world.options.rules.deviceRate != nil)
            let answer = await fixture.send("PATCH", "/api/v1/settings", #"{"deviceRate":null}"#)
            #expect(answer.json["deviceRate"] == .null)
            #expect(fixture.server.world.options.rules.deviceRate == nil)
        }
    }

    /// `strict` sets others, whatever the order in which they are named.
    @Test func `a setting that is given takes precedence over strict`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("PATCH", "/api/v1/settings", #"{"apnsIdCase":"any","strict":true}"#)
            #expect(answer.text("strict") == "false" && answer.text("unknownTokens") == "reject")
            #expect(answer.text("apnsIdCase") == "any")
            let lenient = await fixture.send("PATCH", "/api/v1/settings", #"{"strict":false}"#)
            #expect(lenient.text("unknownTokens") == "accept" && lenient.text("invalidJson") == "accept")
        }
    }

    /// A device that is offline already is given up by the new measure.
    @Test func `a new limit on being offline counts from when a device went offline`() async throws {
        try await withFixture { fixture in
            _ = await fixture.send("PUT", "/api/v1/clock", #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#)
            let device = #"{"label":"a","state":"offline","registrations":[{"token":"aa","topic":"com.a"}]}"#
            #expect(await fixture.send("POST", "/api/v1/devices", device).status == 201)
            _ = await fixture.send("POST", "/api/v1/clock/advance", #"{"by":"1h"}"#)
            func state() async -> String? { await fixture.get("/api/v1/registrations/aa").text("state") }
            #expect(await state() == "registered")
            _ = await fixture.send("PATCH", "/api/v1/settings", #"{"inactiveAfter":"2h"}"#)
            #expect(await fixture.get("/api/v1/clock").text("nextDue") == "2030-01-01T02:00:00.000000Z")
            _ = await fixture.send("PATCH", "/api/v1/settings", #"{"inactiveAfter":"30m"}"#)
            #expect(await state() == "inactive")
        }
    }
}
