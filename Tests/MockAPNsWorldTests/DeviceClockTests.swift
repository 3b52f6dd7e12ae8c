import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// What devices do because time passes, and how the world's clock goes.
@Suite struct DeviceClockTests {
    private static let token = DeviceToken.numbered(1)
    private static let second = JudgingWorld.second
    private static let hour = JudgingWorld.hour
    private static let day = JudgingWorld.day

    private func alice(_ change: (inout Devices.Options) -> Void = { _ in }) throws -> JudgingWorld {
        var options = Devices.Options()
        change(&options)
        return try JudgingWorld(devices: [.phone("alice", token: Self.token, isOnline: false)], options: options)
    }

    private func state(_ judging: JudgingWorld) -> RegistrationState? {
        judging.devices.registration(Self.token)?.registration.state
    }

    // MARK: Expiry

    @Test func `what waits expires when its time has come`() throws {
        let judging = try alice()
        let end = JudgingWorld.start.microseconds / Self.second + 3_600
        let seq = judging.pushed(Self.token) { $0.expiration = "\(end)" }
        #expect(judging.devices.registration(Self.token)?.registration.storedUntil == judging.time(Self.hour))
        #expect(judging.world.nextDue == judging.time(Self.hour))
        #expect(judging.world.advanceClock(by: Self.hour - 1).expired.isEmpty)
        let report = judging.world.advanceClock(by: 1)
        #expect(report.expired == [seq] && report.delivered.isEmpty && report.discarded.isEmpty)
        #expect(judging.steps(seq) == [.storedDeviceOffline, .discardedExpired])
        #expect(try judging.devices.change(.label("alice"), .online).deliveries.delivered.isEmpty)
    }

    @Test func `each thing happens at the time it was due, however far the clock is moved`() throws {
        let judging = try alice()
        let end = JudgingWorld.start.microseconds / Self.second + 3_600
        let seq = judging.pushed(Self.token) { $0.expiration = "\(end)" }
        let report = judging.world.advanceClock(by: 100 * Self.day)
        #expect(report.expired == [seq] && report.inactive == [Self.token])
        #expect(judging.world.journal.push(seq: seq)?.delivery?.steps.last?.at == judging.time(Self.hour))
        let registration = judging.devices.registration(Self.token)?.registration
        #expect(registration?.deadSince == judging.time(30 * Self.day))
        #expect(judging.devices.feedback().map(\.unregisteredAt) == [judging.time(30 * Self.day)])
        #expect(judging.now == judging.time(100 * Self.day) && judging.world.nextDue == nil)
    }

    @Test func `what expires at the moment its device is given up has expired`() throws {
        let judging = try alice()
        let end = JudgingWorld.start.microseconds / Self.second + 30 * 86_400
        let seq = judging.pushed(Self.token) { $0.expiration = "\(end)" }
        let report = judging.world.advanceClock(by: 30 * Self.day)
        #expect(report.expired == [seq] && report.discarded.isEmpty && report.inactive == [Self.token])
        #expect(judging.steps(seq) == [.storedDeviceOffline, .discardedExpired])
    }

    @Test func `an app that is installed again on a device that was given up works once the device is back`() throws {
        let judging = try alice()
        var change = RegistrationChange()
        change.state = .uninstalled
        _ = try judging.devices.change(Self.token, change)
        _ = judging.world.advanceClock(by: 31 * Self.day)
        change.state = .registered
        let changed = try judging.devices.change(Self.token, change)
        #expect(changed.registration.state == .inactive)
        #expect(judging.push(Self.token) == "410 Unregistered")
        #expect(judging.devices.feedback().map(\.cause) == [.inactive])
        _ = try judging.devices.change(.label("alice"), .online)
        #expect(state(judging) == .registered)
        #expect(judging.push(Self.token) == "200 delivered")
        #expect(judging.devices.feedback().isEmpty)
    }

    @Test func `what many devices wait for comes in the order of time`() throws {
        let judging = try JudgingWorld(devices: (1...20).map { .phone(token: .numbered(UInt64($0)), isOnline: false) })
        let start = JudgingWorld.start.microseconds / Self.second
        let hours: [Int64] = [7, 3, 15, 1, 20, 9, 2, 18, 11, 5, 14, 6, 19, 4, 10, 16, 8, 13, 12, 17]
        var seqs: [Int64: UInt64] = [:]
        for (number, hour) in zip(UInt64(1)..., hours) {
            seqs[hour] = judging.pushed(.numbered(number)) { $0.expiration = "\(start + hour * 3_600)" }
        }
        // One comes online and one is replaced, so neither expires when it was due.
        _ = try judging.devices.change(.token(.numbered(3)), .online)
        seqs[25] = judging.pushed(.numbered(6)) { $0.expiration = "\(start + 25 * 3_600)" }
        let expected = (1...25).filter { $0 != 15 && $0 != 9 }.compactMap { seqs[$0] }
        #expect(judging.world.nextDue == judging.time(Self.hour))
        #expect(judging.world.advanceClock(by: 30 * Self.hour).expired == expected)
    }

