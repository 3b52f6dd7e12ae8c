import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The clock of a world, moved by hand: what is due happens before the call returns.
@Suite struct WorldTimeTests {
    private static let second: Int64 = 1_000_000
    private static let hour = 3_600 * second
    private static let token = DeviceToken(hex: Draft.token)!

    /// A world whose clock stands, with one device that is offline from then on.
    private func world(isRunning: Bool = false) throws -> World {
        var startUp = World.StartUp()
        if !isRunning { startUp.clock = Draft.now }
        let app = DeviceDraft.Registration(token: Self.token, topic: "com.example.app")
        startUp.devices = [DeviceDraft(label: "phone", isOnline: false, registrations: [app])]
        return try World(ruleset: Ruleset(), startUp: startUp)
    }

    /// A push that may wait for so many seconds.
    private func push(for seconds: Int64) -> Draft {
        var draft = Draft.push()
        let end = Draft.now.microseconds / Self.second + seconds
        draft.fields.append(Draft.Field("apns-expiration", "\(end)"))
        return draft
    }

    private func time(_ offset: Int64) -> Timestamp { Timestamp(microseconds: Draft.now.microseconds + offset) }

    @Test func `nothing is due where nothing waits`() throws {
        let world = try World(ruleset: Ruleset())
        #expect(world.nextDue == nil)
        world.journal.record(.push())
        #expect(world.nextDue == nil)
        #expect(world.clock.mode == .running(offset: 0))
    }

    @Test func `the next moment is known`() throws {
        let world = try world()
        let options = world.options.devices
        #expect(world.nextDue == time(options.inactiveAfter))
        world.journal.record(push(for: 60))
        #expect(world.nextDue == time(60 * Self.second))
        // A newer notification takes the place of the older one, and its time.
        world.journal.record(push(for: 90))
        #expect(world.nextDue == time(90 * Self.second))
        var change = DeviceChange()
        change.isOnline = true
        _ = try world.devices.change(.label("phone"), change)
        #expect(world.nextDue == nil)
    }

    /// Up to the microsecond, in any way to move the clock.
    @Test(arguments: [-1, 0, 1, 1_000_000], [0, 1, 2]) func `what is due happens when the clock is moved`(
        later: Int64, way: Int
    ) throws {
        let world = try world()
        world.journal.record(push(for: 60))
        let moment = time(60 * Self.second + later)
        let report: DeliveryReport
        switch way {
        case 0: report = world.advanceClock(by: 60 * Self.second + later)
        case 1: report = world.stopClock(at: moment)
        default:
            // In two moves, of which the second may have nothing left to do.
            let first = world.advanceClock(by: 30 * Self.second)
            #expect(first.expired.isEmpty)
            report = world.advanceClock(by: 30 * Self.second + later)
        }
        #expect(world.clock.mode == .stopped(at: moment))
        #expect(report.expired == (later < 0 ? [] : [1]))
        #expect(report.delivered.isEmpty && report.discarded.isEmpty && report.inactive.isEmpty)
        let steps = try #require(world.journal.push(seq: 1)?.delivery?.steps)
        #expect(steps.map(\.event) == [.storedDeviceOffline] + (later < 0 ? [] : [.discardedExpired]))
        // It happened when it was due, however late somebody looked.
        #expect(steps.last?.at == (later < 0 ? Draft.now : time(60 * Self.second)))
        #expect(try world.devices.stored(.label("phone")).count == (later < 0 ? 1 : 0))
    }

    @Test func `what is due happens in its order`() throws {
        let world = try world()
        let other = try #require(DeviceToken(hex: "abcd"))
        let app = DeviceDraft.Registration(token: other, topic: "com.example.app")
        _ = try world.devices.add(DeviceDraft(label: "other", isOnline: false, registrations: [app]))
        var second = push(for: 30)
        second.fields[1] = Draft.Field(":path", "/3/device/abcd")
        world.journal.record(push(for: 60), second)
        let report = world.advanceClock(by: world.options.devices.inactiveAfter + Self.hour)
        #expect(report.expired == [4, 1])
        #expect(Set(report.inactive) == [Self.token, other])
        let steps = world.journal.pushes(.with { _ in }).pushes.compactMap { $0.delivery?.steps.last }
        #expect(steps.map(\.seq) == [8, 7])
        #expect(steps.map(\.at) == [time(60 * Self.second), time(30 * Self.second)])
        let registration = try #require(world.devices.registration(Self.token)).registration
        #expect(registration.state == .inactive)
        #expect(registration.deadSince == time(world.options.devices.inactiveAfter))
        #expect(world.nextDue == nil)
        #expect(world.ruleset.find(Self.token)?.standing == .unregistered)
    }

