import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// A token that stays valid for some time after its app was uninstalled, as APNs does it.
@Suite struct FuzzyUninstallTests {
    private static let token = DeviceToken.numbered(1)
    private static let hour = JudgingWorld.hour

    private func alice(
        isOnline: Bool = true, delay: ClosedRange<Int64> = hour...hour, seed: Int = 0
    ) throws -> JudgingWorld {
        var options = Devices.Options()
        options.uninstallDetection = .fuzzy
        (options.uninstallDelay, options.uninstallSeed) = (delay, seed)
        return try JudgingWorld(devices: [.phone("alice", token: Self.token, isOnline: isOnline)], options: options)
    }

    private func registration(_ judging: JudgingWorld) throws -> Registration {
        try #require(judging.devices.registration(Self.token)).registration
    }

    @Test func `the delay begins with the first push that reaches the device`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        #expect(
            judging.world.advanceClock(by: 10 * Self.hour).unregistered.isEmpty, "without a push nothing is noticed")
        #expect(judging.push(Self.token) == "200 discarded-app-not-installed")
        #expect(try registration(judging).deadSince == nil && judging.devices.feedback().isEmpty)
        #expect(judging.world.advanceClock(by: Self.hour - 1).unregistered.isEmpty)
        #expect(judging.push(Self.token) == "200 discarded-app-not-installed", "which does not begin it again")
        #expect(judging.world.advanceClock(by: 1).unregistered == [Self.token])
        let death = judging.time(11 * Self.hour)
        #expect(try registration(judging).deadSince == death)
        let record = try #require(judging.push([.init(Self.token)]).first)
        #expect(record.answer.body == #"{"reason":"Unregistered","timestamp":\#(death.milliseconds)}"#)
        #expect(judging.devices.feedback().map(\.unregisteredAt) == [death])
        let counters = try registration(judging).counters
        #expect(counters.accepted == 2 && counters.delivered == 0 && counters.discarded == 2)
    }

    @Test func `a push sent before the deletion tells nothing`() throws {
        let judging = try alice(isOnline: false)
        let before = judging.pushed(Self.token)
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        let report = try judging.devices.change(.label("alice"), .online).deliveries
        #expect(report.discarded == [before])
        #expect(judging.steps(before) == [.storedDeviceOffline, .discardedUninstalled])
        #expect(judging.world.advanceClock(by: 2 * Self.hour).unregistered.isEmpty)
        #expect(judging.push(Self.token) == "200 discarded-app-not-installed")
    }

    @Test func `a push is stored while the device is away, and begins the delay when it is back`() throws {
        let judging = try alice(isOnline: false)
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        let seq = judging.pushed(Self.token)
        #expect(judging.world.advanceClock(by: 2 * Self.hour).unregistered.isEmpty)
        _ = try judging.devices.change(.label("alice"), .online)
        #expect(judging.steps(seq) == [.storedDeviceOffline, .discardedUninstalled])
        #expect(judging.world.advanceClock(by: Self.hour).unregistered == [Self.token])
        #expect(judging.push(Self.token) == "410 Unregistered")
    }

    @Test func `an app that is installed again keeps its token`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        #expect(judging.push(Self.token) == "200 discarded-app-not-installed")
        _ = try judging.devices.change(Self.token, .state(.registered))
        #expect(judging.world.advanceClock(by: 2 * Self.hour).unregistered.isEmpty)
        #expect(judging.push(Self.token) == "200 delivered")
    }

    @Test func `a device that is deleted is forgotten with its delay`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        _ = judging.push(Self.token)
        try judging.devices.forget(.label("alice"))
        #expect(judging.world.advanceClock(by: 2 * Self.hour).unregistered.isEmpty)
    }

    @Test func `the delay depends on the seed and the token`() {
        var options = Devices.Options()
        options.uninstallDelay = Self.hour...(720 * Self.hour)
        var delays: Set<Int64> = []
        for seed in 0..<4 {
            options.uninstallSeed = seed
            for number in 1...8 {
                let delay = options.uninstallDelay(of: .numbered(UInt64(number)))
                #expect(options.uninstallDelay.contains(delay))
                #expect(options.uninstallDelay(of: .numbered(UInt64(number))) == delay)
                delays.insert(delay)
            }
        }
        #expect(delays.count == 32)
    }

    @Test func `an enrolled device has its PushMagic, and so have its pushes`() throws {
        var draft = DeviceDraft.phone("alice", token: Self.token)
        draft.pushMagic = "magic"
        let judging = try JudgingWorld(devices: [draft])
        let seq = judging.pushed(Self.token)
        #expect(judging.world.journal.push(seq: seq)?.delivery?.pushMagic == "magic")
        #expect(judging.world.ruleset.registrations.pushMagic(of: Self.token) == "magic")
        var change = DeviceChange()
        change.pushMagic = "other"
        #expect(try judging.devices.change(.label("alice"), change).device.pushMagic == "other")
        #expect(judging.world.journal.push(seq: seq)?.delivery?.pushMagic == "other")
        for invalid in ["", String(repeating: "x", count: 256), "a\n"] {
            change.pushMagic = invalid
            #expect(throws: DeviceError.self) { try judging.devices.change(.label("alice"), change) }
        }
    }
}
