import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsQuery

@Suite struct LintTests {
    static let cases =
        LintCase.ofHeaders + LintCase.ofSpelling + LintCase.ofBodies + LintCase.ofAlerts + LintCase.ofDamage
        + LintCase.ofActivities + LintCase.ofKinds

    @Test(arguments: cases) func `a lint finds its mistake, and not a push that is nearly wrong`(_ row: LintCase) {
        #expect(row.found.map { $0.pointer ?? "" } == row.pointers)
        #expect(row.found.allSatisfy { $0.lint == row.lint })
        if let first = row.found.first {
            #expect(first.message.contains(row.words), "\(first.message)")
            #expect(!first.fix.isEmpty)
        }
        #expect(row.push.withCandidate { $0.hasLint([row.lint]) } == !row.pointers.isEmpty)
    }

    @Test func `every lint of a single push has a hit and a near miss`() {
        for lint in Lint.allCases where !lint.looksAtHistory {
            let rows = Self.cases.filter { $0.lint == lint }
            #expect(rows.contains { !$0.pointers.isEmpty }, "\(lint.id) has no hit")
            #expect(rows.contains { $0.pointers.isEmpty }, "\(lint.id) has no near miss")
        }
    }

    @Test func `a push as Apple documents it has no warnings`() {
        #expect(PushDraft.clean.findings == [])
        var background = PushDraft.clean.of("background")
        background.body = Array(#"{"aps":{"content-available":1}}"#.utf8)
        #expect(background.findings == [])
    }

    @Test(arguments: HealthyPush.all) func `pushes of widespread clients have no warnings`(push: HealthyPush) {
        #expect(push.draft.findings.filter { $0.severity != .info } == [])
    }

    @Test func `a topic that was read before has the same warnings`() {
        let topics = KnownTopics()
        for round in 1...2 {
            // More than are kept.
            for number in 1...150 {
                for type in [PushType.alert, .voip, nil] {
                    let topic = number.isMultiple(of: 2) ? "com.example.app\(number)" : "com.example.app\(number)-voip"
                    let expected = TopicSpelling(topic, for: type)
                    #expect(topics.spelling(of: topic, for: type) == expected, "round \(round)")
                    #expect(topics.spelling(of: topic, for: type) == expected, "round \(round)")
                }
            }
        }
    }

    @Test func `a request that is not a push has no warnings`() {
        let push = PushDraft.clean.setting("apns-push-type", to: nil)
        #expect(push.findings.map(\.lint) == [.pushTypeMissing])
        var page = push
        page.path = "/index.html"
        #expect(page.findings == [])
        var get = push
        get.method = "GET"
        #expect(get.findings == [])
    }

    @Test func `a body that was not kept whole has no warnings`() {
        var large = PushDraft.clean
        large.body = []
        large.bodyLength = 6_000
        #expect(large.findings == [])
    }

    static let fixes: [(Lint, PushDraft, String)] = [
        (
            .headerMisspelt, PushDraft.clean.setting("thread-id", to: "a"),
            #"Put thread-id into aps: {"aps":{"thread-id":…}}."#
        ), (.headerMisspelt, PushDraft.clean.setting("apns-expiry", to: "0"), "Did you mean apns-expiration?"),
        (
            .apsKeyOutside, LintCase.payload(.apsKeyOutside, #"{"aps":{},"content_available":1}"#).push,
            #"Put content-available into aps: {"aps":{"content-available":…}}."#
        ),
        (
            .memberType, LintCase.aps(.memberType, #""alert":{"title":{"loc-key":"T"}}"#).push,
            "Write title-loc-key and title-loc-args beside the texts of the alert."
        ),
        (
            .liveActivityDate,
            LintCase.aps(
                .liveActivityDate, #""timestamp":1,"event":"end","dismissal-date":789300672"#, type: "liveactivity"
            ).push, "Send 1767607872: timeIntervalSince1970 instead of timeIntervalSinceReferenceDate."
        ),
        (
            .liveActivityAlert,
            LintCase.aps(
                .liveActivityAlert, #""timestamp":1,"event":"end","alert":{"title":"a","body":"b","loc-args":[]}"#,
                type: "liveactivity"
            ).push, #"Put it into body: {"body":{"loc-key":…,"loc-args":[…]}}."#
        ),
        (
            .pushTypeTopicSuffix, PushDraft.clean.of("voip").setting("apns-topic", to: "com.a.push-type.widgets"),
            "Send apns-topic: com.a.voip, or another apns-push-type."
        ),
        (
            .pushTypeTopicSuffix, PushDraft.clean.of("liveactivity").setting("apns-topic", to: "com.a.liveactivity"),
            "Send apns-topic: com.a.push-type.liveactivity, or another apns-push-type."
        ), (.topicUnlikely, PushDraft.clean.setting("apns-topic", to: "<com.a>"), "Send apns-topic: com.a."),
        (.topicUnlikely, PushDraft.clean.setting("apns-topic", to: "null"), Lint.topicUnlikely.fix),
        (
            .topicUnlikely, PushDraft.clean.setting("apns-push-type", to: nil).setting("apns-topic", to: "com.a.VOIP"),
            "Send apns-topic: com.a.voip."
        ),
        (
            .pushTypeTopicSuffix,
            PushDraft.clean.of("liveactivity").setting("apns-topic", to: "com.mycompany.myapplication.liveactivity"),
            "Send apns-topic: com.mycompany.myapplication.push-type.liveactivity, or another apns-push-type."
        ),
        (
            .pushTypeTopicSuffix, PushDraft.clean.of("voip").setting("apns-topic", to: "pass.com.example"),
            Lint.pushTypeTopicSuffix.fix
        ),
        (
            .pushTypeMissing,
            LintCase.aps(.pushTypeMissing, #""timestamp":1,"event":"update","content-state":{}"#).push.setting(
                "apns-push-type", to: nil
            ).setting("apns-topic", to: "com.a.liveactivity"),
            "Send apns-push-type: liveactivity and apns-topic: com.a.push-type.liveactivity, or the intended type."
        ),
        (.expirationMilliseconds, PushDraft.clean.setting("apns-expiration", to: "1767607872345"), "Send 1767607872."),
        (
            .expirationInPast, PushDraft.clean.setting("apns-expiration", to: "300"),
            "Send a time, not a duration: 1767608172 would be 300 seconds from now."
        ), (.expirationInPast, PushDraft.clean.setting("apns-expiration", to: "1700000000"), Lint.expirationInPast.fix),
        (.apsUnknownKey, LintCase.aps(.apsUnknownKey, #""bagde":1"#).push, "Did you mean /aps/badge?"),
        (.apsUnknownKey, LintCase.aps(.apsUnknownKey, #""body":"x""#).push, "Did you mean /aps/alert/body?"),
        (.apsUnknownKey, LintCase.aps(.apsUnknownKey, #""alert":{"sound":"x"}"#).push, "Did you mean /aps/sound?"),
        (
            .interruptionLevelUnknown, LintCase.aps(.interruptionLevelUnknown, #""interruption-level":"Active""#).push,
            "Did you mean 'active'?"
        ),
        (
            .apsUnknownKey, LintCase.aps(.apsUnknownKey, #""alert":{"body-loc-key":"K"}"#).push,
            "Did you mean /aps/alert/loc-key?"
        ),
        (
            .apsUnknownKey, LintCase.aps(.apsUnknownKey, #""alert":{"message":"K"}"#).push,
            "Did you mean /aps/alert/body?"
        ), (.apsMissing, LintCase.payload(.apsMissing, #"{"asp":{"alert":"Hi"}}"#).push, "Write aps; it is 'asp'."),
        (.apsMissing, LintCase.payload(.apsMissing, #"{"aps ":{"alert":"Hi"}}"#).push, "Write aps; it is 'aps '."),
        (.apsMissing, LintCase.payload(.apsMissing, #"{"app":{"name":"x"}}"#).push, Lint.apsMissing.fix),
        (
            .liveActivityShape,
            LintCase.aps(
                .liveActivityShape,
                #""timestamp":1,"event":"start","content-state":{},"attributes-type":"A","attributes":{},"#
                    + #""alert":{"title-loc-key":"A"}"#, type: "liveactivity"
            ).push, #"Put it into title: {"title":{"loc-key":…,"loc-args":[…]}}."#
        ),
        (
            .liveActivityShape,
            LintCase.aps(
                .liveActivityShape, #""timestamp":1767607872000000,"event":"update","content-state":{}"#,
                type: "liveactivity"
            ).push, "Divide by 1000000."
        ),
        (
            .relevanceScoreRange,
            LintCase.aps(.relevanceScoreRange, #""relevance-score":"100""#, type: "liveactivity").push, "Send a number."
        ),
        (
            .expirationMilliseconds, PushDraft.clean.setting("apns-expiration", to: "1767607872345678"),
            "Send 1767607872."
        ),
        (
            .expirationInPast, PushDraft.clean.setting("apns-expiration", to: "789300672"),
            "It may count from 2001: as seconds since 1970, it is 1767607872."
        ),
        (
            .pushTypeMissing,
            LintCase.aps(.pushTypeMissing, #""timestamp":1,"event":"update","content-state":{}"#).push.setting(
                "apns-push-type", to: nil),
            "Send apns-push-type: liveactivity and apns-topic: com.example.app.push-type.liveactivity, or the"
                + " intended type."
        ),
        (
            .pushTypeMissing, PushDraft.clean.setting("apns-push-type", to: nil),
            "Send apns-push-type: alert, or the intended type."
        ),
        (
            .memberType, LintCase.aps(.memberType, #""ptt-push-type":"serviceupdate""#, type: "pushtotalk").push,
            "Did you mean 'service-update'?"
        ), (.apsMissing, LintCase.payload(.apsMissing, #"{"Aps":{}}"#).push, "Write aps in lower case; it is 'Aps'."),
        (
            .apsMissing, LintCase.payload(.apsMissing, #"{"badge":1}"#).push,
            #"Put badge into aps: {"aps":{"badge":…}}."#
        ),
    ]

    @Test(arguments: fixes) func `a fix names the values of its push`(lint: Lint, push: PushDraft, fix: String) {
        #expect(push.findings.first { $0.lint == lint }?.fix == fix)
    }

    @Test func `warnings about many unknown keys are limited and counted`() throws {
        let keys = (0..<400).map { "\"xyzzy\($0)\":1" }.joined(separator: ",")
        let found = LintCase.aps(.customKeyInsideAPS, keys).found
        #expect(found.count == LintNotes.mostOfOne)
        #expect(found.last?.message.hasSuffix("; and 390 more like this") == true)
        #expect(found.first?.message.contains("more like this") == false)
    }

    static let hostile = [
        #"{"aps":{"alert":"\u0000\u001b[31m","\u202e":1,"badge":"\u0000"}}"#,
        #"{"aps":{"":1,"a":{"":[]},"alert":{"":""},"sound":{"":null}}}"#,
        "{\"aps\":{\"\(String(repeating: "k", count: 4_000))\":1}}",
        "{\"aps\":{\"badge\":\(String(repeating: "9", count: 4_000)),\"relevance-score\":-1e308}}",
        #"{"aps":{"timestamp":1e308,"event":["start"],"stale-date":-1,"content-state":null}}"#,
        #"{"aps":{"alert":{"title":\#(String(repeating: "[", count: 100))\#(String(repeating: "]", count: 100))}}}"#,
        String(repeating: "{\"aps\":", count: 700), "\"aps\"", "null", "[[]]",
        "{\"aps\":{\"interruption-level\":\"\(String(repeating: "é", count: 2_000))\"}}",
    ]

    @Test(arguments: hostile) func `any payload is examined without a crash`(body: String) {
        for type in PushType.allCases {
            let row = LintCase.payload(.apsMissing, body, type: type.name)
            let findings = row.push.findings
            for finding in findings { #expect(finding.message.count < 250, "\(finding.message)") }
        }
    }

    @Test func `every lint has its texts and a name of its own`() {
        for lint in Lint.allCases {
            for text in [lint.meaning, lint.why, lint.fix] { #expect(text.hasSuffix("."), "\(lint.id): \(text)") }
            #expect(!lint.source.isEmpty)
            #expect(lint.id.wholeMatch(of: /[a-z0-9-]+/) != nil)
            #expect(Lint(rawValue: lint.id) == lint)
        }
        #expect(Set(Lint.allCases.map(\.meaning)).count == Lint.allCases.count)
    }
}
