import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The broadcasts of one device.
@Suite struct DeviceBroadcastTests {
    private func events(_ label: String, in scene: Broadcasting) throws -> [UInt64: DeliveryEvent] {
        let entries = try scene.world.devices.broadcasts(of: .label(label)).entries
        #expect(entries.map(\.push.seq) == entries.map(\.push.seq).sorted(by: >))
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.push.seq, $0.event) })
    }

    @Test func `a device has what reached it and what is stored for it`() throws {
        let scene = try Broadcasting()
        try scene.add("early")
        let before = scene.send()
        try scene.add("alice")
        let reached = scene.send()
        _ = try scene.set("alice", online: false)
        let stored = scene.send()
        #expect(try events("alice", in: scene) == [reached: .delivered, stored: .storedDeviceOffline])
        #expect(try scene.world.devices.stored(.label("alice")).map(\.seq) == [stored])
        let newest = scene.send()
        #expect(try events("alice", in: scene) == [reached: .delivered, newest: .storedDeviceOffline])
        _ = try scene.set("alice", online: true)
        #expect(try events("alice", in: scene) == [reached: .delivered, newest: .deliveredFromStorage])
        #expect(try scene.world.devices.stored(.label("alice")).isEmpty)
        #expect(try events("early", in: scene).count == 4 && events("early", in: scene)[before] == .delivered)
    }

    @Test func `it stays after the subscription has ended`() throws {
        let scene = try Broadcasting()
        try scene.add("alice")
        let seq = scene.send()
        #expect(try scene.world.channels.unsubscribe(.label("alice"), topic: "com.example.app", from: scene.channel))
        scene.send()
        #expect(try events("alice", in: scene) == [seq: .delivered])
    }

    @Test func `a discarded broadcast is not among them`() throws {
        let scene = try Broadcasting(.none)
        try scene.add("off", isOnline: false)
        scene.send()
        #expect(try events("off", in: scene).isEmpty)
    }

    @Test func `devices after the first thousand have theirs too`() throws {
        let scene = try Broadcasting()
        for number in 0..<FanOut.listed { try scene.add("d\(number)") }
        try scene.add("alice")
        let first = scene.send()
        _ = try scene.set("alice", online: false)
        let missed = scene.send()
        let stored = scene.send()
        #expect(scene.fanOut(first)?.receipts.count == FanOut.listed)
        #expect(try events("alice", in: scene) == [first: .delivered, stored: .storedDeviceOffline])
        _ = try scene.set("alice", online: true)
        let last = scene.send()
        let expected: [UInt64: DeliveryEvent] = [first: .delivered, stored: .delivered, last: .delivered]
        #expect(try events("alice", in: scene) == expected)
        #expect(try events("d0", in: scene)[missed] == .delivered)

        // Of these, only the latest 64 of the channel are distinguished.
        try scene.add("late")
        for _ in 0..<ReachedBroadcasts.window { scene.send() }
        let found = try scene.world.devices.broadcasts(of: .label("alice"))
        #expect(found.entries.count == Int(ReachedBroadcasts.window) && found.unknown == 4)
        #expect(try events("d0", in: scene).count == Int(ReachedBroadcasts.window) + 4)
        #expect(try scene.world.devices.broadcasts(of: .label("late")).unknown == 0, "sent before it subscribed")
    }

    @Test func `a subscription knows the latest 64 broadcasts`() {
        var reached = ReachedBroadcasts()
        #expect(reached.contains(1) == false)
        for position in [1, 3, 2, 66] as [UInt64] { reached.note(position) }
        #expect([1, 2, 3, 4, 65, 66, 67].map { reached.contains($0) } == [nil, nil, true, false, false, true, false])
        reached.note(200)
        #expect([136, 137, 199, 200].map { reached.contains($0) } == [nil, false, false, true])
    }

    @Test func `changes of a channel are events`() throws {
        let scene = try Broadcasting()
        var cursor = scene.world.eventCursor()
        func changes() -> Int {
            let page = scene.world.events(from: cursor, limit: 100)
            cursor = page.cursor
            return page.items.count { item in
                guard case .other(let event) = item, case .channelChanged(let id) = event.kind else { return false }
                return id == scene.channel
            }
        }
        try scene.add("alice")
        #expect(changes() == 1)
        scene.send()
        #expect(changes() > 0)
        _ = try scene.set("alice", online: false)
        scene.send()
        _ = changes()
        _ = try scene.set("alice", online: true)
        #expect(changes() == 1)
        _ = scene.world.advanceClock(by: 8 * JudgingWorld.hour)
        #expect(changes() == 1)
        _ = try scene.world.channels.unsubscribe(.label("alice"), topic: "com.example.app", from: scene.channel)
        #expect(changes() == 1)
        #expect(scene.world.channels.remove(scene.channel) && changes() == 1)
    }
}
