import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector

@Suite struct InboxTests {
    private static let path = "/api/v1/registrations/\(DeviceRoutesTests.token)"

    private func inbox(_ fixture: Fixture) async -> APIResponse { await fixture.get("/api/v1/devices/@alice/inbox") }

    private func bodies(_ answer: APIResponse) -> [String?] {
        guard case .array(let notifications)? = answer.json["notifications"] else { return [] }
        return notifications.map { $0.text(["body"]) }
    }

    @Test func `Notification Center has its shape`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let body = """
                {"aps":{"alert":{"title":"Order","subtitle":"#7","body":"Shipped"},"badge":2,"sound":"ping.aiff",
                "thread-id":"orders","interruption-level":"time-sensitive","mutable-content":1},"order":7}
                """
            fixture.publish(DeviceRoutesTests.push(body).setting("apns-collapse-id", to: "o7"))
            try Golden.expect(await inbox(fixture), is: "inbox")
        }
    }

    @Test func `the newest comes first, and a collapse ID replaces an older one`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            func push(_ text: String, _ collapse: String? = nil) -> PushDraft {
                DeviceRoutesTests.push(#"{"aps":{"alert":"\#(text)"}}"#).setting("apns-collapse-id", to: collapse)
            }
            fixture.publish(push("one", "a"), push("two"), push("three", "b"), push("four", "a"))
            #expect(await bodies(inbox(fixture)) == ["four", "three", "two"])
        }
    }

    static let shown: [(body: String, words: [String?])] = [
        (#"{"aps":{"alert":"Hi"}}"#, ["null", "null", "Hi"]),
        (#"{"aps":{"alert":{"title":"T"}}}"#, ["T", "null", "null"]),
        (#"{"aps":{"alert":{"title-loc-key":"TK","subtitle-loc-key":"SK","loc-key":"BK"}}}"#, ["TK", "SK", "BK"]),
        (#"{"aps":{"alert":{"title":"T","title-loc-key":"TK","body":5}}}"#, ["T", "null", "null"]),
    ]

    static let localized: [(alert: String, words: [String?])] = [
        (
            #"{"title-loc-key":"TK","title-loc-args":["Ann"],"subtitle-loc-key":"SK","loc-key":"BK"}"#,
            ["Hello Ann", "SK", "Bye"]
        ), (#"{"title-loc-key":"TK","title-loc-args":["Bob"],"body":"b"}"#, ["Hello Bob", "null", "b"]),
        (#"{"subtitle-loc-key":"BK","body":"b"}"#, ["null", "Bye", "b"]),
        (#"{"loc-key":"BK"}"#, ["null", "null", "Bye"]),
    ]

    @Test(arguments: localized) func `localized texts are looked up in the app's strings`(
        alert: String, words: [String?]
    ) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let topic = "com.example.app"
            _ = await fixture.send("PUT", "/api/v1/strings/\(topic)/en", #"{"TK":"Hello %@","BK":"Bye"}"#)
            fixture.publish(DeviceRoutesTests.push(#"{"aps":{"alert":\#(alert)}}"#))
            let answer = await inbox(fixture)
            #expect(["title", "subtitle", "body"].map { answer.text("notifications", "0", $0) } == words)
        }
    }

    @Test(arguments: shown) func `an alert is shown with its title, subtitle and body`(
        body: String, words: [String?]
    ) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push(body))
            let answer = await inbox(fixture)
            #expect(["title", "subtitle", "body"].map { answer.text("notifications", "0", $0) } == words)
        }
    }

    @Test(arguments: [
        #"{"aps":{"badge":3}}"#, #"{"aps":{"sound":"default"}}"#, #"{"aps":{"alert":""}}"#, #"{"aps":{"alert":{}}}"#,
        #"{"aps":{"alert":5}}"#, #"{"aps":[]}"#, "[]", "not JSON", #"{"alert":"Hi"}"#,
    ]) func `an alert without text is not shown`(body: String) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push(body))
            let answer = await inbox(fixture)
            #expect(answer.text("notifications") == "[]")
            #expect(answer.text("note") == "null")
            #expect(await fixture.get("/api/v1/devices/@alice").text("delivered") == "1")
        }
    }

    @Test func `a push that is not an alert is not shown`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let body = #"{"aps":{"alert":"Hi","content-available":1}}"#
            fixture.publish(DeviceRoutesTests.push(body, type: "background"))
            #expect(await bodies(inbox(fixture)) == [])
        }
    }

    @Test func `an alert to an app in the foreground is not in the inbox`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push(#"{"aps":{"alert":"before","badge":1}}"#))
            _ = await fixture.send("PATCH", Self.path, #"{"appState":"foreground"}"#)
            fixture.publish(DeviceRoutesTests.push(#"{"aps":{"alert":"meanwhile","badge":2}}"#))
            let answer = await inbox(fixture)
            #expect(bodies(answer) == ["before"])
            #expect(answer.text("badge") == "1")
            #expect(answer.text("note")?.hasPrefix("Not shown: 1 alert that came while") == true)
        }
    }

    @Test func `uninstalling an app removes its notifications`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push())
            #expect(await bodies(inbox(fixture)) == ["Hi"])
            _ = await fixture.send("PATCH", Self.path, #"{"state":"uninstalled"}"#)
            #expect(await bodies(inbox(fixture)) == [])
        }
    }

    @Test func `notifications dropped by the journal are reported`() async throws {
        try await withFixture(configure: { $0.journal.records = 1 }) { fixture in
            _ = await fixture.send("POST", "/api/v1/devices", DeviceRoutesTests.alice)
            fixture.publish(DeviceRoutesTests.push(), DeviceRoutesTests.push())
            let answer = await inbox(fixture)
            #expect(bodies(answer) == ["Hi"])
            #expect(answer.text("note")?.contains("dropped 1 push to make room") == true)
            #expect(answer.text("journal", "evicted") == "1")
        }
    }

    // MARK: Badges

    static let badges: [(bodies: [String], badge: String)] = [
        ([], "null"), ([#"{"aps":{"alert":"a"}}"#], "null"), ([#"{"aps":{"badge":3}}"#], "3"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"alert":"a"}}"#], "3"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"badge":1}}"#], "1"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"badge":0}}"#], "0"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"badge":"4"}}"#], "3"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"badge":null}}"#], "3"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"badge":-1}}"#], "3"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"badge":2.0}}"#], "2"),
        ([#"{"aps":{"badge":3}}"#, #"{"aps":{"badge":1.5}}"#], "3"), ([#"{"badge":3}"#], "null"),
    ]

    @Test(arguments: badges) func `an icon has the badge of the last push that sets one`(
        bodies: [String], badge: String
    ) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(bodies.map { DeviceRoutesTests.push($0) })
            let device = await fixture.get("/api/v1/devices/@alice")
            #expect(device.text("badge") == badge)
            #expect(device.text("registrations", "0", "badge") == badge)
            #expect(await fixture.get(Self.path).text("badge") == badge)
            #expect(await inbox(fixture).text("badge") == badge)
        }
    }

    @Test func `the badges of a device's apps are added up`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let other = #"{"token":"aa","topic":"com.example.other"}"#
            _ = await fixture.send("POST", "/api/v1/devices/@alice/registrations", other)
            var draft = DeviceRoutesTests.push(#"{"aps":{"badge":9223372036854775807}}"#).setting(
                "apns-topic", to: "com.example.other")
            draft.path = "/3/device/AA"
            let smaller = DeviceRoutesTests.push(#"{"aps":{"badge":4}}"#)
            fixture.publish(draft, smaller)
            // What nobody would show must at least not be the end of the server.
            #expect(await inbox(fixture).status == 200)
            draft.body = Array(#"{"aps":{"badge":5}}"#.utf8)
            fixture.publish(draft)
            #expect(await inbox(fixture).text("badge") == "9")
            // In a list it would cost a look at every push for every device.
            #expect(await fixture.get("/api/v1/devices").text("devices", "0", "badge") == nil)
        }
    }

    @Test func `pushes that are not alerts set no badge`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push(#"{"aps":{"badge":3}}"#, type: "background"))
            #expect(await inbox(fixture).text("badge") == "null")
        }
    }
}
