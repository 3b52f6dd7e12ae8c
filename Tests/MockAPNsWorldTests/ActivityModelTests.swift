import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// Random histories of the Live Activities of a device, compared with the naive model after each step.
@Suite struct ActivityModelTests {
    private static let steps = 60

    @Test(arguments: UInt64(1)...60) func `a random history goes as in the model, and its changes make the same again`(
        seed: UInt64
    ) throws {
        var random = Generator(seed: seed)
        let player = try ActivityStory.Player(os: "26.0")
        var model = NaiveActivities()
        for _ in 0..<Self.steps {
            let (done, got, expected) = try Self.step(&random, player, &model)
            guard got == expected, try player.play(.look) == model.look else {
                Issue.record("\(done): got \(got) \(try player.play(.look)), expected \(expected) \(model.look)")
                return
            }
        }
    }

    @Test(arguments: UInt64(1)...20) func `replaying the changes of a random history makes the same world`(
        seed: UInt64
    ) throws {
        var random = Generator(seed: seed)
        var options = Devices.Options()
        options.activityTokenRotation = 0.4
        let (player, copy) = (
            try ActivityStory.Player(os: "26.0", options: options),
            try ActivityStory.Player(os: "26.0", options: options)
        )
        let changes = RecordedChanges(of: player.judging.world)
        var model = NaiveActivities()
        var events: Set<String> = []
        for _ in 0..<Self.steps {
            _ = try Self.step(&random, player, &model)
            // The app's own, and through a channel.
            if random.chance(oneIn: 6) {
                _ = try player.play(.begin(random.chance(oneIn: 2) ? ["channel": true] : [:]))
            }
            if random.chance(oneIn: 6) {
                events.insert(try player.play(.broadcast(random.pick(["update", "end"]), [:], dates: [:])))
            }
            // The device is subscribed as long as an activity that runs needs it.
            let follows = player.activities.contains { $0.channel != nil && $0.state.isRunning }
            let subscriptions = player.judging.world.channels.subscriptions(of: .label("a")).count
            guard subscriptions == (follows ? 1 : 0) else {
                Issue.record("\(subscriptions) subscriptions, with these activities: \(try player.play(.look))")
                return
            }
        }
        #expect(try changes.difference(between: player.judging.world, and: copy.judging.world) == nil)
        #expect(player.activities.contains { $0.lastPush != nil })
        #expect(
            player.judging.world.archive().data
                == (try World(archive: player.judging.world.archive().data, .ofTests)).archive().data)
    }

    /// Does something to both.
    private static func step(
        _ random: inout Generator, _ player: ActivityStory.Player, _ model: inout NaiveActivities
    ) throws -> (done: String, got: String, expected: String) {
        switch random.number(1...100) {
        case ...20:
            return try push(random.pick(["start", "start", "start", "update"]), to: .app, &random, player, &model)
        case ...60:
            let event = random.pick(["update", "update", "update", "update", "end", "start"])
            return try push(event, to: .activity, &random, player, &model)
        case ...75:
            let seconds = Double(random.pick([1, 60, 300, 3_600, 3 * 3_600, 5 * 3_600]))
            _ = try player.play(.wait(seconds))
            model.pass(seconds)
            return ("wait \(seconds)", "", "")
        case ...90:
            let isOnline = random.chance(oneIn: 2)
            _ = try player.play(isOnline ? .online : .offline)
            model.setOnline(isOnline)
            return ("online \(isOnline)", "", "")
        case ...94:
            _ = try player.play(.dismiss)
            model.dismiss()
            return ("dismiss", "", "")
        default:
            _ = try player.play(.rotate)
            model.rotate()
            return ("rotate", "", "")
        }
    }

    private static func push(
        _ event: String, to target: ActivityStory.Target, _ random: inout Generator, _ player: ActivityStory.Player,
        _ model: inout NaiveActivities
    ) throws -> (done: String, got: String, expected: String) {
        let now = model.now
        let push = NaiveActivities.Push(
            event: event, content: random.chance(oneIn: 8) ? nil : Int64(random.number(1...99)),
            timestamp: now + Double(random.pick([0, 0, 0, -10, -100, -1_000, 50])), sentAt: now,
            staleAt: random.pick([nil, nil, now + 30, now + 4_000, now - 5]),
            dismissAt: random.pick([nil, nil, now + 100, now + 20_000, now - 5]))
        var dates = ["timestamp": push.timestamp]
        if event != "end", let date = push.staleAt { dates["stale-date"] = date }
        if event == "end", let date = push.dismissAt { dates["dismissal-date"] = date }
        let content = push.content.map { JSONValue.object(["n": .integer($0)]) } ?? .null
        let got = try player.play(.push(event, to: target, ["content-state": content], dates: dates))
        return ("\(event) \(push)", got, target.isApp ? model.start(push) : model.change(push))
    }
}

extension ActivityStory.Target { fileprivate var isApp: Bool { self == .app } }
