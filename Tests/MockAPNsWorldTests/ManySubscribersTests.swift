import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Changes of a channel with many subscribers, to which requests are answered before all are served.
@Suite struct ManySubscribersTests {
    private static let count = 3 * WorldState.firstSlice

    private let scene: Broadcasting
    private let devices: [DeviceID]

    init() throws {
        let scene = try Broadcasting()
        let drafts = (0..<Self.count).map { number in
            DeviceDraft.phone(token: .numbered(UInt64(number) + 1), isOnline: number % 2 == 0) {
                $0.subscriptions = [scene.channel]
            }
        }
        devices = try scene.world.devices.put(drafts).devices.map(\.id)
        self.scene = scene
        // So that no task continues what is pending, until a test does.
        scene.world.withState { state, _ in state.process.isDriven = true }
    }

    private func delete() { #expect(scene.world.channels.remove(scene.channel)) }

    /// The numbers of subscriptions and of channels that take up memory.
    private var kept: [Int] {
        scene.world.withState { state, _ in [state.channels.subscriptions.count, state.channels.channels.count] }
    }

    private func subscriptions(of device: DeviceID) -> [ChannelID] {
        scene.world.channels.subscriptions(of: .id(device)).map(\.channel)
    }

    @Test func `a deleted channel is gone before its last subscription is`() throws {
        let channels = scene.world.channels
        delete()
        #expect(kept == [Self.count - WorldState.firstSlice, 1])
        #expect(channels.channel(scene.channel) == nil && channels.all().total == 0)
        #expect(channels.ids(of: Broadcasting.app).isEmpty && !channels.remove(scene.channel))
        #expect(scene.fanOut(scene.send()) == nil)
        #expect(devices.allSatisfy { subscriptions(of: $0).isEmpty })
        // One goes, one comes online, and one subscribes to another channel meanwhile.
        let other = try #require(channels.add(Broadcasting.app, .newest)).id
        #expect(other != scene.channel)
        try scene.world.devices.forget(.id(devices[0]))
        let online = try scene.world.devices.change(.id(devices[1]), .online)
        #expect(online.deliveries.delivered.isEmpty)
        #expect(try channels.subscribe(.id(devices[2]), topic: "com.example.app", to: other))
        channels.finishPending()
        #expect(kept == [1, 1])
        #expect(subscriptions(of: devices[2]) == [other])
        #expect(scene.counts(scene.send(to: other)) == [1, 0, 0])
    }

    @Test func `a broadcast on its way ends with its channel`() {
        let seq = scene.send()
        let first = WorldState.firstSlice / 2
        #expect(scene.counts(seq) == [first, first, 0])
        delete()
        #expect(scene.counts(seq) == [first, 0, first])
        scene.world.channels.finishPending()
        #expect(scene.counts(seq) == [first, 0, Self.count - first])
    }

    /// The device's new subscription has the place of its old one.
    @Test func `a device that subscribes again meanwhile gets nothing`() throws {
        let channels = scene.world.channels
        let seq = scene.send()
        let late = try #require(devices.dropLast().last)
        #expect(try channels.unsubscribe(.id(late), topic: "com.example.app", from: scene.channel))
        #expect(try channels.subscribe(.id(late), topic: "com.example.app", to: scene.channel))
        channels.finishPending()
        #expect(scene.counts(seq) == [Self.count / 2 - 1, Self.count / 2, 1])
        #expect(channels.subscriptions(of: .id(late)).map(\.lastDelivered) == [nil])
    }

    @Test func `channels are deleted one after the other`() throws {
        let channels = scene.world.channels
        let others = try (0..<3).map { _ in try #require(channels.add(Broadcasting.app, .none)).id }
        delete()
        for other in others { #expect(channels.remove(other)) }
        channels.finishPending()
        #expect(kept == [0, 0])
    }

    @Test(arguments: [ResetReport.Part.channels, .devices]) func `a reset ends the removal of subscribers`(
        _ part: ResetReport.Part
    ) throws {
        delete()
        #expect(scene.world.reset([part]).cleared[.channels] == 0)
        #expect(kept == [0, 0])
        // Nothing is left for the task to continue.
        #expect(!scene.world.continueSlice())
    }
}
