import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct MatcherTests {
    static let push: PushDraft = {
        var draft = PushDraft().setting("apns-collapse-id", to: "o17")
        draft.path = draft.path.lowercased()
        draft.body = Array(#"{"aps":{"alert":{"title":"Hi"},"badge":3},"order":{"id":17}}"#.utf8)
        return draft
    }()

    static let rows: [(String, Bool)] = [
        ("{}", true), (#"{"topic":"com.example.app"}"#, true), (#"{"topic":"com.example"}"#, false),
        (#"{"token":""# + Fixture.token + #""}"#, true), (#"{"token":{"startsWith":"3F2A"}}"#, true),
        (#"{"token":{"matches":"^3F2A\\d+9C01$"}}"#, true), (#"{"token":{"matches":"^3F2A\\D"}}"#, false),
        (#"{"token":{"includes":""# + Fixture.token + #""}}"#, true), (#"{"priority":10}"#, true),
        (#"{"priority":"10"}"#, true), (#"{"priority":{"gte":10}}"#, true), (#"{"priority":{"gt":10}}"#, false),
        (#"{"pushType":{"in":["alert","background"]}}"#, true), (#"{"headers":{"apns-collapse-id":"o17"}}"#, true),
        (#"{"headers":{"apns-expiration":{"absent":true}}}"#, true),
        (#"{"headers":{"apns-collapse-id":{"absent":true}}}"#, false), (#"{"collapseId":{"matches":"^o\\d+$"}}"#, true),
        (#"{"payload":[{"at":"/aps/alert/title","equals":"Hi"},{"at":"/aps/badge","gte":1}]}"#, true),
        (#"{"payload":{"includes":{"order":{"id":17}}}}"#, true),
        (#"{"payload":{"includes":{"order":{"id":18}}}}"#, false),
        (#"{"payload":{"equalsJSON":{"aps":{"badge":3}}}}"#, false),
        (#"{"payload":{"at":"/aps/badge","equals":"3"}}"#, false), (#"{"payload":{"at":"/aps","present":true}}"#, true),
        (#"{"payload":{"at":"/x","not":{"present":true}}}"#, true),
        (#"{"payload":{"at":"/aps/badge","gte":1,"lte":2}}"#, false),
        (#"{"verdict":{"outcome":"accepted","status":200}}"#, true), (#"{"verdict":{"reason":{"absent":true}}}"#, true),
        (#"{"verdict":{"status":{"in":[200,410]}}}"#, true), (#"{"delivery":"delivered"}"#, true),
        (#"{"delivery":{"startsWith":"stored"}}"#, false), (#"{"q":"type:alert !is:rejected"}"#, true),
        (#"{"q":"is:rejected"}"#, false), (#"{"keyId":"ABC123DEFG"}"#, true),
        (#"{"connection":"c7","environment":"sandbox","verification":"verified"}"#, true),
        (#"{"apnsId":"00000000-0000-0abc-0000-000000000def"}"#, true), (#"{"device":{"absent":true}}"#, true),
        (#"{"topic":{"not":"com.example.app"}}"#, false), (#"{"topic":{"contains":"example","endsWith":"app"}}"#, true),
        (#"{"title":"Hi"}"#, true), (#"{"title":{"startsWith":"H"}}"#, true), (#"{"title":"hi"}"#, false),
        (#"{"body":{"absent":true}}"#, true), (#"{"body":"Hi"}"#, false), (#"{"lint":{"absent":true}}"#, true),
        (#"{"lint":"badge-not-integer"}"#, false), (#"{"lint":{"not":"badge-not-integer"}}"#, true),
        (#"{"lint":{"in":["aps-missing"]}}"#, false),
    ]

    @Test func `a matcher matches as described, and explains itself`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            fixture.publish(Self.push)
            for (matcher, matches) in Self.rows {
                let verified = await fixture.send("POST", "/api/v1/pushes/verify", #"{"match":"# + matcher + "}")
                #expect(verified.status == (matches ? 200 : 409), "\(matcher): \(verified.json)")
                let explained = await fixture.send(
                    "POST", "/api/v1/pushes/explain", #"{"id":"seq:1","match":"# + matcher + "}")
                #expect(explained.text("matches") == "\(matches)", "\(matcher)")
            }
        }
    }

    /// A push with a bare text as alert, in which two lints find something.
    private static let odd: PushDraft = {
        var draft = PushDraft()
        draft.path = draft.path.lowercased()
        draft.body = Array(#"{"aps":{"alert":"Hello","badge":"3","nonsense":1}}"#.utf8)
        return draft
    }()

    static let oddRows: [(String, Bool)] = [
        // A bare text is all that the user reads, so it is the body.
        (#"{"body":"Hello"}"#, true), (#"{"body":{"contains":"ell"}}"#, true), (#"{"title":"Hello"}"#, false),
        (#"{"title":{"absent":true}}"#, true), (#"{"q":"body:Hello has:body !has:title"}"#, true),
        (#"{"payload":{"at":"/aps/alert/body","present":true}}"#, false), (#"{"lint":"badge-not-integer"}"#, true),
        (#"{"lint":"custom-key-inside-aps"}"#, true), (#"{"lint":"aps-missing"}"#, false),
        (#"{"lint":{"present":true}}"#, true), (#"{"lint":{"absent":true}}"#, false),
        (#"{"lint":{"equals":"badge-not-integer"}}"#, true), (#"{"lint":{"contains":"badge-not-integer"}}"#, true),
        (#"{"lint":{"in":["aps-missing","badge-not-integer"]}}"#, true),
        (#"{"lint":{"in":["aps-missing","non-utf8"]}}"#, false), (#"{"lint":{"in":[]}}"#, false),
        (#"{"lint":{"not":"badge-not-integer"}}"#, false), (#"{"lint":{"not":"aps-missing"}}"#, true),
        (#"{"lint":{"not":{"in":["aps-missing","non-utf8"]}}}"#, true),
        (#"{"lint":{"not":{"in":["aps-missing","badge-not-integer"]}}}"#, false),
        (#"{"lint":{"includes":["custom-key-inside-aps","badge-not-integer"]}}"#, true),
    ]

    @Test func `the alert's text and lints can be matched`() async throws {
        try await withFixture { fixture in
            fixture.publish(Self.odd)
            for (matcher, matches) in Self.oddRows {
                let body = #"{"id":"seq:1","match":"# + matcher + "}"
                let explained = await fixture.send("POST", "/api/v1/pushes/explain", body)
                #expect(explained.text("matches") == "\(matches)", "\(matcher): \(explained.json)")
                let condition = explained.json["conditions"].entries.first
                guard condition?["field"] == "lint" else { continue }
                #expect(condition?["actual"] == ["custom-key-inside-aps", "badge-not-integer"])
            }
        }
    }

    static let refused: [(String, String, String)] = [
        (#"{"tpic":"x"}"#, "/match/tpic", "topic"), (#"{"topic":null}"#, "/match/topic", "null"),
        (#"{"topic":["x"]}"#, "/match/topic", "null"), (#"{"topic":{}}"#, "/match/topic", "null"),
        (#"{"topic":{"equal":"x"}}"#, "/match/topic/equal", "equals"),
        (#"{"topic":{"contains":1}}"#, "/match/topic/contains", "null"),
        (#"{"priority":{"gte":"x"}}"#, "/match/priority/gte", "null"),
        (#"{"topic":{"matches":"("}}"#, "/match/topic/matches", "null"),
        (#"{"headers":"x"}"#, "/match/headers", "null"),
        (#"{"headers":{"Apns-Topic":"x"}}"#, "/match/headers/Apns-Topic", "apns-topic"),
        (#"{"payload":{"at":"/aps"}}"#, "/match/payload", "null"),
        (#"{"payload":[{"at":"aps","equals":1}]}"#, "/match/payload/0/at", "null"),
        (#"{"payload":[{"at":"/a","equls":1}]}"#, "/match/payload/0/equls", "equals"),
        (#"{"verdict":{"outcom":"accepted"}}"#, "/match/verdict/outcom", "outcome"),
        (#"{"verdict":{"outcome":"acepted"}}"#, "/match/verdict/outcome", "accepted"),
        (#"{"delivery":"stored"}"#, "/match/delivery", "stored-device-offline"),
        (#"{"q":"tpe:x"}"#, "/match/q", "type:x"), (#"{"q":1}"#, "/match/q", "null"),
        (#"{"q":""}"#, "/match/q", "null"), (#"{"q":" \t"}"#, "/match/q", "null"),
        (#"{"lint":"badge-not-intege"}"#, "/match/lint", "badge-not-integer"),
        (#"{"lint":{"in":["aps-missing","aps-mising"]}}"#, "/match/lint", "aps-missing"),
        (#"{"lint":{"not":{"equals":"nope"}}}"#, "/match/lint", "null"), (#"{"lint":[]}"#, "/match/lint", "null"),
        (#"{"lint":{"contain":"aps-missing"}}"#, "/match/lint/contain", "contains"),
        (#"{"lint":7}"#, "/match/lint", "null"), ("7", "/match", "null"),
        (#"{"topic":{"in":"x"}}"#, "/match/topic/in", "null"),
        (#"{"topic":{"not":{"nope":1}}}"#, "/match/topic/not/nope", "null"),
        (#"{"topic":{"not":{}}}"#, "/match/topic/not", "null"),
        (#"{"payload":{"at":"/x","not":{}}}"#, "/match/payload/not", "null"),
    ]

    @Test(arguments: refused) func `an invalid matcher is refused with the path of the mistake`(
        matcher: String, path: String, suggestion: String
    ) async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", "/api/v1/pushes/verify", #"{"match":"# + matcher + "}")
            #expect(answer.status == 400)
            #expect(answer.text("errors", "0", "path") == path)
            #expect(answer.text("errors", "0", "suggestion") == suggestion)
        }
    }
}
