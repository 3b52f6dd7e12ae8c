import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Back to how things were at the start.
@Suite struct WorldResetTests {
    private static let token = DeviceToken.numbered(1)
    private static let hour = JudgingWorld.hour

    /// A world with two devices of the start that has seen a lot.
    private func used() throws -> JudgingWorld {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token, isOnline: false), .phone("bob")])
        _ = try judging.devices.add(.phone("carol", token: .numbered(3)))
        judging.push(.numbered(4))
        _ = judging.world.advanceClock(by: Self.hour)
        judging.push(Self.token)
        _ = try judging.devices.rotate(Self.token, to: .numbered(5))
        judging.push(Self.token)
        judging.push(.numbered(5))
        _ = try judging.devices.change(.label("bob"), .with { $0.label = "bert" })
        return judging
    }

    @Test func `everything is as it was at the start`() throws {
        let fresh = try JudgingWorld(devices: [.phone("alice", token: Self.token, isOnline: false), .phone("bob")])
        func apps(_ judging: JudgingWorld) -> [String] {
            judging.devices.devices(DeviceQuery()).devices.flatMap { device in
                ["\(device.label ?? "") \(device.isOnline) \(device.origin) \(device.offlineSince as Any)"]
                    + device.registrations.map { app in
                        "\(app.token) \(app.topic) \(app.environment) \(app.appState) \(app.state) \(app.counters)"
                            + " \(app.allowsNotifications) \(app.deadSince as Any) \(app.lastPush as Any)"
                            + " \(app.stored as Any) \(app.storedUntil as Any) \(app.held as Any)"
                    }
            }
        }
        let judging = try used()
        let last = judging.world.journal.extent.lastSeq
        let report = judging.world.reset()
        #expect(report.epoch == 2 && report.seq == last)
        #expect(report.cleared[.pushes] == 4 && report.cleared[.devices] == 4 && report.cleared[.feedback] == 1)
        #expect(apps(judging) == apps(fresh))
        #expect(judging.now == JudgingWorld.start && judging.devices.feedback().isEmpty)
        let extent = judging.world.journal.extent
        // One was waiting: that it was discarded is nothing that anybody could still see.
        #expect(extent.epoch == 2 && extent.firstSeq == last + 1 && extent.lastSeq == last)
        #expect(judging.world.journal.counters == JournalCounters())

        // And it works.
        #expect(judging.push(Self.token) == "200 stored-device-offline")
        #expect(judging.push(.numbered(3)) == "200 delivered")
        #expect(judging.world.reset().epoch == 3)
    }

    @Test(arguments: ResetReport.Part.allCases) func `a reset of one part leaves the others`(
        part: ResetReport.Part
    ) throws {
        let judging = try used()
        let devices = judging.everything
        let report = judging.world.reset([part])
        #expect(report.epoch == (part == .pushes ? 2 : 1))
        #expect(judging.world.journal.pushes(PushQuery()).matched == (part == .pushes ? 0 : 4))
        #expect(report.cleared[.pushes] == (part == .pushes ? 4 : 0))
        // Of pushes that are gone devices know the numbers no longer.
        #expect((judging.everything == devices) == (part != .devices && part != .pushes))
        #expect(report.cleared[.devices] == (part == .devices ? 4 : 0))
        // Tokens that are gone cannot be on the list.
        let isListed = part != .feedback && part != .devices
        #expect(judging.devices.feedback().count == (isListed ? 1 : 0))
        #expect((judging.now == JudgingWorld.start) == (part == .clock))
    }

    @Test func `a reset without parts changes nothing`() throws {
        let judging = try used()
        let devices = judging.everything
        let report = judging.world.reset([])
        #expect(
            report.epoch == 1 && report.cleared[.pushes] == 0 && report.cleared[.devices] == 0
                && report.cleared[.feedback] == 0)
        #expect(judging.everything == devices && judging.world.journal.pushes(PushQuery()).matched == 4)
    }

    /// Judged before, published after: answered, but not seen.
    @Test func `a push that was judged before leaves no trace`() throws {
        let judging = try used()
        judging.judge([.init(.numbered(3)), .init(.numbered(9))])
        _ = judging.world.reset()
        judging.publish()
        #expect(judging.world.journal.pushes(PushQuery()).matched == 0)
        #expect(judging.devices.registration(.numbered(9)) == nil)
        #expect(judging.push(.numbered(9)) == "200 delivered")
    }

    /// With the devices alone put away, its record stays, and it reaches nobody.
    @Test func `a push judged by devices that are gone reaches nobody`() throws {
        let judging = try used()
        judging.judge([.init(Self.token), .init(.numbered(3)), .init(.numbered(9))])
        _ = judging.world.reset([.devices])
        judging.publish()
        #expect(judging.world.journal.pushes(PushQuery()).matched == 7)
        #expect(judging.devices.devices(DeviceQuery()).devices.map(\.label) == ["alice", "bob"])
        #expect(
            judging.devices.devices(DeviceQuery()).devices.flatMap(\.registrations).allSatisfy {
                $0.counters == Registration.Counters() && $0.lastPush == nil
            })
    }

    /// What waits belongs to the device, not to the journal.
    @Test func `what waits outlives a reset of the journal`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token, isOnline: false)])
        let seq = judging.pushed(Self.token)
        _ = judging.world.reset([.pushes])
        #expect(try judging.devices.stored(.label("alice")).map(\.seq) == [seq])
        let other = judging.pushed(Self.token)
        #expect(other > seq)
        #expect(try judging.devices.change(.label("alice"), .online).deliveries.delivered == [other])
    }

    @Test func `nothing waits for devices that are gone`() throws {
        let judging = try JudgingWorld()
        _ = try judging.devices.add(.phone("alice", token: Self.token, isOnline: false))
        judging.push(Self.token)
        #expect(judging.world.nextDue != nil)
        _ = judging.world.reset([.devices])
        #expect(judging.world.nextDue == nil)
        let report = judging.world.advanceClock(by: 100 * JudgingWorld.day)
        #expect(report.expired.isEmpty && report.inactive.isEmpty)
    }

    /// Whoever reads the journal afterwards must not think that it is still to come.
    @Test func `a notification that waited for a device that is gone does not wait any more`() throws {
        let judging = try JudgingWorld()
        _ = try judging.devices.add(.phone("alice", token: Self.token, isOnline: false))
        let seq = judging.pushed(Self.token)
        _ = judging.world.reset([.devices])
        #expect(judging.world.journal.push(seq: seq)?.delivery?.state == .discardedTokenUnregistered)
    }

    /// A provider that goes on pushing to a token of before must not reach somebody else.
    @Test func `device tokens made after a reset are new`() throws {
        let judging = try JudgingWorld()
        func made() throws -> Set<DeviceToken> {
            Set(try judging.devices.put((0..<20).map { _ in .phone() }).devices.flatMap(\.registrations).map(\.token))
        }
        let before = try made()
        _ = judging.world.reset()
        #expect(try made().isDisjoint(with: before))
    }

    /// Devices stand where others stood before; what those got is not theirs.
    @Test func `new devices have nothing of what came before`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token)])
        let seq = judging.pushed(Self.token)
        #expect(try judging.devices.arrived(.label("alice")).map(\.seq) == [seq])
        _ = try judging.devices.change(.label("alice"), .with { $0.label = "carol" })
        _ = judging.world.reset([.devices])
        #expect(try judging.devices.arrived(.label("alice")).isEmpty)
        #expect(judging.world.journal.push(seq: seq)?.delivery?.deviceLabel != "alice")
    }

    @Test func `impossible devices at startup are refused`() {
        #expect(code { _ = try JudgingWorld(devices: [.phone("a"), .phone("a")]) } == "labelTaken /1/label")
        #expect(code { _ = try JudgingWorld(devices: [.phone(topic: "")]) } == "badValue /0/registrations/0/topic")
    }
}