    @Test func `a stored push outlives its record in the journal`() throws {
        let judging = try JudgingWorld(
            devices: [.phone("alice", token: Self.token, isOnline: false)], capacity: Journal.Capacity(records: 2))
        let seq = judging.pushed(Self.token) { $0.body = #"{"aps":{"alert":"kept"}}"# }
        for number in UInt64(2)...9 { judging.push(.numbered(number)) }
        #expect(judging.world.journal.push(seq: seq) == nil)
        let stored = try judging.devices.stored(.label("alice"))
        #expect(stored.map(\.seq) == [seq])
        #expect(stored.first.map { String(decoding: $0.request.body, as: UTF8.self) }?.contains("kept") == true)
        #expect(stored.first?.delivery?.steps.map(\.event) == [.storedDeviceOffline])
        #expect(try judging.devices.change(.label("alice"), .online).deliveries.delivered == [seq])
        #expect(judging.devices.registration(Self.token)?.registration.counters.delivered == 1)
    }

    // MARK: Inactivity

    @Test func `a device that is offline for 30 days is given up`() throws {
        let judging = try alice()
        _ = judging.world.advanceClock(by: Self.day)
        let seq = judging.pushed(Self.token)
        #expect(judging.world.nextDue == judging.time(30 * Self.day))
        #expect(judging.world.advanceClock(by: 29 * Self.day - 1).inactive.isEmpty)
        #expect(state(judging) == .registered && judging.devices.feedback().isEmpty)

        let report = judging.world.advanceClock(by: 1)
        #expect(report.inactive == [Self.token])
        #expect(report.discarded + report.expired == [seq])
        #expect(judging.steps(seq) == [.storedDeviceOffline, .discardedInactive])
        #expect(state(judging) == .inactive)
        let record = try #require(judging.push([.init(Self.token)]).first)
        #expect(record.verdict.reason == .unregistered)
        let death = judging.time(30 * Self.day).milliseconds
        #expect(record.answer.body.contains(#""timestamp":\#(death)"#))
        #expect(judging.devices.feedback().map(\.cause) == [.inactive])

        // Back again, it is valid and off the list, and gets nothing of what was.
        let back = try judging.devices.change(.label("alice"), .online)
        #expect(back.deliveries.delivered.isEmpty && back.device.registrations[0].state == .registered)
        #expect(back.device.registrations[0].deadSince == nil && judging.devices.feedback().isEmpty)
        #expect(judging.push(Self.token) == "200 delivered")
    }

    @Test func `the days count anew each time it goes offline`() throws {
        let judging = try alice()
        _ = judging.world.advanceClock(by: 29 * Self.day)
        _ = try judging.devices.change(.label("alice"), .online)
        #expect(judging.world.nextDue == nil)
        _ = try judging.devices.change(.label("alice"), .offline)
        // Being told twice changes nothing.
        _ = judging.world.advanceClock(by: Self.day)
        _ = try judging.devices.change(.label("alice"), .offline)
        #expect(try judging.devices.device(.label("alice")).offlineSince == judging.time(29 * Self.day))
        #expect(judging.world.advanceClock(by: 28 * Self.day).inactive.isEmpty)
        #expect(judging.world.advanceClock(by: Self.day).inactive == [Self.token])
    }

    @Test func `an online device is never given up`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token)])
        #expect(judging.world.advanceClock(by: 1_000 * Self.day).inactive.isEmpty)
        #expect(judging.push(Self.token) == "200 delivered")
    }

    @Test func `the time until a device is given up is an option`() throws {
        let judging = try alice { $0.inactiveAfter = Self.hour }
        #expect(judging.world.advanceClock(by: Self.hour - 1).inactive.isEmpty)
        #expect(judging.world.advanceClock(by: 1).inactive == [Self.token])
        let forever = try alice { $0.inactiveAfter = .max }
        #expect(forever.world.advanceClock(by: 10_000 * Self.day).inactive.isEmpty)
    }

    @Test func `every app of the device is given up except those that are dead`() throws {
        let judging = try alice()
        for topic in ["b", "c", "d"] { _ = try judging.devices.register(.init(topic: topic), on: .label("alice")) }
        let tokens = try judging.devices.device(.label("alice")).registrations.map(\.token)
        _ = try judging.devices.change(tokens[1], .state(.uninstalled))
        _ = try judging.devices.change(tokens[2], .state(.expired))
        #expect(judging.world.advanceClock(by: 31 * Self.day).inactive == [tokens[0], tokens[3]])
        let states = { try judging.devices.device(.label("alice")).registrations.map(\.state) }
        #expect(try states() == [.inactive, .uninstalled, .expired, .inactive])
        _ = try judging.devices.change(.label("alice"), .online)
        #expect(try states() == [.registered, .uninstalled, .expired, .registered])
    }

    /// The service does not know that the app is gone, so it gives the token up like any other.
    @Test func `an unnoticed uninstall is given up with its device`() throws {
        let judging = try alice { $0.uninstallDetection = .delayed }
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        _ = judging.world.advanceClock(by: 31 * Self.day)
        #expect(judging.push(Self.token) == "410 Unregistered")
        #expect(judging.devices.feedback().count == 1)
    }

    // MARK: Modes

    @Test func `a stopped clock shows the time it was set to`() throws {
        let judging = try alice()
        let clock = judging.world.clock
        #expect(clock.mode == .stopped(at: JudgingWorld.start))
        _ = judging.world.advanceClock(by: 5)
        #expect(clock.mode == .stopped(at: judging.time(5)) && clock.read().world == judging.time(5))
        _ = judging.world.stopClock(at: Timestamp(microseconds: -1))
        #expect(clock.read().world == Timestamp(microseconds: -1))
        _ = judging.world.stopClock(at: JudgingWorld.start)
        #expect(judging.now == JudgingWorld.start)
    }

    @Test func `a clock that runs is ahead of the system's by its offset`() throws {
        let judging = try alice()
        let clock = judging.world.clock
        _ = judging.world.runClock()
        let plain = clock.read()
        #expect(clock.mode == .running(offset: 0) && plain.world == plain.system)
        _ = judging.world.advanceClock(by: Self.hour)
        let ahead = clock.read()
        #expect(clock.mode == .running(offset: Self.hour))
        #expect(ahead.world.microseconds(since: ahead.system) == Self.hour)
        _ = judging.world.runClock(offset: -Self.day)
        let behind = clock.read()
        #expect(behind.world.microseconds(since: behind.system) == -Self.day)
    }

    @Test func `putting the clock forward runs what is due in every mode`() throws {
        for move in 0..<3 {
            let judging = try alice()
            let seq = judging.pushed(Self.token) {
                $0.expiration = "\(JudgingWorld.start.microseconds / Self.second + 60)"
            }
            let report =
                switch move {
                case 0: judging.world.advanceClock(by: Self.hour)
                case 1: judging.world.stopClock(at: judging.time(Self.hour))
                default: judging.world.runClock(offset: 0)
                }
            #expect(report.expired == [seq])
        }
    }

    @Test func `putting the clock back does not restore anything`() throws {
        let judging = try alice()
        let seq = judging.pushed(Self.token) { $0.expiration = "\(JudgingWorld.start.microseconds / Self.second + 60)" }
        _ = judging.world.advanceClock(by: Self.hour)
        let report = judging.world.stopClock(at: JudgingWorld.start)
        #expect(report.expired.isEmpty && report.delivered.isEmpty)
        #expect(judging.steps(seq) == [.storedDeviceOffline, .discardedExpired])
        let next = judging.pushed(Self.token) {
            $0.expiration = "\(JudgingWorld.start.microseconds / Self.second + 60)"
        }
        #expect(judging.devices.registration(Self.token)?.registration.stored == next)
    }

    /// What is due is done before anybody looks, though nobody moved the clock through the world.
    @Test func `reading the state first processes what is due`() throws {
        let judging = try alice()
        let seq = judging.pushed(Self.token) { $0.expiration = "\(JudgingWorld.start.microseconds / Self.second + 60)" }
        judging.world.clock.stop(at: judging.time(Self.hour))
        #expect(try judging.devices.stored(.label("alice")).isEmpty)
        #expect(judging.steps(seq) == [.storedDeviceOffline, .discardedExpired])
        judging.world.clock.stop(at: judging.time(31 * Self.day))
        judging.world.settle()
        #expect(judging.world.ruleset.find(Self.token)?.standing == .unregistered)
    }
}
