import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

@Suite struct ChannelRoutesTests {
    private static let volatile = ["id", "channel", "createdAt", "seq", "push", "lastDelivered"]

    @Test func `channels come, are shown, and go`() async throws {
        try await withFixture { fixture in
            let made = await fixture.send(
                "POST",
                "/api/v1/channels",
                #"{"topic":"com.example.app","storagePolicy":0}"#
            )
            #expect(made.status == 201)
            let id = try #require(made.text("id"))
            let channel = try #require(ChannelID(id))
            let path = "/api/v1/channels/\(ChannelIDText.part(channel))"
            #expect(made[header: "Location"] == path)
            try Golden.expect(made, is: "channel", volatile: Self.volatile)
            try Golden.expect(await fixture.get("/api/v1/channels"), is: "channels", volatile: ["channels"])
            let escaped = id.replacing("/", with: "%2F").replacing("+", with: "%2B").replacing(
                "=",
                with: "%3D"
            )
            for path in [path, "/api/v1/channels/\(escaped)"] {
                #expect(await fixture.get(path).text("storagePolicy") == "0")
            }
            #expect(await fixture.get("/api/v1/channels?topic=com.example.other").text("matched") == "0")
            #expect(await fixture.send("DELETE", path).status == 204)
            #expect(await fixture.send("DELETE", path).status == 404)
            #expect(await fixture.get(path).status == 404)
            #expect(await fixture.get("/api/v1/channels/abc").status == 400)
            for body in [#"{"topic":"a","storagePolicy":2}"#, "{}", #"{"topic":"a","name":"b"}"#] {
                #expect(await fixture.send("POST", "/api/v1/channels", body).status == 400)
            }
        }
    }

    @Test func `devices subscribe`() async throws {
        try await withFixture { fixture in
            let world = fixture.server.world
            _ = try world.devices.add(
                DeviceDraft(label: "alice", registrations: [.init(topic: "com.example.app")])
            )
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let channel = try #require(world.channels.add(app, .newest)).id
            let path = "/api/v1/devices/@alice/subscriptions"
            let body = #"{"topic":"com.example.app","channel":"\#(channel.text)"}"#
            let subscribed = await fixture.send("POST", path, body)
            #expect(subscribed.status == 201)
            try Golden.expect(subscribed, is: "subscription", volatile: Self.volatile)
            #expect(await fixture.send("POST", path, body).status == 200)
            #expect(await fixture.get(path).text("subscriptions", "0", "channel") == channel.text)
            let shown = await fixture.get("/api/v1/channels/\(ChannelIDText.part(channel))")
            #expect(shown.text("metrics", "uniqueSubscribers") == "1")
            #expect(shown.text("subscribers", "0")?.hasPrefix("dev_") == true)

            let other = body.replacing("com.example.app", with: "com.example.other")
            #expect(await fixture.send("POST", path, other).status == 404)
            #expect(await fixture.send("POST", path, #"{"topic":"a","channel":"b"}"#).status == 400)
            #expect(await fixture.send("POST", path.replacing("alice", with: "bob"), body).status == 404)
            let production = try #require(
                world.channels.add(ChannelApp(bundleID: "com.example.app", environment: .production), .newest)
            )
            let elsewhere = await fixture.send(
                "POST",
                path,
                #"{"topic":"com.example.app","channel":"\#(production.id.text)"}"#
            )
            #expect(elsewhere.status == 422)
            #expect(await fixture.send("DELETE", path, body).status == 204)
            #expect(await fixture.send("DELETE", path, body).status == 204)
            #expect(await fixture.get(path).text("subscriptions", "0") == nil)
        }
    }
}