    @Test func `a report has what happened since the clock was moved`() throws {
        let world = try world()
        world.journal.record(push(for: 60))
        #expect(world.advanceClock(by: 100 * Self.second).expired == [1])
        #expect(world.advanceClock(by: 100 * Self.second).expired.isEmpty)
    }

    /// Without a look at the clock nothing happens; `settle` is the look.
    @Test func `settling runs what is due`() throws {
        let world = try world()
        world.journal.record(push(for: 60))
        let version = world.rulesetVersion
        world.settle()
        world.settle(at: time(60 * Self.second - 1))
        #expect(world.nextDue == time(60 * Self.second))
        #expect(world.rulesetVersion == version)
    }

    /// Time that has gone by without a move of the hand counts as well.
    @Test func `a running clock runs what is due`() throws {
        let world = try world(isRunning: true)
        let now = world.clock.read().world
        let end = now.microseconds / Self.second + 7_200
        var push = Draft.push()
        push.fields.append(Draft.Field("apns-expiration", "\(end)"))
        world.journal.record(push, at: now)
        let due = try #require(world.nextDue)
        #expect(due == Timestamp(seconds: end))
        let ahead = due.microseconds - world.clock.read().system.microseconds
        // The system's clock goes on meanwhile, but not for an hour.
        #expect(world.runClock(offset: ahead - Self.hour).expired.isEmpty)
        #expect(world.clock.mode == .running(offset: ahead - Self.hour))
        #expect(world.runClock(offset: ahead).expired == [1])
        #expect(world.clock.mode == .running(offset: ahead))
        #expect(world.advanceClock(by: Self.hour).inactive.isEmpty)
        #expect(world.clock.mode == .running(offset: ahead + Self.hour))
        let rest = world.options.devices.inactiveAfter
        #expect(world.advanceClock(by: rest).inactive == [Self.token])
        #expect(world.runClock().inactive.isEmpty)
        #expect(world.clock.mode == .running(offset: 0))
    }

    /// What has happened stays when the clock is put back, and what has not waits longer.
    @Test func `a clock that is put back undoes nothing`() throws {
        let world = try world()
        world.journal.record(push(for: 60))
        #expect(world.stopClock(at: time(-Self.hour)).expired.isEmpty)
        #expect(world.nextDue == time(60 * Self.second))
        #expect(world.advanceClock(by: Self.hour).expired.isEmpty)
        #expect(world.advanceClock(by: 60 * Self.second).expired == [1])
        #expect(world.stopClock(at: Draft.now).expired.isEmpty)
        #expect(try world.devices.stored(.label("phone")).isEmpty)
    }

    /// A rate counts on the world's clock: put back, it must not refuse until time has caught up.
    @Test func `a clock that is put back forgets rates`() throws {
        let world = try world()
        let rate = RuleOptions.Rate(count: 1, interval: Self.hour)
        func admits() -> Bool { world.admits(Self.token, rate: rate, at: world.clock.read().world) }
        #expect(admits() && !admits())
        _ = world.advanceClock(by: Self.hour - 1)
        #expect(!admits())
        _ = world.advanceClock(by: 1)
        #expect(admits() && !admits())
        _ = world.stopClock(at: Draft.now)
        #expect(admits() && !admits())
        _ = world.stopClock(at: Draft.now)
        #expect(!admits())
    }

    @Test func `a world can begin with a clock that stands`() throws {
        let standing = try world()
        #expect(standing.clock.mode == .stopped(at: Draft.now))
        #expect(try standing.devices.device(.label("phone")).offlineSince == Draft.now)
        _ = standing.runClock()
        _ = standing.reset([.clock])
        #expect(standing.clock.mode == .stopped(at: Draft.now))
        let running = try world(isRunning: true)
        _ = running.stopClock(at: Draft.now)
        _ = running.reset([.pushes])
        #expect(running.clock.mode == .stopped(at: Draft.now))
        _ = running.reset([.clock])
        #expect(running.clock.mode == .running(offset: 0))
    }

    @Test func `a world with impossible devices does not begin`() {
        var startUp = World.StartUp()
        startUp.devices = [DeviceDraft(label: "phone"), DeviceDraft(label: "phone")]
        let error = #expect(throws: DeviceError.self) { try World(ruleset: Ruleset(), startUp: startUp) }
        #expect(error?.code == .labelTaken)
        #expect(error?.pointer == "/1/label")
    }
}
