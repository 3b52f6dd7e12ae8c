import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Devices that are described with their subscriptions.
@Suite struct SubscriptionDraftTests {
    private let scene: Broadcasting
    private let other: ChannelID
    private let production: ChannelID

    init() throws {
        let scene = try Broadcasting()
        func add(_ bundleID: String, _ environment: Environment) throws -> ChannelID {
            let app = ChannelApp(bundleID: bundleID, environment: environment)
            return try #require(scene.world.channels.add(app, .newest)).id
        }
        other = try add("com.example.app", .sandbox)
        production = try add("com.example.app", .production)
        self.scene = scene
    }

    private func channels(of label: String) -> [ChannelID] {
        scene.world.channels.subscriptions(of: .label(label)).map(\.channel)
    }

    private func put(_ drafts: DeviceDraft...) -> DeviceError? {
        do throws(DeviceError) {
            _ = try scene.world.devices.put(drafts)
            return nil
        } catch { return error }
    }

    @Test func `a described device subscribes, and keeps its subscriptions`() throws {
        let both = [other, scene.channel]
        #expect(put(.phone("a") { $0.subscriptions = both }) == nil)
        #expect(channels(of: "a") == both)
        let device = try scene.world.devices.device(.label("a"))
        #expect(device.channels == both)
        #expect(scene.counts(scene.send()) == [1, 0, 0])

        // Described again: with what it has, twice, and with nothing.
        #expect(put(.phone("a") { $0.subscriptions = [both[1], both[0], both[1]] }) == nil)
        #expect(put(.phone("a")) == nil)
        #expect(channels(of: "a") == both)
        #expect(scene.world.channels.channel(other)?.metrics.subscriptions == 1)
    }

    @Test func `the app may be one that the device has, under any topic`() throws {
        let topic = "com.example.app.push-type.liveactivity"
        #expect(put(.phone("a", topic: topic)) == nil)
        #expect(put(DeviceDraft(label: "a", subscriptions: [other])) == nil)
        #expect(channels(of: "a") == [other])
        let added = try scene.world.devices.add(.phone("b") { $0.subscriptions = [other] })
        #expect(added.channels == [other])
    }

    @Test func `a device that comes online with its subscription gets no earlier broadcast`() throws {
        #expect(put(.phone("a", isOnline: false)) == nil)
        scene.send()
        let draft = DeviceDraft(label: "a", isOnline: true, subscriptions: [scene.channel])
        #expect(try scene.world.devices.put([draft]).deliveries.delivered.isEmpty)
        #expect(scene.counts(scene.send()) == [1, 0, 0])
    }

    @Test func `refuses an unknown channel or app, and changes nothing`() throws {
        let strange = ChannelID(UniqueID(high: 1, low: 2))
        func refusal(_ draft: DeviceDraft) -> String? {
            put(.phone("a"), draft).map { "\($0.code) \($0.pointer) \($0.message)" }
        }
        #expect(
            refusal(.phone("b") { $0.subscriptions = [other, strange] })
                == "badValue /1/subscriptions/1 there is no channel \(strange.text)")
        let lacks = "belongs to com.example.app"
        #expect(
            refusal(.phone("b") { $0.subscriptions = [production] })
                == "badValue /1/subscriptions/0 channel \(production.text) \(lacks) (production), "
                + "which the device does not have")
        #expect(
            refusal(.phone("b", topic: "com.example.b") { $0.subscriptions = [other] })
                == "badValue /1/subscriptions/0 channel \(other.text) \(lacks) (sandbox), "
                + "which the device does not have")
        #expect(scene.world.devices.devices(DeviceQuery()).total == 0)
    }

    @Test func `holds at most as many subscriptions as registrations`() throws {
        var options = Devices.Options()
        options.registrationLimit = 3
        let world = try JudgingWorld(options: options).world
        let ids = try (0..<4).map { _ in try #require(world.channels.add(Broadcasting.app, .none)).id }
        func put(_ label: String, _ channels: ArraySlice<ChannelID>) throws(DeviceError) {
            _ = try world.devices.put([.phone(label) { $0.subscriptions = Array(channels) }])
        }
        try put("a", ids[..<2])
        #expect(throws: DeviceError.self) { try put("b", ids[..<2]) }
        try put("b", ids[..<1])
        // What a device has does not count again.
        try put("a", ids[..<2])
        #expect(throws: DeviceError.self) { try put("a", ids[..<3]) }
    }
}
