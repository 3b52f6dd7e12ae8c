import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct BroadcastTests {
    @Test(arguments: ChannelStorage.allCases) func `online devices get it, offline ones if it is stored`(
        _ storage: ChannelStorage
    ) throws {
        let isStored = storage == .newest
        let scene = try Broadcasting(storage)
        try scene.add("on")
        try scene.add("off", isOnline: false)
        try scene.add("saver", savesPower: true)
        let seq = scene.send(priority: "5")
        #expect(scene.counts(seq) == (isStored ? [1, 2, 0] : [1, 0, 2]))
        #expect(
            scene.fanOut(seq)?.receipts.map(\.event)
                == (isStored
                    ? [.delivered, .storedDeviceOffline, .storedPowerConsiderations]
                    : [.delivered, .discardedExpired, .discardedExpired]))
        #expect(try scene.set("off", online: true).delivered == (isStored ? [seq] : []))
        #expect(scene.counts(seq) == (isStored ? [2, 1, 0] : [1, 0, 2]))
        // Only once.
        _ = try scene.set("off", online: false)
        #expect(try scene.set("off", online: true).delivered.isEmpty)
        let metrics = try #require(scene.world.channels.channel(scene.channel)).metrics
        #expect(metrics.published == 1 && metrics.delivered == (isStored ? 2 : 1))
        #expect(metrics.subscriptions == 3 && metrics.uniqueSubscribers == 3)
        #expect(scene.world.journal.push(seq: seq)?.delivery?.steps.map(\.event) == [.published])
    }

    @Test func `a device that ends power saving gets the stored broadcast`() throws {
        let scene = try Broadcasting()
        try scene.add("saver", savesPower: true)
        let seq = scene.send(priority: "5")
        let report = try scene.world.devices.change(.label("saver"), .with { $0.savesPower = false }).deliveries
        #expect(report.delivered == [seq] && scene.counts(seq) == [1, 0, 0])
    }

    @Test func `a stored broadcast is kept for eight hours`() throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        let seq = scene.send()
        let almost = 8 * JudgingWorld.hour - 1
        #expect(scene.world.channels.channel(scene.channel)?.stored?.until == scene.judging.time(almost + 1))
        #expect(scene.world.advanceClock(by: almost).expired.isEmpty)
        #expect(scene.counts(seq) == [0, 1, 0])
        #expect(scene.world.advanceClock(by: 1).expired == [seq])
        #expect(scene.counts(seq) == [0, 0, 1])
        #expect(scene.fanOut(seq)?.receipts.map(\.event) == [.discardedExpired])
        #expect(scene.world.channels.channel(scene.channel)?.stored == nil)
        #expect(try scene.set("off", online: true).delivered.isEmpty)
    }

    @Test func `apns-expiration shortens the eight hours, but never prolongs them`() throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        let now = scene.judging.now.microseconds / 1_000_000
        let sooner = scene.send(expiration: "\(now + 60)")
        _ = scene.world.advanceClock(by: 60 * JudgingWorld.second)
        #expect(scene.counts(sooner) == [0, 0, 1])
        let later = scene.send(expiration: "\(now + 86_400)")
        _ = scene.world.advanceClock(by: 8 * JudgingWorld.hour)
        #expect(scene.counts(later) == [0, 0, 1])
        #expect(scene.counts(scene.send(expiration: "\(now)")) == [0, 0, 1])
        #expect(scene.counts(scene.send(expiration: "0")) == [0, 0, 1])
    }

    @Test func `a newer stored broadcast replaces the older one`() throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        try scene.add("saver", savesPower: true)
        let first = scene.send(priority: "5")
        // One that is not stored leaves it for those that it does not reach.
        let passing = scene.send(expiration: "0", priority: "10")
        #expect(scene.counts(first) == [0, 1, 1] && scene.counts(passing) == [1, 0, 1])
        let second = scene.send(priority: "10")
        #expect(scene.counts(first) == [0, 0, 2] && scene.counts(second) == [1, 1, 0])
        #expect(try scene.set("off", online: true).delivered == [second])
    }

    @Test func `a device subscribes once for each app it has, and other requests are refused`() throws {
        let scene = try Broadcasting()
        let channels = scene.world.channels
        _ = try scene.world.devices.add(.phone("a", topic: "com.example.app.push-type.liveactivity"))
        _ = try scene.world.devices.add(.phone("b", topic: "com.example.other"))
        #expect(try channels.subscribe(.label("a"), topic: "com.example.app.push-type.liveactivity", to: scene.channel))
        #expect(try !channels.subscribe(.label("a"), topic: "com.example.app", to: scene.channel))
        #expect(channels.subscriptions(of: .label("a")).map(\.channel) == [scene.channel])
        func code(_ label: String, _ topic: String, _ channel: ChannelID) -> ChannelProblem? {
            do throws(ChannelError) {
                _ = try channels.subscribe(.label(label), topic: topic, to: channel)
                return nil
            } catch { return error.code }
        }
        #expect(code("b", "com.example.app", scene.channel) == .unknownApp)
        #expect(code("b", "com.example.other", scene.channel) == .unknownChannel)
        #expect(code("c", "com.example.app", scene.channel) == .unknownDevice)
        let strange = ChannelID(UniqueID(high: 1, low: 2))
        #expect(code("a", "com.example.app", strange) == .unknownChannel)

        let first = scene.send()
        #expect(channels.subscriptions(of: .label("a")).map(\.lastDelivered) == [first])
        #expect(try channels.unsubscribe(.label("a"), topic: "com.example.app", from: scene.channel))
        #expect(try !channels.unsubscribe(.label("a"), topic: "com.example.app", from: scene.channel))
        #expect(scene.counts(scene.send()) == [0, 0, 0])
    }

    @Test func `a device that unsubscribes no longer waits`() throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        let seq = scene.send()
        _ = try scene.world.channels.unsubscribe(.label("off"), topic: "com.example.app", from: scene.channel)
        #expect(scene.counts(seq) == [0, 0, 1])
        #expect(scene.fanOut(seq)?.receipts.map(\.event) == [.discardedInactive])
    }

    @Test func `a receipt follows what is stored`() throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        let seq = scene.send()
        #expect(scene.fanOut(seq)?.receipts.map(\.event) == [.storedDeviceOffline])
        _ = try scene.set("off", online: true)
        #expect(scene.fanOut(seq)?.receipts.map(\.event) == [.deliveredFromStorage])
    }

    @Test func `a new subscriber gets no earlier broadcast`() throws {
        let scene = try Broadcasting()
        scene.send()
        try scene.add("off", isOnline: false)
        #expect(try scene.set("off", online: true).delivered.isEmpty)
    }

    @Test func `an uninstalled app is not subscribed`() throws {
        let scene = try Broadcasting()
        try scene.add("a")
        try scene.add("b")
        let token = try #require(scene.world.devices.device(.label("a")).registrations.first).token
        _ = try scene.world.devices.change(token, .state(.uninstalled))
        try scene.world.devices.forget(.label("b"))
        #expect(scene.world.channels.channel(scene.channel)?.metrics.uniqueSubscribers == 0)
        #expect(scene.counts(scene.send()) == [0, 0, 0])
    }

    @Test func `a rotated token keeps its subscription`() throws {
        let scene = try Broadcasting()
        try scene.add("a")
        let token = try #require(scene.world.devices.device(.label("a")).registrations.first).token
        _ = try scene.world.devices.rotate(token)
        #expect(scene.counts(scene.send()) == [1, 0, 0])
    }

    @Test func `deleting a channel discards what it stores and ends its subscriptions`() throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        let seq = scene.send()
        #expect(scene.world.channels.remove(scene.channel))
        #expect(!scene.world.channels.remove(scene.channel))
        #expect(scene.counts(seq) == [0, 0, 1])
        #expect(try scene.set("off", online: true).delivered.isEmpty)
        #expect(scene.world.channels.subscriptions(of: .label("off")).isEmpty)
        // A broadcast that was judged before.
        let late = scene.send()
        #expect(scene.fanOut(late) == nil)
    }

    @Test func `a channel id is never given twice, also after a reset`() throws {
        let scene = try Broadcasting()
        var seen: Set<ChannelID> = [scene.channel]
        for round in 0..<5 {
            for _ in 0..<1_000 {
                #expect(seen.insert(try #require(scene.world.channels.add(Broadcasting.app, .none)).id).inserted)
            }
            if round % 2 == 0 {
                #expect(scene.world.reset([.channels]).cleared[.channels] ?? 0 > 0)
            } else {
                for id in scene.world.channels.ids(of: Broadcasting.app) { _ = scene.world.channels.remove(id) }
            }
        }
        // The same seed gives the same ids.
        #expect(try Broadcasting(seed: 7).channel == Broadcasting(seed: 7).channel)
        #expect(try Broadcasting(seed: 7).channel != Broadcasting(seed: 8).channel)
    }

    @Test(arguments: [ResetReport.Part.devices, .channels, .pushes])
    func `a reset of devices, channels or pushes removes what depends on them`(_ part: ResetReport.Part) throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        let seq = scene.send()
        let report = scene.world.reset([part])
        #expect(report.cleared[.channels] == (part == .channels ? 1 : 0))
        #expect((scene.world.channels.channel(scene.channel) == nil) == (part == .channels))
        let subscribers = scene.world.channels.channel(scene.channel)?.metrics.uniqueSubscribers
        switch part {
        case .devices: #expect(subscribers == 0 && scene.counts(seq) == [0, 0, 1])
        case .channels: #expect(scene.counts(seq) == [0, 0, 1])
        default:
            // What is stored outlives the journal.
            #expect(subscribers == 1 && scene.world.journal.push(seq: seq) == nil)
            #expect(try scene.set("off", online: true).delivered == [seq])
        }
    }

    @Test func `a client connected as the device gets stored and new broadcasts`() async throws {
        let scene = try Broadcasting()
        try scene.add("off", isOnline: false)
        let stored = scene.send()
        let link = try scene.world.devices.connect(.label("off")).link
        let direct = scene.send()
        #expect(await link.next(1).map(\.push?.seq) == [stored])
        #expect(await link.next(1).map(\.push?.seq) == [direct])
    }

    // MARK: Push-to-start

    private static func start(_ channel: String) -> (inout JudgingWorld.Push) -> Void {
        {
            $0.type = .liveactivity
            $0.topic = "com.example.app.push-type.liveactivity"
            $0.body =
                #"{"aps":{"timestamp":0,"event":"start","content-state":{},"attributes-type":"A","attributes":{},"#
                + #""alert":{"title":"a","body":"b"},"input-push-channel":"\#(channel)"}}"#
        }
    }

    @Test(arguments: [true, false]) func `a push starts an activity on a channel`(_ isOnline: Bool) throws {
        let scene = try Broadcasting()
        let token = DeviceToken.numbered(1)
        let topic = "com.example.app.push-type.liveactivity"
        _ = try scene.world.devices.add(.phone("a", token: token, topic: topic, isOnline: isOnline))
        let seq = scene.judging.pushed(token, Self.start(scene.channel.text))
        if !isOnline {
            #expect(scene.world.channels.subscriptions(of: .label("a")).isEmpty)
            _ = try scene.set("a", online: true)
        }
        #expect(
            scene.judging.steps(seq) == (isOnline ? [.delivered] : [.storedDeviceOffline, .deliveredFromStorage]) + [
                .subscribed, .activityStarted,
            ])
        #expect(scene.counts(scene.send()) == [1, 0, 0])
    }

    @Test func `a second activity on a channel is no second subscription`() throws {
        let scene = try Broadcasting()
        let topic = "com.example.app.push-type.liveactivity"
        _ = try scene.world.devices.add(.phone("a", token: .numbered(1), topic: topic))
        for _ in 0..<2 { _ = scene.judging.pushed(.numbered(1), Self.start(scene.channel.text)) }
        #expect(scene.world.channels.channel(scene.channel)?.metrics.uniqueSubscribers == 1)
        #expect(scene.counts(scene.send()) == [1, 0, 0])
    }

    @Test(arguments: ["AAAAAAAAAAAAAAAAAAAAAA==", "nonsense", "", "!!"]) func `an unknown channel makes the start fail`(
        _ channel: String
    ) throws {
        let scene = try Broadcasting()
        let token = DeviceToken.numbered(1)
        _ = try scene.world.devices.add(.phone("a", token: token, topic: "com.example.app.push-type.liveactivity"))
        let seq = scene.judging.pushed(token, Self.start(channel))
        // The device does not look for a channel by what is no id of one.
        let isID = channel.count > 2
        #expect(scene.judging.steps(seq) == [.delivered, isID ? .droppedUnknownChannel : .activityIgnored])
        #expect(scene.world.channels.subscriptions(of: .label("a")).isEmpty)
    }

    @Test func `only a push that starts a Live Activity subscribes`() throws {
        let scene = try Broadcasting()
        let token = DeviceToken.numbered(1)
        _ = try scene.world.devices.add(.phone("a", token: token, topic: "com.example.app.push-type.liveactivity"))
        let seq = scene.judging.pushed(token) {
            Self.start(scene.channel.text)(&$0)
            $0.body = $0.body.replacing("start", with: "update")
        }
        #expect(scene.judging.steps(seq) == [.delivered, .activityIgnored])
        #expect(scene.world.channels.subscriptions(of: .label("a")).isEmpty)
    }

    // MARK: Many subscribers

    /// Many subscribers are served in slices; pushes, and everything else, go on meanwhile.
    @Test func `a broadcast to 20,000 subscribers is sent in slices, and reaches all`() throws {
        let scene = try Broadcasting()
        let count = 20_000
        let drafts = (0..<count).map { number in
            DeviceDraft.phone(token: .numbered(UInt64(number) + 1), isOnline: number % 2 == 0)
        }
        let ids = try scene.world.devices.put(drafts).devices.map(\.id)
        for id in ids { _ = try scene.world.channels.subscribe(.id(id), topic: "com.example.app", to: scene.channel) }
        let seq = scene.send()
        let second = scene.send()
        #expect(scene.judging.push(.numbered(1)) == "200 delivered")
        scene.world.channels.finishPending()
        #expect(scene.counts(seq) == [count / 2, 0, count / 2])
        #expect(scene.counts(second) == [count / 2, count / 2, 0])
        #expect(scene.fanOut(second)?.receipts.count == FanOut.listed)
        #expect(scene.world.channels.channel(scene.channel)?.metrics.delivered == UInt64(count))
    }

    /// A subscriber that leaves, or whose slot another one takes, while a broadcast is on its way.
    @Test func `subscribers that change during a broadcast get it at most once`() throws {
        let scene = try Broadcasting()
        let drafts = (0..<6_000).map { DeviceDraft.phone(token: .numbered(UInt64($0) + 1)) }
        let ids = try scene.world.devices.put(drafts).devices.map(\.id)
        let channels = scene.world.channels
        for id in ids { _ = try channels.subscribe(.id(id), topic: "com.example.app", to: scene.channel) }
        let seq = scene.send()
        for id in ids.suffix(100) {
            _ = try channels.unsubscribe(.id(id), topic: "com.example.app", from: scene.channel)
            _ = try channels.subscribe(.id(id), topic: "com.example.app", to: scene.channel)
        }
        scene.world.channels.finishPending()
        let counts = scene.counts(seq)
        #expect(counts.reduce(0, +) == 6_000 && counts[0] >= 5_900)
        let next = scene.send()
        scene.world.channels.finishPending()
        #expect(scene.counts(next) == [6_000, 0, 0])
    }
}

extension DeliveryEvent {
    /// The steps that the simple models do not have: those of channels, of Live Activities, and of `FuzzyUninstallTests`.
    static let ofOthers: Set<DeliveryEvent> = [
        .published, .subscribed, .droppedUnknownChannel, .activityStarted, .activityUpdated, .activityEnded,
        .activityIgnored, .discardedUninstalled,
    ]
}
