import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Whether a push does anything: warnings, preview, reaction and badge agree, for every type and every special topic.
///
/// To add a payload, add a row.
@Suite struct EffectAgreementTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let topic: String
        let type: PushType
        let body: String
        /// Whether anything comes of it.
        let hasEffect: Bool
        var testDescription: String { "\(type.name) to \(topic): \(body)" }

        init(_ type: PushType, _ body: String, _ hasEffect: Bool, topic: String? = nil) {
            self.topic = topic ?? "com.example.app" + type.row.topicSuffix.description
            self.type = type
            self.body = body
            self.hasEffect = hasEffect
        }
    }

    private static let managed = "com.apple.mgmt.External.7"
    private static let container = #""container-identifier":"NSFileProviderWorkingSetContainerItemIdentifier""#
    private static let accessory = #""encryptedData":"AA==","keyID":"AA==","messageIndex":"1","sessionIdentifier":"2""#
    private static let update = #""timestamp":1767607872,"event":"update","content-state":{}"#

    static let rows: [Row] = [
        Row(.alert, #"{"aps":{"alert":"x","badge":3}}"#, true), Row(.alert, #"{"aps":{"badge":3}}"#, true),
        Row(.alert, #"{"aps":{"badge":0}}"#, true), Row(.alert, #"{"aps":{"sound":{"name":"default"}}}"#, true),
        Row(.alert, #"{"aps":{"badge":"3"}}"#, false), Row(.alert, #"{"aps":{"alert":5}}"#, false),
        Row(.alert, #"{"aps":{"alert":""}}"#, false), Row(.alert, #"{"aps":{"sound":""}}"#, false),
        Row(.alert, #"{"aps":{"sound":{"name":""}}}"#, false),
        Row(.alert, #"{"aps":{"alert":{"title":{"loc-key":"K"}}}}"#, false),
        Row(.alert, #"{"aps":{"content-available":1}}"#, false), Row(.alert, #"{"aps":[3]}"#, false),
        Row(.alert, #"{"badge":3}"#, false), Row(.alert, "{}", false), Row(.alert, "[]", false),

        Row(.background, #"{"aps":{"content-available":1,"badge":3,"sound":"x"}}"#, true),
        Row(.background, #"{"aps":{"content-available":"1","badge":3}}"#, false),
        Row(.background, #"{"aps":{"badge":3}}"#, false), Row(.background, "{}", false),

        Row(.voip, #"{"aps":{"badge":3,"sound":"x"}}"#, true), Row(.voip, "{}", true), Row(.voip, "7", false),
        Row(.pushtotalk, #"{"aps":{"badge":3}}"#, true),
        Row(.pushtotalk, #"{"aps":{"ptt-push-type":"service-update","badge":3}}"#, true),
        Row(.location, #"{"aps":{"badge":3}}"#, true), Row(.complication, #"{"aps":{"badge":3}}"#, true),

        Row(.widgets, #"{"aps":{"content-changed":true,"badge":3}}"#, true),
        Row(.widgets, #"{"aps":{"content-changed":"true"}}"#, false),
        Row(.widgets, #"{"aps":{"content-changed":false,"badge":3}}"#, false),
        Row(.widgets, #"{"aps":{"content-available":1}}"#, false), Row(.widgets, "{}", false),
        Row(.controls, #"{"aps":{"content-changed":1,"badge":3}}"#, true), Row(.controls, #"{"aps":{}}"#, false),
        Row(.controls, #"{"content-changed":true}"#, false),

        Row(.accessory, "{\"aps\":{\(accessory),\"badge\":3}}", true),
        Row(.accessory, "{\"aps\":{\(accessory),\"keyID\":7}}", false),
        Row(.accessory, #"{"aps":{"encryptedData":"AA==","badge":3}}"#, false), Row(.accessory, "{}", false),

        Row(.fileprovider, "{\(container),\"domain\":\"d\",\"aps\":{\"badge\":3}}", true),
        Row(.fileprovider, "{\(container)}", false), Row(.fileprovider, "{}", false),
        Row(.fileprovider, #"{"container-identifier":5,"domain":"d"}"#, false),

        Row(.mdm, #"{"mdm":"x"}"#, true, topic: managed), Row(.mdm, "{}", false, topic: managed),
        Row(.mdm, #"{"mdm":null}"#, false, topic: managed), Row(.mdm, #"{"MDM":"x"}"#, false, topic: managed),
        Row(.mdm, #"{"aps":{"alert":"x","badge":3}}"#, false, topic: managed),
        Row(.alert, #"{"mdm":5,"aps":{"badge":3}}"#, false, topic: managed),

        Row(.liveactivity, "{\"aps\":{\(update),\"badge\":3,\"sound\":\"x\"}}", true),
        Row(.liveactivity, "{\"aps\":{\(update),\"alert\":{\"title\":\"a\",\"body\":\"b\"}}}", true),
        Row(.liveactivity, #"{"aps":{"timestamp":1,"event":"update","content-state":{},"badge":3}}"#, false),
        Row(.liveactivity, #"{"aps":{"event":"update","badge":3}}"#, false), Row(.liveactivity, "{}", false),

        Row(.alert, "{}", true, topic: "pass.com.x"),
        Row(.alert, #"{"aps":{"alert":"x","badge":3}}"#, true, topic: "pass.com.x"),
        Row(.background, #"{"aps":{"badge":3}}"#, true, topic: "pass.com.x"),
        Row(.alert, #"{"aps":{"alert":{"title":"a","body":"b"},"url-args":[],"badge":3}}"#, true, topic: "web.com.x"),
        Row(.background, #"{"aps":{"alert":{"title":"a","body":"b"},"url-args":[]}}"#, true, topic: "web.com.x"),
        Row(.alert, #"{"aps":{"alert":{"title":"a","body":"b"},"badge":3}}"#, false, topic: "web.com.x"),
        Row(.alert, #"{"aps":{"alert":{"title":"a","body":"b"},"url-args":[7]}}"#, false, topic: "web.com.x"),
    ]

    /// The warnings that say that nothing comes of a push.
    private static let decisive: Set<String> = [
        "accessory-shape", "alert-without-text", "aps-missing", "background-without-content-available",
        "liveactivity-shape", "payload-shape",
    ]

    @Test(arguments: rows) func `preview, reaction and lints agree on which pushes do nothing`(row: Row) async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            let device = """
                {"label":"d","registrations":[{"token":"\(DeviceRoutesTests.token)","topic":"\(row.topic)",
                 "appState":"background"}]}
                """
            // The app's own token only starts Live Activities.
            if row.type != .liveactivity {
                #expect(await fixture.send("POST", "/api/v1/devices", device).status == 201)
            }
            fixture.publish(DeviceRoutesTests.push(row.body, type: row.type.name).setting("apns-topic", to: row.topic))
            let push = await fixture.get("/api/v1/pushes/seq:1").json
            let preview = await fixture.get("/api/v1/pushes/seq:1/preview").json

            let isWarned = push["lints"].entries.contains { lint in
                let message = lint["message"]?.string ?? ""
                return Self.decisive.contains(lint["id"]?.string ?? "") || message.contains("PushMagic")
                    || message.hasPrefix("url-args")
            }
            #expect(isWarned == !row.hasEffect, "warnings")
            let kind = preview["kind"]?.string ?? ""
            let showsEffect =
                kind == "live-activity"
                ? preview["isShown"] == true : !["nothing", "unheard", "ignored", "broken"].contains(kind)
            #expect(showsEffect == row.hasEffect, "preview: \(kind)")
            let summary = try #require(push["delivery"]?["reaction"]?["summary"]?.string)
            let saysNothing = summary.hasPrefix("Nothing: ") || summary.hasPrefix("Nothing is shown: ")
            #expect(saysNothing == !row.hasEffect, "\(summary)")

            // Only an alert of an app has a badge and a sound of its own.
            let isAlert = row.type == .alert && SpecialTopic(topic: row.topic) == nil
            let badge = await fixture.get("/api/v1/devices/@d").json["badge"] ?? .null
            #expect((preview["badge"]?["number"] ?? .null) == badge)
            if !isAlert {
                #expect(badge == .null)
                #expect(preview["sound"]?["kind"] == "none")
            }
        }
    }
}
