import Foundation
import MockAPNsFormats
import MockAPNsQuery
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector

@Suite struct PushShapeTests {
    private func shape(
        of draft: PushDraft, configure: (Fixture) -> Void = { $0.open(7) }, check: (APIResponse) throws -> Void
    ) async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            configure(fixture)
            fixture.publish(draft)
            let answer = await fixture.get("/api/v1/pushes/seq:1")
            #expect(answer.status == 200)
            try check(answer)
        }
    }

    @Test func `an accepted push has its shape`() async throws {
        let draft = PushDraft().setting("apns-collapse-id", to: "order 7").setting("apns-expiration", to: "0")
        try await shape(of: draft) { try Golden.expect($0, is: "push-accepted") }
    }

    @Test func `a push refused for its token has its shape`() async throws {
        var draft = PushDraft()
        draft.verification = .badSignature
        try await shape(of: draft, configure: { $0.open(7, tls: false) }) {
            try Golden.expect($0, is: "push-rejected-by-auth")
            #expect(!String(decoding: $0.bytes, as: UTF8.self).contains("c2lnbmF0dXJl"))
        }
    }

    @Test func `a push refused by a rule has its shape`() async throws {
        var draft = PushDraft()
        draft.bodyLength = 4_097
        draft.body = []
        try await shape(of: draft) { try Golden.expect($0, is: "push-rejected-by-rule") }
    }

    @Test func `a push that the transport refused has its shape`() async throws {
        var draft = PushDraft()
        draft.headers = [("apns-topic", "com.example.app")]
        draft.problem = ("the header list is over 8000 bytes", 431)
        try await shape(of: draft, configure: { _ in }) { try Golden.expect($0, is: "push-refused-by-transport") }
    }

    static let deciders: [(String, String, PushDraft)] = [
        (
            "answer-token", "answer-token",
            {
                var d = PushDraft();
                d.path = "/3/device/dead0410";
                return d
            }()
        ), ("auth", "provider-token-present", PushDraft().setting("authorization", to: nil)),
        ("auth", "provider-token-age", PushDraft().aged("1767600000")),
        (
            "validation", "path",
            {
                var d = PushDraft();
                d.path = "/3/devices/00";
                return d
            }()
        ),
        (
            "validation", "method",
            {
                var d = PushDraft();
                d.method = "GET";
                return d
            }()
        ), ("validation", "apns-priority", PushDraft().setting("apns-priority", to: "7")),
        (
            "validation", "device-token-form",
            {
                var d = PushDraft();
                d.path = "/3/device/xyz";
                return d
            }()
        ),
    ]

    @Test(arguments: deciders) func `the check that decided is named`(
        decider: String, check: String, draft: PushDraft
    ) async throws {
        try await shape(of: draft) { answer in
            #expect(answer.text("verdict", "decidedBy") == decider)
            #expect(answer.text("verdict", "check") == check)
            #expect(answer.text("verdict", "outcome") == "rejected")
            guard case .array(let checks)? = answer.json["verdict"]?["checks"] else {
                Issue.record("no checks")
                return
            }
            #expect(checks.map { $0["id"] } == Pipeline.standard.checks.map { .string($0.id) })
            let position = checks.firstIndex { $0["id"] == .string(check) } ?? -1
            let expected: [JSONValue?] = checks.indices.map { $0 < position ? true : $0 == position ? false : .null }
            #expect(checks.map { $0["ok"] } == expected)
        }
    }

    @Test(arguments: deciders.map(\.2) + [PushDraft(), PushDraft().setting("apns-collapse-id", to: "\"7\"")])
    func `checks that have passed are written as their shape is`(draft: PushDraft) async throws {
        try await withFixture { fixture in
            fixture.open(7)
            fixture.publish(draft)
            let push = try #require(fixture.journal.push(seq: 1))
            let verdict = ShownVerdict(PushFacts(push), in: fixture.subject.shown)
            var written: [UInt8] = []
            verdict.writeChecks(to: &written)
            #expect(written == verdict.checks.map { APIObject<VerdictShape.Check>($0) }.json.text)
        }
    }

    @Test func `every check has a kind`() {
        let kinds = Dictionary(grouping: Pipeline.standard.checks.map { ($0.id, $0.decider) }, by: \.1).mapValues {
            $0.map(\.0)
        }
        #expect(kinds[.rateLimit]?.sorted() == ["device-rate", "provider-token-updates"])
        #expect(kinds[.deviceState] == ["device-token-known", "device-token-topic", "device-token-alive"])
        #expect(kinds[.answerToken] == ["answer-token"])
        #expect(kinds[.transport] == ["not-stopping"])
        #expect(
            kinds[.auth]?.allSatisfy {
                $0.hasPrefix("provider-token-") || ["client-certificate", "connection-key"].contains($0)
            } == true)
    }

    static let types: [(String?, String?, String, String, Bool)] = [
        ("voip", "a.voip", "{}", "voip", false), (nil, "a.voip", "{}", "voip", true),
        (nil, "a.push-type.liveactivity", "{}", "liveactivity", true), (nil, "a", "{}", "alert", true),
        (nil, "a", #"{"aps":{"content-available":1}}"#, "background", true),
        (nil, "a", #"{"aps":{"content-available":1,"badge":1}}"#, "alert", true),
        (nil, "a", #"{"aps":{"content-available":1,"sound":""}}"#, "alert", true),
        (nil, "a", #"{"aps":7}"#, "alert", true), (nil, nil, "", "alert", true), ("Alert", "a", "{}", "Alert", false),
        (nil, "a", #"{"aps":{"event":"update","content-state":{},"alert":{"title":"a"}}}"#, "liveactivity", true),
        (nil, "a", #"{"aps":{"event":"signup","alert":"Hi"}}"#, "alert", true),
        (nil, "a", #"{"aps":{"content-available":1},"alert":"Hi"}"#, "background", true),
        (nil, "com.apple.mgmt.External.7", "{}", "mdm", true), (nil, "a", #"{"mdm":"x"}"#, "mdm", true),
        (nil, "a", #"{"aps":{"content-changed":true}}"#, "widgets", true),
    ]

    @Test(arguments: types) func `a missing push type is inferred from the rest`(
        header: String?, topic: String?, body: String, type: String, isDerived: Bool
    ) async throws {
        var draft = PushDraft().setting("apns-push-type", to: header).setting("apns-topic", to: topic)
        draft.body = Array(body.utf8)
        try await shape(of: draft) { answer in
            #expect(answer.text("apns", "pushType") == type)
            #expect(answer.text("apns", "pushTypeDerived") == "\(isDerived)")
        }
    }

    static let limits: [(String?, String, String)] = [
        ("alert", "a", "4096"), ("voip", "a.voip", "5120"), (nil, "a.voip", "5120"), (nil, "a", "4096"),
    ]

    @Test(arguments: limits) func `the size limit is that of the push type`(
        type: String?, topic: String, limit: String
    ) async throws {
        let draft = PushDraft().setting("apns-push-type", to: type).setting("apns-topic", to: topic)
        try await shape(of: draft) { answer in
            guard case .array(let checks)? = answer.json["verdict"]?["checks"] else {
                Issue.record("no checks")
                return
            }
            #expect(checks.first { $0["id"] == "payload-size" }?.text(["limit"]) == limit)
        }
    }

    @Test func `headers are in the order received, with duplicates`() async throws {
        var draft = PushDraft()
        draft.headers = [("x-b", "1"), ("apns-topic", "a"), ("x-a", "é\u{1}\""), ("apns-topic", "b")]
        try await shape(of: draft) { answer in
            #expect(
                answer.json["request"]?["headers"] == [
                    ["x-b", "1"], ["apns-topic", "a"], ["x-a", "é\u{1}\""], ["apns-topic", "b"],
                ])
        }
    }

    static let authorizations: [(String?, String, String)] = [
        ("bearer a.b.secret", "bearer a.b.(signature not kept)", "token"),
        ("Bearer a.b.secret", "Bearer a.b.(signature not kept)", "token"),
        ("bearer nonsense", "bearer nonsense", "token"), ("basic dTpw", "basic dTpw", "none"), ("", "", "none"),
        ("bearer a.b.c.d.e", "bearer a.b.(signature not kept)", "token"), (nil, "null", "none"),
    ]

    @Test(arguments: authorizations) func `no signature is shown`(
        header: String?, shown: String, kind: String
    ) async throws {
        var draft = PushDraft()
        draft.headers = header.map { [("authorization", $0)] } ?? []
        try await shape(of: draft) { answer in
            #expect(answer.text("request", "headers", "0", "1") ?? "null" == shown)
            #expect(answer.text("auth", "kind") == kind)
            #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("secret"))
        }
    }

    static let ages: [(String, String, String, String)] = [
        ("1767607860", "2026-01-05T10:11:00.000000Z", "12", "1767607860"),
        ("1767607860.25", "2026-01-05T10:11:00.250000Z", "12", "1767607860.25"),
        ("1767607900", "2026-01-05T10:11:40.000000Z", "-28", "1767607900"),
        ("1767607872000", "null", "null", "1767607872000"), ("1e300", "null", "null", "1e+300"),
    ]

    @Test(arguments: ages) func `the age of a token is shown within the years of the calendar`(
        claim: String, issuedAt: String, age: String, seconds: String
    ) async throws {
        try await shape(of: PushDraft().aged(claim)) { answer in
            #expect(answer.text("auth", "issuedAt") == issuedAt)
            #expect(answer.text("auth", "ageSeconds") == age)
            #expect(answer.text("auth", "issuedAtSeconds") == seconds)
        }
    }

    static let bodies: [([UInt8], String)] = [
        (Array("".utf8), "null"), (Array("not json".utf8), "null"), ([0xff, 0xfe, 0x00], "null"),
        (Array(#"{"n":18446744073709551615}"#.utf8), #"{"n":18446744073709551615}"#),
        (Array("[1e999,1.10]".utf8), "[\"1e999\",1.10]"),
        (Array(#""</script>\u2028\u0007""#.utf8), "</script>\u{2028}\u{7}"),
        (Array(repeating: UInt8(ascii: "["), count: 100_000), "null"),
        (Array((String(repeating: "{\"a\":", count: 100_000) + "1").utf8), "null"),
        (
            Array(("[" + String(repeating: "9", count: 100_000) + "]").utf8),
            "[\"" + String(repeating: "9", count: 100_000) + "\"]"
        ),
    ]

    /// By number, since the runner prints what a test is given.
    @Test(arguments: bodies.indices) func `any body is shown as valid JSON`(number: Int) async throws {
        let (body, payload) = Self.bodies[number]
        var draft = PushDraft()
        draft.body = body
        try await shape(of: draft) { answer in
            #expect(answer.text("request", "payload") == payload)
            #expect(answer.text("request", "bodyBase64") == Data(body).base64EncodedString())
            #expect(answer.text("request", "bodyKept") == "true")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(answer.bytes)) }
        }
    }
}

extension PushDraft {
    /// The same push with a provider token of another time.
    func aged(_ issuedAt: String) -> PushDraft {
        setting("authorization", to: "bearer " + Self.providerToken(issuedAt: issuedAt))
    }
}
