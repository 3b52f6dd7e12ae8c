import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

/// Channel management and broadcasts as a provider sees them.
struct ChannelWireTests {
    static let id = "eabeae54-14a8-11e5-b60b-1697f925ec7b"

    @Test(arguments: [0, 1]) func `channels can be created, read, listed, broadcast to and deleted`(
        _ storage: Int
    ) async throws {
        try await withLive { live in
            let client = try await live.connect()
            let created = try await client.send(
                .createChannel(storage: storage).with { $0.setHeader("apns-request-id", Self.id) })
            #expect(created.status == 201 && created.body.isEmpty)
            #expect(created.names == ["apns-request-id", "apns-channel-id"])
            #expect(created["apns-request-id"] == Self.id)
            let text = try #require(created["apns-channel-id"])
            let channel = try #require(ChannelID(text))

            let read = try await client.send(.channel("GET", channel))
            #expect(read.status == 200 && read.names == ["apns-request-id"])
            #expect(read.body == #"{"message-storage-policy":\#(storage),"push-type":"LiveActivity"}"#)

            let list = try await client.send(.channel("GET", path: "/1/apps/com.example.app/all-channels"))
            #expect(list.status == 200 && list.body == #"{"channels":["\#(text)"]}"#)

            let sent = try await client.send(.broadcast(channel).with { $0.more.append(("apns-id", Self.id)) })
            #expect(sent.status == 200 && sent.body.isEmpty && sent.names == ["apns-request-id"])
            #expect(sent["apns-request-id"] == Self.id)

            let deleted = try await client.send(.channel("DELETE", channel))
            #expect(deleted.status == 204 && deleted.body.isEmpty && deleted.names == ["apns-request-id"])
            #expect(try await client.send(.channel("GET", channel)).reason == "ChannelNotRegistered")

            let records = live.journal.pushes(.with { $0.order = .ascending }).pushes
            #expect(records.map(\.service) == [.channels, .channels, .channels, .broadcast, .channels, .channels])
            #expect(records.map(\.answer.status) == [201, 200, 200, 200, 204, 400])
            for (record, reply) in zip(records, [created, read, list, sent, deleted]) {
                #expect(record.isAccepted)
                #expect(record.answer.headers.map(\.name) == reply.names)
                #expect(record.answer.headers.map(\.value) == reply.headers.map(\.value))
                #expect(record.answer.body == reply.body)
            }
            #expect(live.journal.counters.accepted == 5)
        }
    }

    /// 2,000 ids are more than the journal keeps of a body; more would not fit into the window of the client.
    @Test func `lists 10,000 channels, and refuses another`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            var ids: Set<ChannelID> = []
            for _ in 0..<10_000 { ids.insert(try #require(live.world.channels.add(app, .none)).id) }
            #expect(ids.count == 10_000)
            #expect(try await client.send(.createChannel(storage: 0)).reason == "CannotCreateChannelConfig")
            for id in live.world.channels.ids(of: app).dropFirst(2_000) { #expect(live.world.channels.remove(id)) }
            let kept = Set(live.world.channels.ids(of: app))
            let list = try await client.send(.channel("GET", path: "/1/apps/com.example.app/all-channels"))
            let listed = list.body.split(separator: "\"").compactMap { ChannelID(String($0)) }
            #expect(listed.count == 2_000 && Set(listed) == kept)
            // Another app and another environment have their own.
            let other = try await client.send(
                .createChannel(storage: 0).with { $0.path = "/1/apps/com.example.other/channels" })
            #expect(other.status == 201)
            #expect(live.world.channels.add(ChannelApp(bundleID: app.bundleID, environment: .production), .none) != nil)

            let first = try #require(kept.first)
            #expect(try await client.send(.channel("DELETE", first)).status == 204)
            let again = try await client.send(.createChannel(storage: 0))
            #expect(again.status == 201)
            #expect(again["apns-channel-id"].flatMap { ChannelID($0) }.map { !ids.contains($0) } == true)
        }
    }

    @Test func `a listener for channel management refuses pushes`() async throws {
        let configure: @Sendable (inout Configuration) -> Void = { $0.channelListeners = [.clearText(.production)] }
        try await withLive(configure) { live in
            let port = try #require(live.server.channelListeners.first).address.port
            #expect(live.server.listeners.count == 1)
            let client = try await Client.connect(to: port)
            let created = try await client.send(.createChannel(storage: 1))
            let channel = try #require(created["apns-channel-id"].flatMap { ChannelID($0) })
            #expect(live.world.channels.channel(channel)?.app.environment == .production)
            let push = try await client.send(Push(TestKey.team.token()))
            #expect(push.status == 404 && push.names == ["apns-request-id"])
            #expect(try await client.send(.broadcast(channel)).reason == "BadPath")
            // The channel is one of the other environment.
            let elsewhere = try await live.connect().send(.broadcast(channel))
            #expect(elsewhere.reason == "ChannelNotRegistered")
        }
    }

    @Test func `a broadcast reaches the devices`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let channel = try #require(live.world.channels.add(app, .newest)).id
            for label in ["on", "off"] {
                let app = DeviceDraft.Registration(topic: "com.example.app")
                _ = try live.world.devices.add(DeviceDraft(label: label, isOnline: label == "on", registrations: [app]))
                #expect(try live.world.channels.subscribe(.label(label), topic: "com.example.app", to: channel))
            }
            #expect(try await client.send(.broadcast(channel)).status == 200)
            let record = try #require(live.journal.pushes(PushQuery()).pushes.first)
            let fanOut = try #require(record.delivery?.fanOut)
            #expect(record.delivery?.state == .published)
            #expect(fanOut.delivered == 1 && fanOut.stored == 1 && fanOut.discarded == 0 && fanOut.pending == 0)
        }
    }

    /// A fault that replaces the answer leaves nothing behind.
    @Test func `a fault that replaces the answer creates no channel`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let fault = try live.world.faults.add(
                FaultDraft(action: .respond(FaultAction.Response(.serviceUnavailable))))
            let refused = try await client.send(.createChannel(storage: 1))
            #expect(refused.status == 503 && refused.reason == "ServiceUnavailable")
            #expect(refused.names == ["apns-request-id"])
            #expect(live.world.channels.all().total == 0)
            try live.world.faults.remove(fault.id)
            #expect(try await client.send(.createChannel(storage: 1)).status == 201)
        }
    }

    @Test func `channel management raises the stream limit`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            #expect(try await client.send(.createChannel(storage: 1)).status == 201)
            let all = try (0..<50).map { _ in try Push.channel("GET", path: "/1/apps/com.example.app/all-channels") }
            #expect(try await client.send(all).allSatisfy { $0.status == 200 })
        }
    }
}
