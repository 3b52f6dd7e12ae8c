import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// A world in which broadcasts are sent, with a frozen clock.
struct Broadcasting {
    static let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)

    let judging: JudgingWorld
    var world: World { judging.world }
    let channel: ChannelID

    init(_ storage: ChannelStorage = .newest, seed: UInt64 = 1) throws {
        judging = try JudgingWorld(seed: seed)
        channel = try #require(judging.world.channels.add(Self.app, storage)).id
    }

    /// Adds a device that is subscribed.
    func add(_ label: String, isOnline: Bool = true, savesPower: Bool = false) throws {
        var draft = DeviceDraft.phone(label, isOnline: isOnline)
        draft.savesPower = savesPower
        _ = try world.devices.add(draft)
        #expect(try world.channels.subscribe(.label(label), topic: "com.example.app", to: channel))
    }

    /// Sends a broadcast that the rules have accepted, and returns its number.
    @discardableResult func send(
        expiration: String? = nil, priority: String? = nil, to channel: ChannelID? = nil,
        answeredAt: WorldClock.Reading? = nil
    ) -> UInt64 {
        Self.send(
            #"{"aps":{"event":"update"}}"#, expiration: expiration, priority: priority, to: channel ?? self.channel,
            in: world, answeredAt: answeredAt)
    }

    /// Sends a broadcast with a body.
    static func send(
        _ body: String, expiration: String? = nil, priority: String? = nil, to channel: ChannelID, in world: World,
        answeredAt: WorldClock.Reading? = nil
    ) -> UInt64 {
        var headers = [
            (":method", "POST"), (":path", "/4/broadcasts/apps/com.example.app"), ("apns-channel-id", channel.text),
            ("apns-push-type", "liveactivity"),
        ]
        if let expiration { headers.append(("apns-expiration", expiration)) }
        if let priority { headers.append(("apns-priority", priority)) }
        let batch = RecordBatch()
        batch.begin(by: world.ruleset)
        RequestView.withRequest(headers: headers, body: Array(body.utf8)) { request in
            var facts = RecordHead()
            facts.service = .broadcast
            facts.clockTime = world.clock.read().world
            facts.connectionID = 1
            facts.requestOnConnection = 1
            facts.id = UniqueID(high: 1, low: 1)
            batch.append(request, facts)
        }
        let before = world.journal.extent.lastSeq
        world.journal.publish(batch, at: answeredAt ?? world.clock.read())
        return before + 1
    }

    func fanOut(_ seq: UInt64) -> FanOut? { world.journal.push(seq: seq)?.delivery?.fanOut }

    /// The counts of a broadcast: delivered, stored, discarded.
    func counts(_ seq: UInt64) -> [Int] { fanOut(seq).map { [$0.delivered, $0.stored, $0.discarded] } ?? [] }

    func set(_ label: String, online isOnline: Bool) throws -> DeliveryReport {
        try world.devices.change(.label(label), .with { $0.isOnline = isOnline }).deliveries
    }
}
