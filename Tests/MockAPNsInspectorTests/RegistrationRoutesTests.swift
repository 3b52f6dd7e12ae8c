import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

@Suite struct RegistrationRoutesTests {
    private static let token = DeviceRoutesTests.token
    private static let path = "/api/v1/registrations/\(token)"

    @Test func `an app is added to a device`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let body = #"{"token":"ABCD","topic":"com.example.app.voip","appState":"terminated"}"#
            let answer = await fixture.send("POST", "/api/v1/devices/@alice/registrations", body)
            #expect(answer.status == 201)
            #expect(answer[header: "Location"] == "/api/v1/registrations/abcd")
            try Golden.expect(answer, is: "registration-added")
            #expect(await fixture.get("/api/v1/registrations/aBcD").json == answer.json)
            let device = await fixture.get("/api/v1/devices/@alice")
            #expect(device.json["registrations"]?.text(["1"]) == answer.json.text([]))
        }
    }

    @Test func `an app has its shape`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            _ = await fixture.send("PATCH", Self.path, #"{"appState":"terminated"}"#)
            fixture.publish(DeviceRoutesTests.push())
            fixture.publish(DeviceRoutesTests.push(#"{"aps":{"content-available":1}}"#, type: "background"))
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#)
            fixture.publish(DeviceRoutesTests.push())
            try Golden.expect(await fixture.get(Self.path), is: "registration")
        }
    }

    @Test func `launching an app delivers what was held for it`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            _ = await fixture.send("PATCH", Self.path, #"{"appState":"terminated"}"#)
            fixture.publish(DeviceRoutesTests.push(#"{"aps":{"content-available":1}}"#, type: "background"))
            #expect(await fixture.get(Self.path).text("held") == PushID(epoch: 1, seq: 1).text)
            let answer = await fixture.send("PATCH", Self.path, #"{"appState":"foreground"}"#)
            #expect(answer.text("registration", "held") == "null")
            #expect(answer.text("registration", "appState") == "foreground")
            let steps = await fixture.get("/api/v1/pushes/seq:1")
            #expect(steps.text("delivery", "timeline", "3", "event") == "held")
            #expect(steps.text("delivery", "timeline", "4", "event") == "handed-over")
            #expect(steps.text("delivery", "reaction", "presentation") == "held")
        }
    }

    @Test func `removing an app discards what waits for it`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            _ = await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#)
            fixture.publish(DeviceRoutesTests.push())
            let answer = await fixture.send("PATCH", Self.path, #"{"state":"uninstalled"}"#)
            try Golden.expect(answer, is: "registration-changed")
            fixture.publish(DeviceRoutesTests.push())
            let refused = await fixture.get("/api/v1/pushes?limit=1")
            #expect(refused.text("pushes", "0", "verdict", "reason") == "Unregistered")
            #expect(refused.text("pushes", "0", "verdict", "decidedBy") == "device-state")
            #expect(refused.text("pushes", "0", "delivery", "state") == "not-attempted")
            let back = await fixture.send("PATCH", Self.path, #"{"state":"registered"}"#)
            #expect(back.text("registration", "state") == "registered")
            #expect(back.text("registration", "deadSince") == "null")
        }
    }

    @Test func `permission for notifications can be denied and granted`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let answer = await fixture.send("PATCH", Self.path, #"{"notificationsEnabled":false}"#)
            #expect(answer.text("registration", "notificationsEnabled") == "false")
            fixture.publish(DeviceRoutesTests.push())
            #expect(await fixture.get("/api/v1/pushes/seq:1").text("delivery", "state") == "discarded-disabled")
        }
    }

    @Test(arguments: ["", "{}", #"{"token":null}"#, #"{"token":"FEED"}"#]) func `a token is replaced`(
        body: String
    ) async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            let answer = await fixture.send("POST", Self.path + "/rotate", body)
            #expect(answer.status == 201)
            let token = try #require(answer.text("token"))
            #expect(token == (body.contains("FEED") ? "feed" : token))
            #expect(token != Self.token)
            #expect(answer[header: "Location"] == "/api/v1/registrations/\(token)")
            #expect(answer.text("previous") == Self.token)
            #expect(answer.text("label") == "alice")
            let old = await fixture.get(Self.path)
            #expect(old.text("state") == "rotated")
            #expect(old.text("deadSince") == Fixture.now.rfc3339)
            var shown = await fixture.get("/api/v1/registrations/\(token)").json
            if case .object(var members) = shown {
                members["previous"] = .string(Self.token)
                shown = .object(members)
            }
            #expect(shown == answer.json)
        }
    }
}
