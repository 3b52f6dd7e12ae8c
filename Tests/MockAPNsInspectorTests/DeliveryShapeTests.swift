import MockAPNsFormats
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector

@Suite struct DeliveryShapeTests {
    private func delivery(_ fixture: Fixture, _ seq: UInt64 = 1) async -> JSONValue {
        await fixture.get("/api/v1/pushes/seq:\(seq)").json["delivery"] ?? .null
    }

    @Test func `a delivery from storage has its shape`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#)
            fixture.publish(DeviceRoutesTests.push())
            let stored = await delivery(fixture)
            #expect(stored.text(["state"]) == "stored-device-offline")
            #expect(stored.text(["status"]) == "Stored - Device Offline")
            #expect(stored.text(["detail"]) == "device-offline")
            #expect(stored.text(["device"]) == "alice")
            #expect(stored.text(["reaction"]) == "null")
            _ = fixture.server.world.advanceClock(by: 3_600_000_000)
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"online"}"#)
            let answer = await fixture.get("/api/v1/pushes/seq:1")
            try Golden.expect(answer, is: "push-delivered-from-storage")
        }
    }

    @Test func `a stored notification has the labels of Apple's console`() async throws {
        for (path, change, status) in [
            ("registrations/\(DeviceRoutesTests.token)", #"{"state":"uninstalled"}"#, "Token Unregistered"),
            ("registrations/\(DeviceRoutesTests.token)", #"{"notificationsEnabled":false}"#, "Disabled"),
        ] {
            try await DeviceRoutesTests.withAlice { fixture in
                _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#)
                fixture.publish(DeviceRoutesTests.push())
                #expect(await fixture.send("PATCH", "/api/v1/\(path)", change).status == 200)
                _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"online"}"#)
                let status = "Discarded - \(status) (From Storage)"
                #expect(await delivery(fixture).text(["status"]) == status)
            }
        }
        try await DeviceRoutesTests.withAlice { fixture in
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"lowPower":true}"#)
            fixture.publish(DeviceRoutesTests.push())
            #expect(await delivery(fixture).text(["status"]) == "Stored - Power Considerations")
        }
    }

    @Test func `a refused push has no delivery`() async throws {
        try await withFixture { fixture in
            fixture.publish(PushDraft().setting("apns-topic", to: nil))
            let delivery = await delivery(fixture)
            #expect(delivery.text(["state"]) == "not-attempted")
            #expect(delivery.text(["status"]) == "null")
            #expect(delivery.text(["device"]) == "null")
            #expect(delivery.text(["timeline", "1", "event"]) == "responded")
            #expect(delivery.text(["timeline", "1", "status"]) == "400")
            #expect(delivery.text(["timeline", "1", "detail"]) == "MissingTopic")
            #expect(delivery.text(["timeline", "2"]) == nil)
        }
    }

    static let reactions: [(state: String, type: String, body: String, presentation: String, callback: String?)] = [
        (
            "foreground", "alert", #"{"aps":{"alert":"a"}}"#, "none",
            "userNotificationCenter(_:willPresent:withCompletionHandler:)"
        ),
        (
            "background", "alert", #"{"aps":{"alert":"a"}}"#, "banner",
            "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        ), ("background", "alert", #"{"aps":{"badge":1}}"#, "badge", nil),
        ("background", "alert", #"{"aps":{"sound":{"name":"x","critical":1}}}"#, "sound", nil),
        ("background", "alert", #"{"aps":{"sound":""}}"#, "none", nil),
        ("background", "alert", "not JSON", "none", nil),
        (
            "background", "alert", #"{"aps":{"alert":"a","mutable-content":1}}"#, "banner",
            "UNNotificationServiceExtension.didReceive(_:withContentHandler:)"
        ),
        (
            "background", "background", #"{"aps":{"content-available":1}}"#, "none",
            "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
        ),
        (
            "background", "background", #"{"aps":{"content-available":true}}"#, "none",
            "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
        ), ("background", "background", #"{"aps":{"content-available":"1"}}"#, "none", nil),
        ("background", "alert", #"{"aps":{"badge":1.0}}"#, "badge", nil),
        ("background", "alert", #"{"aps":{"badge":-1}}"#, "none", nil),
        ("background", "alert", #"{"aps":{"sound":{"volume":1}}}"#, "none", nil),
        ("forceQuit", "background", #"{"aps":{"content-available":1}}"#, "dropped", nil),
    ]

    @Test(arguments: reactions) func `a delivery says what iOS does`(
        state: String, type: String, body: String, presentation: String, callback: String?
    ) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let path = "/api/v1/registrations/\(DeviceRoutesTests.token)"
            _ = await fixture.send("PATCH", path, #"{"appState":"\#(state)"}"#)
            fixture.publish(DeviceRoutesTests.push(body, type: type))
            // What the app does later does not matter.
            _ = await fixture.send("PATCH", path, #"{"appState":"terminated"}"#)
            let delivery = await delivery(fixture)
            #expect(delivery.text(["state"]) == "delivered")
            #expect(delivery.text(["reaction", "appState"]) == state)
            #expect(delivery.text(["reaction", "presentation"]) == presentation)
            #expect(delivery.text(["reaction", "callbacks", "0"]) == callback)
        }
    }

    @Test func `a push without a type has the reaction of the type it looks like`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let silent = DeviceRoutesTests.push(#"{"aps":{"content-available":1}}"#)
            fixture.publish(silent.setting("apns-push-type", to: nil))
            #expect(await delivery(fixture).text(["reaction", "summary"])?.contains("30 seconds") == true)
        }
    }

    @Test func `a token of another app is reported with that app`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push().setting("apns-topic", to: "com.example.other"))
            let verdict = await fixture.get("/api/v1/pushes/seq:1").json["verdict"]
            #expect(verdict?.text(["reason"]) == "DeviceTokenNotForTopic")
            let cause = "The topic is 'com.example.other', but the device token belongs to 'com.example.app'. "
            #expect(verdict?.text(["hint"])?.hasPrefix(cause) == true)
            #expect(verdict?.text(["decidedBy"]) == "device-state")
            #expect(verdict?.text(["check"]) == "device-token-topic")
        }
    }

    @Test func `a token of the other environment is reported with it`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            var draft = DeviceRoutesTests.push()
            draft.environment = .production
            fixture.publish(draft)
            let verdict = await fixture.get("/api/v1/pushes/seq:1").json["verdict"]
            #expect(verdict?.text(["reason"]) == "BadDeviceToken")
            let cause = "The device token is for sandbox, but this address is production. "
            #expect(verdict?.text(["hint"])?.hasPrefix(cause) == true)
        }
    }
}
