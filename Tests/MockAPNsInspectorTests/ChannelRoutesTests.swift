import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsAPI
@testable import MockAPNsInspector

@Suite struct ChannelRoutesTests {
    private static let volatile = ["id", "channel", "createdAt", "seq", "push", "lastDelivered"]

    @Test func `channels are created, shown and deleted`() async throws {
        try await withFixture { fixture in
            let made = await fixture.send("POST", "/api/v1/channels", #"{"topic":"com.example.app","storagePolicy":0}"#)
            #expect(made.status == 201)
            let id = try #require(made.text("id"))
            let channel = try #require(ChannelID(id))
            let path = "/api/v1/channels/\(ChannelIDText.part(channel))"
            #expect(made[header: "Location"] == path)
            try Golden.expect(made, is: "channel", volatile: Self.volatile)
            try Golden.expect(await fixture.get("/api/v1/channels"), is: "channels", volatile: ["channels"])
            let escaped = id.replacing("/", with: "%2F").replacing("+", with: "%2B").replacing("=", with: "%3D")
            for path in [path, "/api/v1/channels/\(escaped)"] {
                #expect(await fixture.get(path).text("storagePolicy") == "0")
            }
            for (query, matched) in [
                ("topic=com.example.other", "0"), ("topic=com.example.app", "1"), ("q=Example.A", "1"),
                ("q=example.b", "0"), ("q=\(escaped)", "1"), ("q=\(escaped)&topic=com.example.other", "0"),
            ] { #expect(await fixture.get("/api/v1/channels?\(query)").text("matched") == matched, "\(query)") }
            #expect(await fixture.send("DELETE", path).status == 204)
            #expect(await fixture.send("DELETE", path).status == 404)
            #expect(await fixture.get(path).status == 404)
            #expect(await fixture.get("/api/v1/channels/abc").status == 400)
            for body in [#"{"topic":"a","storagePolicy":2}"#, "{}", #"{"topic":"a","name":"b"}"#] {
                #expect(await fixture.send("POST", "/api/v1/channels", body).status == 400)
            }
        }
    }

    @Test func `broadcasts are in the inbox, and rows name their app`() async throws {
        try await withFixture { fixture in
            let world = fixture.server.world
            _ = try world.devices.add(DeviceDraft(label: "alice", registrations: [.init(topic: "com.example.app")]))
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let channel = try #require(world.channels.add(app, .newest)).id
            #expect(try world.channels.subscribe(.label("alice"), topic: app.bundleID, to: channel))
            broadcast(
                #"{"aps":{"timestamp":0,"event":"update","content-state":{},"alert":{"title":"Goal","body":"1:0"}}}"#,
                to: channel, in: world)
            let inbox = await fixture.get("/api/v1/devices/@alice/inbox")
            let volatile = Self.volatile + ["device", "sentAt"]
            try Golden.expect(inbox, is: "inbox-broadcast", volatile: volatile)

            let list = await fixture.get("/api/v1/pushes?fields=summary&q=service:broadcast")
            let row = ["service", "bundleId", "channel", "topic"].map { list.text("pushes", "0", $0) }
            #expect(row == ["broadcast", "com.example.app", channel.text, "null"])
            let push = await fixture.get("/api/v1/pushes/latest")
            #expect(push.text("apns", "bundleId") == "com.example.app")
            let preview = await fixture.get("/api/v1/pushes/\(push.text("id") ?? "")/preview")
            #expect(preview.text("notes", "0") == "It has reached 1 of 1 subscriber of its channel.")
            #expect(preview.text("app", "bundleId") == "com.example.app")

            #expect(await fixture.send("PATCH", "/api/v1/devices/@alice", #"{"state":"offline"}"#).status == 200)
            broadcast("{}", to: channel, in: world)
            let stored = await fixture.get("/api/v1/devices/@alice/stored")
            #expect(stored.text("stored", "0", "apns", "channel") == channel.text)
            #expect(stored.text("stored", "0", "service") == "broadcast")
            #expect(await fixture.get("/api/v1/devices/@alice").text("stored") == "1")

            publish("", to: channel, path: "/1/apps/com.example.app/all-channels", as: .channels, in: world)
            let id = await fixture.get("/api/v1/pushes/latest").text("id") ?? ""
            let request = await fixture.get("/api/v1/pushes/\(id)/preview")
            #expect(request.text("kind") == "channels" && request.text("isShown") == "false")
            #expect(await fixture.get("/api/v1/pushes/\(id)/preview.svg").status == 200)
        }
    }

    private func broadcast(_ body: String, to channel: ChannelID, in world: World) {
        publish(body, to: channel, path: "/4/broadcasts/apps/com.example.app", as: .broadcast, in: world)
    }

    private func publish(_ body: String, to channel: ChannelID, path: String, as service: Service, in world: World) {
        let headers = [
            (":method", "POST"), (":path", path), ("apns-channel-id", channel.text), ("apns-push-type", "liveactivity"),
        ]
        let batch = RecordBatch()
        batch.begin(by: world.ruleset)
        RequestView.withRequest(headers: headers, body: Array(body.utf8)) { request in
            var head = RecordHead()
            head.service = service
            head.status = 200
            batch.append(request, head)
        }
        world.journal.publish(batch)
    }

    @Test func `a changed channel is an event`() async throws {
        try await withFixture { fixture in
            let channels = fixture.server.world.channels
            let feed = EventFeed(.init(types: [.channelChanged]), after: nil, in: fixture.subject)
            defer { feed.close() }
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let channel = try #require(channels.add(app, .newest)).id
            let created = try #require(await feed.next()?.events.first?.data)
            #expect(created["bundleId"] == "com.example.app" && created["subscribers"] == nil)
            #expect(channels.remove(channel))
            let deleted = try #require(await feed.next()?.events.first?.data)
            #expect(deleted == ["id": .string(channel.text), "forgotten": true])
        }
    }

    @Test func `a device subscribes and unsubscribes`() async throws {
        try await withFixture { fixture in
            let world = fixture.server.world
            _ = try world.devices.add(DeviceDraft(label: "alice", registrations: [.init(topic: "com.example.app")]))
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
            #expect(shown.text("subscribers", "0", "device")?.hasPrefix("dev_") == true)
            try Golden.expect(shown, is: "channel-subscribed", volatile: Self.volatile + ["device"])

            let other = body.replacing("com.example.app", with: "com.example.other")
            #expect(await fixture.send("POST", path, other).status == 404)
            #expect(await fixture.send("POST", path, #"{"topic":"a","channel":"b"}"#).status == 400)
            #expect(await fixture.send("POST", path.replacing("alice", with: "bob"), body).status == 404)
            let production = try #require(
                world.channels.add(ChannelApp(bundleID: "com.example.app", environment: .production), .newest))
            let elsewhere = await fixture.send(
                "POST", path, #"{"topic":"com.example.app","channel":"\#(production.id.text)"}"#)
            #expect(elsewhere.status == 422)
            #expect(await fixture.send("DELETE", path, body).status == 204)
            #expect(await fixture.send("DELETE", path, body).status == 204)
            #expect(await fixture.get(path).text("subscriptions", "0") == nil)
        }
    }

    /// The IDs in a device's response describe the same subscriptions in a list of devices.
    @Test func `devices are described with their subscriptions`() async throws {
        try await withFixture { fixture in
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let ids = try (0..<2).map { _ in try #require(fixture.server.world.channels.add(app, .newest)).id.text }
            func put(_ first: String, _ second: String) async -> APIResponse {
                let body = #"""
                    [{"label":"alice","registrations":[{"topic":"com.example.app"}],
                      "subscriptions":["\#(first)","\#(second)"]}]
                    """#
                return await fixture.send("PUT", "/api/v1/devices", body)
            }
            #expect(await put(ids[0], ids[1]).text("created") == "1")
            let shown = await fixture.get("/api/v1/devices/@alice")
            #expect((0..<2).map { shown.text("subscriptions", "\($0)") } == ids)
            let listed = await fixture.get("/api/v1/devices")
            #expect((0..<2).map { listed.text("devices", "0", "subscriptions", "\($0)") } == ids)
            let unknown = await put(ids[0], "AAAAAAAAAAAAAAAAAAAAAA==")
            #expect(unknown.status == 422 && unknown.text("detail")?.contains("/0/subscriptions/1") == true)
            #expect(await put(ids[0], "abc").status == 400)
        }
    }
}
