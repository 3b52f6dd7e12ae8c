import MockAPNsFormats
import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Changes, of each kind one, in which most is not what it is by default.
enum SampleChange {
    private static let app = ChannelApp(bundleID: "com.example.app", environment: .production)
    private static let channel = ChannelID(UniqueID(high: 1, low: 2))
    private static let time = WorldClock.Reading(system: Draft.now, world: Timestamp(seconds: 1_800_000_000))
    private static let registration = DeviceDraft.Registration(
        token: .numbered(1), topic: "com.example.app", environment: .production, appState: .forceQuit,
        allowsNotifications: false)
    private static let device = DeviceDraft(
        label: "phone", isOnline: false, savesPower: true, os: DeviceOS("17.4"), registrations: [registration],
        subscriptions: [channel], pushMagic: "magic")

    private static let activity = ActivityDraft(
        topic: "com.example.app", environment: .production, attributesType: "OrderAttributes",
        attributes: Array(#"{"order":1}"#.utf8), contentState: Array(#"{"step":1}"#.utf8), staleAt: Draft.now,
        channel: channel)

    /// In the order of their kinds.
    static func all() throws -> [any WorldChange] { try ofDevices() + ofFaults() + ofTheRest() }

    private static func ofDevices() -> [any WorldChange] {
        [
            PutDevices(drafts: [device, DeviceDraft()], isUpdating: true, isList: false),
            ChangeDevice(
                reference: .label("phone"),
                change: .with { ($0.label, $0.savesPower, $0.pushMagic) = ("a", true, "magic") }),
            ForgetDevice(reference: .token(.numbered(1))),
            AddRegistration(reference: .id(DeviceID(index: 300, generation: 2)), draft: registration),
            ChangeRegistration(token: .numbered(1), change: .state(.uninstalled)),
            RotateToken(token: .numbered(1), replacement: .numbered(2)),
            SetOnline(device: DeviceID(index: 3, generation: 2), isOnline: true),
            SetManyOnline(
                devices: [DeviceID(index: 3, generation: 2), DeviceID(index: 300, generation: 0)], isOnline: false),
            StartActivity(reference: .label("phone"), draft: activity),
            DismissActivity(activity: ActivityID(number: 300)), RotateActivityToken(activity: ActivityID(number: 1)),
            ReadFeedback(places: [1, 300], tokens: [.numbered(1)]), ClearFeedback(),
            AddChannel(app: app, storage: .newest), RemoveChannel(id: channel),
            Subscribe(reference: .label("phone"), topic: "com.example.app", channel: channel),
            Unsubscribe(reference: .label("phone"), topic: "com.example.app", channel: channel),
            ContinuePending(limit: 1_000),
        ]
    }

    private static func ofFaults() throws -> [any WorldChange] {
        let id = FaultID(number: 3)
        var change = Faults.Change()
        (change.name, change.isEnabled) = ("name", false)
        (change.when, change.action) = (FaultTrigger(), .resetStream(.internalError))
        var counters = FaultCounters(seed: 1, stream: 2)
        var trigger = FaultTrigger()
        trigger.probability = 0.5
        for _ in 0..<3 { _ = counters.fires(by: trigger, at: Draft.now) }
        return [
            AddFault(draft: try fault()), ReplaceFault(id: id, draft: try fault()), ChangeFault(id: id, change: change),
            RemoveFaults(ids: [id, FaultID(number: 300)]), ReorderFaults(ids: [FaultID(number: 4), id]),
            SetFaultCounters(counters: [CountedFault(id: id, counters: counters)]),
        ]
    }

    private static func ofTheRest() throws -> [any WorldChange] {
        [
            PublishPushes(records: [], accepted: 1, deviceEpoch: 2, answeredAt: time),
            AdoptPushes(records: [], answers: [(time, [(.storedDeviceOffline, Draft.now)], .timestampStale)]),
            RemovePushes(seqs: [1, 300], epoch: 2), SetMark(text: "Hé"), SetNote(push: 3, epoch: 2, text: "note"),
            SetPin(push: 3, epoch: 2, isPinned: true),
            SetNamed<StringsTable>(
                name: AppKey(app: "a", key: try #require(LanguageTag("pt-BR"))), value: ["B": "2", "A": "1"]),
            SetNamed<NotificationCategory>(name: AppKey(app: "a", key: "ORDER"), value: [action]),
            SetNamed<AppDescription>(name: "a", value: AppDescription(name: "App", icon: [1, 2])),
            SetNamed<SavedPush>(name: "ä", value: "{}"),
            SetNamed<AppSchema>(
                name: AppKey(app: "a", key: try #require(AppSchemaName("content-state:A"))),
                value: try JSONSchema(Array(#"{ "type": "object" }"#.utf8))),
            SetSavedPushes(pushes: ["ä": "{}", "b": "{ }"]), PassTime(), MoveClock.advance(by: -1),
            UseToken(use: TokenUse(owner: "TEAM", keyID: "KEY", issuedAt: 1.5)),
            SetRules(options: options, keys: keys, fromStart: ["A"], kept: ["B"]),
            SetOptions(options: World.Options(rules: options, devices: deviceOptions)),
            SetStart(
                start: WorldState.Start(
                    world: .with(devices: [device], faults: [try fault()], schema: try JSONSchema(Array("true".utf8))),
                    ruleset: Ruleset(options: options, keys: keys), devices: deviceOptions)),
            ResetWorld(parts: [.pushes, .strings]),
        ]
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
        options.activityTokenRotation = 0.25
        options.uninstallDetection = .fuzzy
        (options.uninstallDelay, options.uninstallSeed) = (JudgingWorld.hour...JudgingWorld.day, 7)
        return options
    }

    private static var keys: [String: Ruleset.RegisteredKey] {
        let key = ProviderKey(keyID: "ABCDEFGHIJ", teamID: "TEAMTEAM01", topics: ["b", "a"])
        return ["ABCDEFGHIJ": Ruleset.RegisteredKey(key: key, verifier: RulesetTests.NeverValid(), pem: "pem")]
    }
}

extension World.StartUp {
    fileprivate static func with(devices: [DeviceDraft], faults: [FaultDraft], schema: JSONSchema) -> World.StartUp {
        var startUp = World.StartUp()
        (startUp.devices, startUp.clock, startUp.faults) = (devices, Draft.now, faults)
        startUp.schemas = [AppKey(app: "a", key: .payload): schema]
        return startUp
    }
}
