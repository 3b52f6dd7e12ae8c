import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

@Suite struct DeviceRoutesTests {
    static let token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    static let alice = """
        {"label": "alice", "registrations": [{"token": "\(token)", "topic": "com.example.app"}]}
        """

    /// Lends a fixture whose clock stands, with a device 'alice' that has an app.
    static func withAlice(_ use: (Fixture) async throws -> Void) async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            #expect(await fixture.send("POST", "/api/v1/devices", alice).status == 201)
            try await use(fixture)
        }
    }

    /// A push to the app of 'alice'.
    static func push(_ body: String = #"{"aps":{"alert":"Hi","badge":3}}"#, type: String = "alert") -> PushDraft {
        var draft = PushDraft().setting("apns-push-type", to: type).setting("apns-priority", to: "5")
        draft.path = "/3/device/\(token)"
        draft.body = Array(body.utf8)
        return draft
    }

    // MARK: Making

    @Test func `a device is created as described`() async throws {
        try await withFixture { fixture in
            let body = """
                {"label": "Bob's phone", "state": "offline", "lowPower": true, "registrations": [
                  {"topic": "com.example.app", "appState": "forceQuit", "notificationsEnabled": false},
                  {"token": "AABB", "topic": "com.example.app.voip", "environment": "production"}]}
                """
            let answer = await fixture.send("POST", "/api/v1/devices", body)
            #expect(answer.status == 201)
            let id = try #require(answer.text("id"))
            #expect(id == "dev_0000000000000000")
            #expect(answer[header: "Location"] == "/api/v1/devices/\(id)")
            #expect(answer.text("label") == "Bob's phone")
            #expect(answer.text("state") == "offline")
            #expect(answer.text("offlineSince") != "null")
            #expect(answer.text("lowPower") == "true")
            #expect(answer.text("origin") == "described")
            #expect(answer.text("registrations", "0", "token")?.utf8.count == 64)
            #expect(answer.text("registrations", "0", "appState") == "forceQuit")
            #expect(answer.text("registrations", "0", "notificationsEnabled") == "false")
            #expect(answer.text("registrations", "0", "environment") == "sandbox")
            #expect(answer.text("registrations", "1", "token") == "aabb")
            #expect(answer.text("registrations", "1", "topic") == "com.example.app.voip")
            #expect(answer.text("registrations", "1", "environment") == "production")
            for name in [id, "aAbB", "@Bob's%20phone"] {
                let shown = await fixture.get("/api/v1/devices/\(name)")
                #expect(shown.status == 200, "\(name)")
                #expect(shown.json == answer.json, "\(name)")
            }
        }
    }

    @Test func `a device needs no description`() async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("POST", "/api/v1/devices", "{}")
            #expect(answer.status == 201)
            #expect(answer.text("label") == "null")
            #expect(answer.text("state") == "online")
            #expect(answer.text("registrations") == "[]")
            #expect(answer.text("badge") == "null")
            #expect(answer.text("lastPush") == "null")
        }
    }

    // MARK: Many at once

    @Test func `a list creates and changes devices`() async throws {
        try await Self.withAlice { fixture in
            let list = """
                [{"label": "alice", "state": "offline",
                  "registrations": [{"topic": "com.example.app"}, {"token": "aa", "topic": "com.example.b"}]},
                 {"label": null, "state": null, "registrations": [{"token": "bb", "topic": "com.example.app",
                  "environment": "production", "appState": null, "notificationsEnabled": null}]},
                 {}]
                """
            let answer = await fixture.send("PUT", "/api/v1/devices", list)
            try Golden.expect(answer, is: "devices-put")
            // The same again changes nothing; what nothing names is made again.
            let again = await fixture.send("PUT", "/api/v1/devices", list)
            #expect(again.text("created") == "1")
            #expect(again.text("updated") == "2")
            #expect(await fixture.get("/api/v1/devices/@alice").text("state") == "offline")
            #expect(await fixture.get("/api/v1/devices").text("total") == "4")
            #expect(await fixture.send("PUT", "/api/v1/devices", "[]").text("created") == "0")
        }
    }

    @Test func `a list has at most 100,000 devices`() async throws {
        try await withFixture { fixture in
            let list = "[" + Array(repeating: "{}", count: 100_001).joined(separator: ",") + "]"
            let answer = await fixture.send("PUT", "/api/v1/devices", list)
            #expect(answer.status == 422 && answer.text("type")?.hasSuffix("too-many") == true)
            #expect(answer.text("detail")?.hasPrefix("The list has 100001 devices, expected at most 100000") == true)
            #expect(await fixture.get("/api/v1/devices").text("total") == "0")
        }
    }

    @Test func `changing devices to online reports what was delivered`() async throws {
        try await Self.withAlice { fixture in
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#)
            fixture.publish(Self.push())
            let answer = await fixture.send("PUT", "/api/v1/devices", #"[{"label":"alice","state":"online"}]"#)
            #expect(answer.text("deliveredCount") == "1")
            #expect(answer.text("delivered", "0") == PushID(epoch: 1, seq: 1).text)
        }
    }

    // MARK: Changing

    @Test func `changing a device to online reports the stored notifications`() async throws {
        try await Self.withAlice { fixture in
            let offline = await fixture.send(
                "PATCH", "/api/v1/devices/\(Self.token)", #"{"state":"offline","lowPower":true,"label":"anna"}"#)
            #expect(offline.status == 200)
            #expect(offline.text("device", "state") == "offline")
            #expect(offline.text("device", "lowPower") == "true")
            #expect(offline.text("device", "offlineSince") == Fixture.now.rfc3339)
            #expect(offline.text("deliveredCount") == "0")
            fixture.publish(Self.push())
            fixture.publish(Self.push())
            let waiting = await fixture.get("/api/v1/devices/@anna")
            try Golden.expect(waiting, is: "device-offline")
            let stored = await fixture.get("/api/v1/devices/@anna/stored")
            try Golden.expect(stored, is: "device-stored", volatile: ["stored"])
            #expect(stored.text("stored", "0", "id") == waiting.text("registrations", "0", "stored"))
            #expect(stored.text("stored", "1") == nil)

            let online = await fixture.send("PATCH", "/api/v1/devices/@anna", #"{"state":"online","lowPower":false}"#)
            try Golden.expect(online, is: "device-changed")
            #expect(await fixture.get("/api/v1/devices/@anna/stored").text("stored") == "[]")
            #expect(await fixture.get("/api/v1/devices/@alice").status == 404)
        }
    }

    @Test func `an empty change changes nothing`() async throws {
        try await Self.withAlice { fixture in
            let before = await fixture.get("/api/v1/devices/@alice")
            let answer = await fixture.send("PATCH", "/api/v1/devices/@alice", "{}")
            #expect(answer.status == 200)
            #expect(answer.json["device"] == before.json)
        }
    }

    @Test func `a removed device is not found`() async throws {
        try await Self.withAlice { fixture in
            let answer = await fixture.send("DELETE", "/api/v1/devices/@alice")
            #expect(answer.status == 204)
            #expect(answer.bytes.isEmpty)
            #expect(await fixture.get("/api/v1/devices/@alice").status == 404)
            #expect(await fixture.get("/api/v1/registrations/\(Self.token)").status == 404)
        }
    }

    @Test func `a report lists at most 1,000 ids and counts all`() async throws {
        try await withFixture { fixture in
            _ = fixture.server.world.stopClock(at: Fixture.now)
            let tokens = (0..<1_200).map { 0x1_0000 + $0 }.map { "0" + String($0, radix: 16) }
            let apps = tokens.enumerated().map { #"{"token":"\#($1)","topic":"com.example.app\#($0)"}"# }
            let list = #"[{"label":"a","state":"offline","registrations":[\#(apps.joined(separator: ","))]}]"#
            #expect(await fixture.send("PUT", "/api/v1/devices", list).status == 200)
            fixture.publish(
                tokens.enumerated().map { position, token in
                    var draft = Self.push().setting("apns-topic", to: "com.example.app\(position)")
                    draft.path = "/3/device/\(token)"
                    return draft
                })
            let answer = await fixture.send("PATCH", "/api/v1/devices/@a", #"{"state":"online"}"#)
            #expect(answer.text("deliveredCount") == "1200")
            #expect(answer.text("delivered", "999") != nil)
            #expect(answer.text("delivered", "1000") == nil)
        }
    }
}
