import MockAPNsRules
import Testing

@testable import MockAPNsWorld

extension WorldChangeKind {
    private static let app = ChannelApp(bundleID: "com.example.app", environment: .production)
    private static let channel = ChannelID(UniqueID(high: 1, low: 2))
    private static let time = WorldClock.Reading(system: Draft.now, world: Timestamp(seconds: 1_800_000_000))
    private static let registration = DeviceDraft.Registration(
        token: .numbered(1), topic: "com.example.app", environment: .production, appState: .forceQuit,
        allowsNotifications: false)
    private static let device = DeviceDraft(
        label: "phone", isOnline: false, savesPower: true, registrations: [registration], subscriptions: [channel])

    /// A change of this kind, in which most is not what it is by default.
    func sample() throws -> any WorldChange {
        switch self {
        case .putDevices: PutDevices(drafts: [Self.device, DeviceDraft()], isUpdating: true, isList: false)
        case .changeDevice:
            ChangeDevice(reference: .label("phone"), change: .with { ($0.label, $0.savesPower) = ("a", true) })
        case .forgetDevice: ForgetDevice(reference: .token(.numbered(1)))
        case .addRegistration:
            AddRegistration(reference: .id(DeviceID(index: 300, generation: 2)), draft: Self.registration)
        case .changeRegistration: ChangeRegistration(token: .numbered(1), change: .state(.uninstalled))
        case .rotateToken: RotateToken(token: .numbered(1), replacement: .numbered(2))
        case .setOnline: SetOnline(device: DeviceID(index: 3, generation: 2), isOnline: true)
        case .readFeedback: ReadFeedback(places: [1, 300], tokens: [.numbered(1)])
        case .clearFeedback: ClearFeedback()
        case .addChannel: AddChannel(app: Self.app, storage: .newest)
        case .removeChannel: RemoveChannel(id: Self.channel)
        case .subscribe: Subscribe(reference: .label("phone"), topic: "com.example.app", channel: Self.channel)
        case .unsubscribe: Unsubscribe(reference: .label("phone"), topic: "com.example.app", channel: Self.channel)
        case .continuePending: ContinuePending(limit: 1_000)
        case .addFault, .replaceFault, .changeFault, .removeFaults, .reorderFaults, .setFaultCounters:
            try sampleOfFaults()
        case .publishPushes: PublishPushes(records: [], accepted: 1, deviceEpoch: 2, answeredAt: Self.time)
        case .adoptPushes: AdoptPushes(records: [], answers: [(Self.time, [(.storedDeviceOffline, Draft.now)])])
        case .removePushes: RemovePushes(seqs: [1, 300], epoch: 2)
        case .setMark: SetMark(text: "Hé")
        case .setNote: SetNote(push: 3, epoch: 2, text: "note")
        case .setPin: SetPin(push: 3, epoch: 2, isPinned: true)
        case .setStrings:
            SetStrings(
                name: StringsTables.Name(app: "a", key: try #require(LanguageTag("pt-BR"))),
                texts: ["B": "2", "A": "1"])
        case .setApp: SetApp(app: "a", description: AppDescription(name: "App", icon: [1, 2]))
        case .setCategory:
            SetCategory(name: NotificationCategories.Name(app: "a", key: "ORDER"), actions: [Self.action])
        case .setSavedPush: SetSavedPush(name: "ä", push: "{}")
        case .setSavedPushes: SetSavedPushes(pushes: ["ä": "{}", "b": "{ }"])
        case .passTime: PassTime()
        case .moveClock: MoveClock.advance(by: -1)
        case .useToken: UseToken(use: TokenUse(owner: "TEAM", keyID: "KEY", issuedAt: 1.5))
        case .setRules: SetRules(options: Self.options, keys: Self.keys, fromStart: ["A"], kept: ["B"])
        case .setOptions: SetOptions(options: World.Options(rules: Self.options, devices: Self.deviceOptions))
        case .setStart:
            SetStart(
                start: WorldState.Start(
                    world: .with(devices: [Self.device], faults: [try Self.fault()]),
                    ruleset: Ruleset(options: Self.options, keys: Self.keys), devices: Self.deviceOptions))
        case .resetWorld: ResetWorld(parts: [.pushes, .strings])
        }
    }

    private func sampleOfFaults() throws -> any WorldChange {
        let id = FaultID(number: 3)
        switch self {
        case .addFault: return AddFault(draft: try Self.fault())
        case .replaceFault: return ReplaceFault(id: id, draft: try Self.fault())
        case .changeFault:
            var change = Faults.Change()
            (change.name, change.isEnabled) = ("name", false)
            (change.when, change.action) = (FaultTrigger(), .resetStream(.internalError))
            return ChangeFault(id: id, change: change)
        case .removeFaults: return RemoveFaults(ids: [id, FaultID(number: 300)])
        case .reorderFaults: return ReorderFaults(ids: [FaultID(number: 4), id])
        default:
            var counters = FaultCounters(seed: 1, stream: 2)
            var trigger = FaultTrigger()
            trigger.probability = 0.5
            for _ in 0..<3 { _ = counters.fires(by: trigger, at: Draft.now) }
            return SetFaultCounters(counters: [(id, counters)])
        }
    }

    static func fault() throws -> FaultDraft {
        var trigger = FaultTrigger()
        (trigger.skip, trigger.times, trigger.probability) = (1, 2, 0.5)
        return try FaultDraft(
            name: "fault", isEnabled: false, match: FaultDraft.Match(text: "topic:a") { _, _ in true }, when: trigger,
            action: .delay(FaultAction.Delay(5_000)))
    }

    static var action: NotificationAction {
        var action = NotificationAction(identifier: "OPEN", title: "Open")
        action.opensApp = true
        return action
    }

    private static var options: RuleOptions {
        var options = RuleOptions()
        options.refusesInvalidJSON.toggle()
        options.deviceRate = RuleOptions.Rate(count: 3, interval: 1_000_000)
        options.channelRate = RuleOptions.Rate(count: 1, interval: 1_000_000)
        options.tokenUpdateScope = .team
        return options
    }

    private static var deviceOptions: Devices.Options {
        var options = Devices.Options()
        options.inactiveAfter = JudgingWorld.day
        return options
    }

    private static var keys: [String: Ruleset.RegisteredKey] {
        let key = ProviderKey(keyID: "ABCDEFGHIJ", teamID: "TEAMTEAM01", topics: ["b", "a"])
        return ["ABCDEFGHIJ": Ruleset.RegisteredKey(key: key, verifier: RulesetTests.NeverValid(), pem: "pem")]
    }
}

extension World.StartUp {
    fileprivate static func with(devices: [DeviceDraft], faults: [FaultDraft]) -> World.StartUp {
        var startUp = World.StartUp()
        (startUp.devices, startUp.clock, startUp.faults) = (devices, Draft.now, faults)
        return startUp
    }
}
