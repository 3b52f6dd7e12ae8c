import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsPreview

@Suite struct NotificationPreviewTests {
    /// The preview of one push to the app of 'alice', as the API shows it.
    static func preview(
        _ body: String, type: String = "alert", topic: String = "com.example.app", query: String = "",
        strings: [String: String] = [:]
    ) async throws -> APIResponse {
        var answer = APIResponse.done
        try await DeviceRoutesTests.withAlice { fixture in
            for (language, texts) in strings {
                let path = "/api/v1/strings/com.example.app/\(language)"
                #expect(await fixture.send("PUT", path, texts).status == 201)
            }
            var draft = DeviceRoutesTests.push(body, type: type).setting("apns-topic", to: topic)
            if topic != "com.example.app" { draft.path = "/3/device/aa" }
            fixture.publish(draft)
            answer = await fixture.get("/api/v1/pushes/seq:1/preview\(query)")
        }
        return answer
    }

    // MARK: Kinds

    private static let update = #"{"aps":{"timestamp":1767607872,"event":"update","content-state":{}}}"#

    static let kinds: [(body: String, type: String, suffix: String, kind: PreviewKind)] = [
        (#"{"aps":{"alert":"Hi"}}"#, "alert", "", .alert),
        (#"{"aps":{"alert":{"subtitle":"Hi"}}}"#, "alert", "", .alert),
        (#"{"aps":{"alert":{"loc-key":"K"}}}"#, "alert", "", .alert), (#"{"aps":{"badge":3}}"#, "alert", "", .quiet),
        (#"{"aps":{"alert":"","sound":"x"}}"#, "alert", "", .quiet), (#"{"aps":{}}"#, "alert", "", .nothing),
        (#"{"alert":"Hi"}"#, "alert", "", .nothing), (#"{"aps":{"alert":7}}"#, "alert", "", .nothing),
        ("{}", "alert", "", .nothing), (#"{"aps":{"content-available":1}}"#, "background", "", .silent),
        (#"{"aps":{"content-available":1,"alert":"Hi"}}"#, "background", "", .silent),
        (#"{"aps":{}}"#, "background", "", .unheard), ("{}", "voip", ".voip", .voip),
        ("{}", "pushtotalk", ".voip-ptt", .pushToTalk),
        (update, "liveactivity", ".push-type.liveactivity", .liveActivity),
        (#"{"aps":{"content-changed":true}}"#, "widgets", ".push-type.widgets", .widgets),
        (#"{"aps":{"content-changed":true}}"#, "controls", ".push-type.controls", .controls),
        (
            #"{"aps":{"encryptedData":"AA==","keyID":"AA==","messageIndex":"1","sessionIdentifier":"2"}}"#, "accessory",
            ".push-type.accessory", .accessory
        ), (#"{"aps":{"encryptedData":"AA=="}}"#, "accessory", ".push-type.accessory", .ignored),
        (#"{"aps":{"ptt-push-type":"service-update"}}"#, "pushtotalk", ".voip-ptt", .serviceUpdate),
        ("{}", "complication", ".complication", .complication), ("{}", "location", ".location-query", .location),
        (#"{"container-identifier":"c","domain":"d"}"#, "fileprovider", ".pushkit.fileprovider", .fileProvider),
        (#"{"mdm":"x"}"#, "mdm", "", .mdm), ("not JSON", "alert", "", .broken), ("[]", "alert", "", .broken),
        ("{", "voip", ".voip", .broken), (#""Hi""#, "background", "", .broken),
        (#"{"aps":{"alert":" \n"}}"#, "alert", "", .nothing),
    ]

    @Test(arguments: kinds) func `each push has a kind of preview, whose pictures can be drawn`(
        body: String, type: String, suffix: String, kind: PreviewKind
    ) async throws {
        let answer = try await Self.preview(body, type: type, topic: "com.example.app" + suffix)
        #expect(answer.status == 200)
        #expect(answer.text("kind") == kind.rawValue)
        let headline = kind == .liveActivity ? "A Live Activity is updated" : kind.row.headline
        #expect(answer.text("headline") == headline)
        #expect(answer.text("app", "bundleId") == "com.example.app")
        let isSystems = kind == .liveActivity || kind == .voip
        #expect(answer.text("isShown") == "\(kind == .alert || isSystems)")
        #expect(answer.text("appStates", "0", "isShown") == "\(isSystems)", "foreground")
        #expect(answer.text("views", "0") == "lock-screen")
        #expect((answer.text("views")?.contains("live-activity") == true) == (kind == .liveActivity))
        let hasBanner = [.alert, .quiet, .voip].contains(kind)
        #expect((answer.text("views")?.contains("banner") == true) == hasBanner)
    }

    @Test func `there is a push for every kind but that of a body that was not kept`() {
        #expect(Set(Self.kinds.map(\.kind)) == Set(PreviewKind.allCases).subtracting([.unknown, .channels, .wallet]))
    }

    static let special: [(topic: String, body: String, kind: PreviewKind, presentation: String)] = [
        ("pass.com.example", "{}", .wallet, "none"), ("pass.com.example", #"{"aps":{"alert":"Hi"}}"#, .wallet, "none"),
        ("web.com.example", #"{"aps":{"alert":{"title":"a","body":"b"}}}"#, .ignored, "none"),
        ("web.com.example", #"{"aps":{"alert":{"title":"a","body":"b"},"url-args":[]}}"#, .alert, "banner"),
        ("com.apple.mgmt.External.7", #"{"mdm":"x"}"#, .mdm, "none"),
    ]

    @Test(arguments: special) func `a topic that is not an app's has its own preview`(
        topic: String, body: String, kind: PreviewKind, presentation: String
    ) async throws {
        let answer = try await Self.preview(body, topic: topic)
        #expect(answer.text("kind") == kind.rawValue)
        #expect(answer.text("appStates", "1", "presentation") == presentation)
    }

    static let ignored = [
        #"{"aps":{"event":"update","content-state":{}}}"#,
        #"{"aps":{"timestamp":1767607872,"event":"start","content-state":{},"alert":{}}}"#, #"{"event":"update"}"#,
        #"{"aps":{"timestamp":789300672,"event":"update","content-state":{}}}"#,
    ]

    @Test(arguments: ignored) func `a Live Activity shows nothing of a push that it ignores`(body: String) async throws
    {
        let topic = "com.example.app.push-type.liveactivity"
        let answer = try await Self.preview(body, type: "liveactivity", topic: topic)
        #expect(answer.text("isShown") == "false")
        #expect(answer.text("appStates", "0", "presentation") == "none")
        #expect(answer.text("appStates", "0", "summary")?.contains("ignores") == true)
    }

    @Test func `a body that was too large to keep has no preview`() async throws {
        try await withFixture { fixture in
            var draft = PushDraft()
            draft.body = []
            draft.bodyLength = 100_000
            fixture.publish(draft)
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview")
            #expect(answer.text("kind") == "unknown")
            #expect(answer.text("notes", "0") == "Refused with 413 PayloadTooLarge: no device gets it.")
            #expect(await fixture.get("/api/v1/pushes/seq:1/preview.svg").status == 200)
        }
    }

    // MARK: Texts

    static let english = #"{"T": "Hello %@", "B": "%2$@ then %1$@", "E": "", "D": "%d left"}"#
    static let german = #"{"T": "Hallo %@"}"#

    static let texts: [(alert: String, query: String, title: String?, source: String?, notes: Int)] = [
        (#"{"title":"plain"}"#, "", "plain", "text", 0), (#"{"title":""}"#, "", "", "text", 0),
        (#"{"title-loc-key":"T","title-loc-args":["Ann"]}"#, "", "Hello Ann", "localized", 0),
        (#"{"title-loc-key":"T","title-loc-args":["Ann"]}"#, "?language=de", "Hallo Ann", "localized", 0),
        (#"{"title-loc-key":"T","title-loc-args":["Ann"]}"#, "?language=de-AT", "Hallo Ann", "localized", 0),
        (#"{"title-loc-key":"T","title-loc-args":["Ann"]}"#, "?language=fr", "Hello Ann", "localized", 0),
        (#"{"title-loc-key":"B","title-loc-args":["a","b"]}"#, "", "b then a", "localized", 0),
        (#"{"title-loc-key":"B","title-loc-args":["a"]}"#, "", "(null) then a", "localized", 1),
        (#"{"title-loc-key":"T","title-loc-args":[7]}"#, "", "Hello 7", "localized", 0),
        (#"{"title-loc-key":"T","title-loc-args":"Ann"}"#, "", "Hello (null)", "localized", 1),
        (#"{"title-loc-key":"T"}"#, "", "Hello (null)", "localized", 1),
        (#"{"title-loc-key":"D","title-loc-args":["3"]}"#, "", "3 left", "localized", 1),
        (#"{"title-loc-key":"NOPE","title-loc-args":["a"]}"#, "", "NOPE", "key-not-found", 1),
        (#"{"title-loc-key":"B"}"#, "?language=de", "B", "key-not-found", 1),
        (#"{"title":"plain","title-loc-key":"T","title-loc-args":["x"]}"#, "", "Hello x", "localized", 0),
        (#"{"title":"plain","title-loc-key":"NOPE"}"#, "", "plain", "text", 1),
        (#"{"title":5,"title-loc-key":"E"}"#, "", "", "localized", 0), (#"{"title":5}"#, "", nil, nil, 0),
        (#"{"title-loc-key":null}"#, "", nil, nil, 0), ("{}", "", nil, nil, 0),
    ]

    @Test(arguments: texts) func `a title is a text, or looked up in the strings`(
        alert: String, query: String, title: String?, source: String?, notes: Int
    ) async throws {
        let answer = try await Self.preview(
            #"{"aps":{"alert":\#(alert)}}"#, query: query, strings: ["en": Self.english, "de": Self.german])
        #expect(answer.text("title", "text") == title)
        #expect(answer.text("title", "source") == source)
        // The last one says what is approximate of every preview.
        #expect(answer.json["notes"].entries.count == notes + 1, "\(answer.text("notes") ?? "")")
    }

    @Test func `a key that the user's language lacks has the text of the development language`() async throws {
        let catalog = """
            {"sourceLanguage": "en", "version": "1.0", "strings": {
              "T": {"localizations": {"de": {"stringUnit": {"state": "translated", "value": "Hallo"}}}},
              "LEFT": {"localizations": {"en": {"variations": {"plural": {
                "one": {"stringUnit": {"state": "translated", "value": "%lld left, one"}},
                "other": {"stringUnit": {"state": "translated", "value": "%lld left, others"}}}}}}}}}
            """
        try await withFixture { fixture in
            let stored = await fixture.send("PUT", "/api/v1/strings/com.example.app", catalog)
            #expect(stored.status == 200 || stored.status == 201, "\(stored)")
            var draft = PushDraft()
            draft.body = Array(
                #"{"aps":{"alert":{"title-loc-key":"T","loc-key":"LEFT","loc-args":["1"],"subtitle-loc-key":"NO"}}}"#
                    .utf8)
            fixture.publish(draft)
            let answer = await fixture.get("/api/v1/pushes/seq:1/preview?language=de")
            #expect(answer.text("title", "text") == "Hallo")
            #expect(answer.text("body", "text") == "1 left, one")
            #expect(answer.text("body", "source") == "localized")
            #expect(answer.text("subtitle", "text") == "NO")
            #expect(answer.text("notes")?.contains("The table of de has no text for ⟨LEFT⟩") == true)
            #expect(answer.text("notes")?.contains("The tables of de and en have no text for ⟨NO⟩") == true)
        }
    }

    @Test func `subtitle and body have keys of their own`() async throws {
        let answer = try await Self.preview(
            #"{"aps":{"alert":{"subtitle-loc-key":"T","subtitle-loc-args":["a"],"loc-key":"B","loc-args":["1","2"]}}}"#,
            strings: ["en": Self.english])
        #expect(answer.text("title") == "null")
        #expect(answer.text("subtitle", "text") == "Hello a")
        #expect(answer.text("body", "text") == "2 then 1")
        #expect(answer.text("body", "key") == "B")
        #expect(answer.text("body", "arguments") == #"["1","2"]"#)
        #expect(answer.text("language") == "en")
    }

    @Test func `strings are those of the app, whatever the suffix of the topic`() async throws {
        let answer = try await Self.preview(
            #"{"aps":{"event":"update","alert":{"title":{"loc-key":"T","loc-args":["a"]},"body":"b"}}}"#,
            type: "liveactivity", topic: "com.example.app.push-type.liveactivity", strings: ["en": Self.english])
        #expect(answer.text("title", "text") == "Hello a")
        #expect(answer.text("body", "text") == "b")
    }

    // MARK: Badge, sound, level

    static let badges: [(badge: String, effect: String, number: String)] = [
        ("3", "sets", "3"), ("0", "clears", "0"), ("null", "ignored", "null"), (#""3""#, "ignored", "null"),
        ("1.0", "sets", "1"), ("3e0", "sets", "3"), ("0.0", "clears", "0"), ("-1", "ignored", "null"),
        ("1.5", "ignored", "null"), ("true", "ignored", "null"), ("[1]", "ignored", "null"),
        ("9223372036854775807", "sets", "9223372036854775807"), ("18446744073709551615", "ignored", "null"),
    ]

    @Test(arguments: badges) func `a badge is set, cleared or ignored`(
        badge: String, effect: String, number: String
    ) async throws {
        let answer = try await Self.preview(#"{"aps":{"alert":"Hi","badge":\#(badge)}}"#)
        #expect(answer.text("badge", "effect") == effect)
        #expect(answer.text("badge", "number") == number)
        #expect((answer.text("notes")?.contains("is ignored") == true) == (effect == "ignored"))
        #expect((answer.text("chips")?.contains("badge") == true) == (effect != "unchanged"))
        #expect(PreviewBadge.Effect(rawValue: effect) != nil)
    }

    static let sounds: [(sound: String, kind: PreviewSound.Kind, name: String, volume: String)] = [
        (#""default""#, .default, "default", "null"), (#""ping.aiff""#, .named, "ping.aiff", "null"),
        (#""""#, .none, "null", "null"), ("null", .none, "null", "null"), ("7", .ignored, "null", "null"),
        ("{}", .ignored, "null", "null"), (#"{"name":"default"}"#, .default, "default", "null"),
        (#"{"name":"a.caf","volume":0.5}"#, .named, "a.caf", "0.5"),
        (#"{"critical":1,"name":"a.caf","volume":7}"#, .critical, "a.caf", "1"),
        (#"{"critical":true}"#, .critical, "null", "null"), (#"{"critical":0}"#, .ignored, "null", "null"),
        (#"{"critical":1,"volume":-1e300}"#, .critical, "null", "0"),
    ]

    @Test(arguments: sounds) func `a sound is default, named, critical or invalid`(
        sound: String, kind: PreviewSound.Kind, name: String, volume: String
    ) async throws {
        let answer = try await Self.preview(#"{"aps":{"alert":"Hi","sound":\#(sound)}}"#)
        #expect(answer.text("sound", "kind") == kind.rawValue)
        #expect(answer.text("sound", "name") == name)
        #expect(answer.text("sound", "volume") == volume)
        #expect((answer.text("chips")?.contains("sound") == true) == (kind != .none))
    }

    static let levels: [(level: String, value: String, notes: Int)] = [
        (#""passive""#, "passive", 1), (#""active""#, "active", 1), (#""time-sensitive""#, "time-sensitive", 1),
        (#""critical""#, "critical", 1), (#""urgent""#, "active", 2), ("null", "active", 1), ("5", "active", 1),
    ]

    @Test(arguments: levels) func `an interruption level is one of four`(
        level: String, value: String, notes: Int
    ) async throws {
        let answer = try await Self.preview(#"{"aps":{"alert":"Hi","interruption-level":\#(level)}}"#)
        #expect(answer.text("interruptionLevel", "value") == value)
        #expect(answer.json["notes"].entries.count == notes)
    }

    // MARK: Attachments

    static let attachments: [(payload: String, address: String?)] = [
        (#"{"aps":{"alert":"Hi","mutable-content":1},"image":"https://a.example/b.png"}"#, "https://a.example/b.png"),
        (
            #"{"aps":{"alert":"Hi","mutable-content":1},"fcm_options":{"image":"HTTP://a.example/b"}}"#,
            "HTTP://a.example/b"
        ), (#"{"aps":{"alert":"Hi"},"image":"https://a.example/b.png"}"#, nil),
        (#"{"aps":{"alert":"Hi","mutable-content":1},"image":"javascript:alert(1)"}"#, nil),
        (#"{"aps":{"alert":"Hi","mutable-content":1},"image":"data:image/png;base64,"}"#, nil),
        (#"{"aps":{"alert":"Hi","mutable-content":1},"image":"//a.example/b.png"}"#, nil),
        (#"{"aps":{"alert":"Hi","mutable-content":1},"image":["https://a.example"]}"#, nil),
        (#"{"aps":{"alert":"Hi","mutable-content":1},"title":"https://a.example/b.png"}"#, nil),
    ]

    @Test(arguments: attachments) func `a push with mutable content has the address of its image`(
        payload: String, address: String?
    ) async throws { #expect(try await Self.preview(payload).text("attachment") == address ?? "null") }

    // MARK: The app

    static let apps: [(topic: String?, name: String, letter: String)] = [
        ("com.example.app", "App", "A"), ("com.example.my-shop", "My Shop", "M"), ("com.example.shop.ios", "Shop", "S"),
        ("com.example.app.voip", "App", "A"), ("ios", "ios", "i"), ("com.example.été", "Été", "É"),
        (nil, "Unknown App", "U"), ("", "Unknown App", "U"), ("...", "Unknown App", "U"),
        (String(repeating: "x", count: 250), "X" + String(repeating: "x", count: 39), "X"),
    ]

    @Test(arguments: apps) func `an app is named after its topic`(topic: String?, name: String, letter: String) {
        let app = PreviewedApp(topic: topic)
        // A last part that says nothing is the name where there is no other.
        #expect(app.name == (topic == "ios" ? "Ios" : name))
        #expect(app.letter == (topic == "ios" ? "I" : letter))
        #expect(app.colors == PreviewedApp(topic: topic).colors)
    }

    // MARK: What became of it

    @Test func `the preview says what became of the push`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let path = "/api/v1/registrations/\(DeviceRoutesTests.token)"
            func note() async -> (String?, String?, String?) {
                fixture.publish(DeviceRoutesTests.push())
                let answer = await fixture.get("/api/v1/pushes/seq:\(lastPush(fixture))/preview")
                return (answer.text("isDelivered"), answer.text("isShown"), answer.text("notes", "0"))
            }
            let approximation = "Approximate: name and icon of the app, fonts, where lines break and where text is cut."
            #expect(await note() == ("true", "true", approximation))
            _ = await fixture.send("PATCH", path, #"{"appState":"foreground"}"#)
            #expect(await note() == ("true", "false", approximation))
            _ = await fixture.send("PATCH", path, #"{"notificationsEnabled":false}"#)
            let disabled = "The user has turned notifications off for the app: it is not shown."
            #expect(await note() == ("false", "false", disabled))
            _ = await fixture.send("PATCH", path, #"{"notificationsEnabled":true,"appState":"background"}"#)
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#)
            #expect(await note() == ("false", "true", "It waits for the device."))
            _ = await fixture.send("PATCH", path, #"{"state":"uninstalled"}"#)
            #expect(await note() == ("false", "true", "Refused with 410 Unregistered: no device gets it."))
        }
    }

    private func lastPush(_ fixture: Fixture) -> UInt64 {
        fixture.journal.pushes(PushQuery()).pushes.map(\.seq).max() ?? 0
    }
}
