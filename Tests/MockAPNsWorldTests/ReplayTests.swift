import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// The same changes at the same times make the same world.
///
/// Devices and pushes are replayed for every sequence of `DevicesModelTests`; here are channels, faults, marks, settings.
@Suite struct ReplayTests {
    private static let app = Broadcasting.app
    private static let length = 120

    @Test(arguments: UInt64(1)...24) func `random changes make the same world again`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let original = try Broadcasting(seed: seed)
        let copy = try Broadcasting(seed: seed)
        let changes = RecordedChanges(of: original.world)
        for number in 0..<Self.length { try Self.step(number, &random, original) }
        #expect(changes.count >= Self.length / 2)
        #expect(try changes.difference(between: original.world, and: copy.world) == nil)
    }

    static func step(_ number: Int, _ random: inout Generator, _ broadcasting: Broadcasting) throws {
        let world = broadcasting.world
        let label = "\(random.number(0...9))"
        let channel = random.pick(world.channels.ids(of: app) + [broadcasting.channel])
        switch random.number(0...16) {
        case 0: _ = world.channels.add(app, random.pick([.none, .newest]))
        case 1: _ = random.chance(oneIn: 4) ? world.channels.remove(channel) : false
        case 2...4:
            _ = try? world.devices.add(.phone(label, isOnline: random.chance(oneIn: 2)))
            _ = try? world.channels.subscribe(.label(label), topic: app.bundleID, to: channel)
        case 5: _ = try? world.channels.unsubscribe(.label(label), topic: app.bundleID, from: channel)
        case 6...8:
            let expiration = random.pick([nil, "0", "\(world.clock.read().world.microseconds / 1_000_000 + 3_600)"])
            broadcasting.send(expiration: expiration, to: channel)
        case 9...10: _ = try? world.devices.change(.label(label), .with { $0.isOnline = random.chance(oneIn: 2) })
        case 11: _ = world.advanceClock(by: random.pick([1, 40, 600]) * 60 * JudgingWorld.second)
        case 12: try addOrChangeFault(&random, world)
        case 13: for _ in 0..<random.number(1...5) { askFaults(of: world) }
        case 14:
            _ = world.mark("mark \(number)")
            _ = world.devices.takeFeedback(of: app.bundleID, in: .sandbox, limit: 1)
            _ = try? world.devices.forget(.label(label))
        case 15: try addOrRemoveForPreviews(&random, world)
        default:
            if random.chance(oneIn: 3) {
                _ = world.reset(Set(random.array(1...3, of: ResetReport.Part.allCases)))
            } else {
                let detection = random.pick(Devices.Options.UninstallDetection.allCases)
                _ = world.changeOptions {
                    $0.devices.inactiveAfter = Int64(random.number(1...9)) * JudgingWorld.day
                    $0.devices.uninstallDetection = detection
                }
            }
        }
        world.channels.finishPending()
    }

    private static func addOrRemoveForPreviews(_ random: inout Generator, _ world: World) throws {
        let app = random.pick(["a", "b"])
        let language = try #require(LanguageTag(random.pick(["de", "en-GB"])))
        let category = AppKey(app: app, key: random.pick(["ORDER", "NEWS"]))
        let schema = AppKey(app: app, key: AppSchemaName.payload)
        switch random.number(0...11) {
        case 10: _ = world.schemas.remove(schema)
        case 11: _ = try world.schemas.put(try JSONSchema(Array(random.pick(["{}", "true"]).utf8)), as: schema)
        case 9: try world.savedPushes.replaceAll(with: [app: "{}", "c": "{\"body\":\"\"}"])
        case 5: _ = world.apps.remove(app)
        case 6: _ = try world.apps.put(AppDescription(name: random.pick(["App", "Shop"])), as: app)
        case 7: _ = world.savedPushes.remove(app)
        case 8: _ = try world.savedPushes.put("{\"title\":\"\(random.number(0...9))\"}", as: app)
        case 0: _ = world.strings.remove(AppKey(app: app, key: language))
        case 1: _ = world.categories.remove(category)
        case 2:
            var action = NotificationAction(identifier: random.pick([nil, "id"]), title: "title")
            action.takesText = random.chance(oneIn: 2)
            _ = try world.categories.put(random.pick([[], [action]]), as: category)
        default:
            let texts: LocalizedTexts = ["KEY": "\(random.number(0...9))", "OTHER": "text"]
            _ = try world.strings.put(texts, as: AppKey(app: app, key: language))
        }
    }

    private static func addOrChangeFault(_ random: inout Generator, _ world: World) throws {
        let ids = world.faults.all.map(\.id)
        guard let id = ids.last, random.chance(oneIn: 2) else {
            var trigger = FaultTrigger()
            trigger.probability = 0.5
            trigger.skip = random.number(0...2)
            _ = try world.faults.add(try FaultDraft(when: trigger, action: .lose))
            return
        }
        switch random.number(0...3) {
        case 0: try world.faults.remove(id)
        case 1: _ = try world.faults.reorder(ids.reversed())
        case 2: _ = try world.faults.replace(id, with: try FaultDraft(action: .lose))
        default:
            var change = Faults.Change()
            change.name = "name"
            change.isEnabled = random.chance(oneIn: 2)
            _ = try world.faults.change(id, change)
        }
    }

    /// Asks the faults about a push, as event loops do without the lock.
    private static func askFaults(of world: World) {
        RequestView.withRequest(headers: [(":path", "/3/device/aa"), ("apns-topic", "t")], body: []) {
            _ = world.ruleset.faults?.firing(
                for: $0, PushOutline(), on: .from("h:1"), FaultOccasion(now: JudgingWorld.start))
        }
    }

    @Test func `a refused change is not logged, and reading changes nothing but what is due`() throws {
        let broadcasting = try Broadcasting()
        let world = broadcasting.world
        try broadcasting.add("a", isOnline: false)
        let changes = RecordedChanges(of: world)
        #expect(throws: DeviceError.self) { try world.devices.forget(.label("b")) }
        #expect(throws: FaultError.self) { try world.faults.remove(FaultID(number: 9)) }
        _ = world.devices.feedback()
        #expect(changes.count == 0)
        _ = try world.devices.device(.label("a"))
        #expect(changes.count == 0)
    }
}
