import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The life of device tokens: how they come, work, and die.
@Suite struct RegistrationTests {
    private static let token = DeviceToken.numbered(1)

    private func alice(
        isOnline: Bool = true, detection: Devices.Options.UninstallDetection = .immediate
    ) throws -> JudgingWorld {
        var options = Devices.Options()
        options.uninstallDetection = detection
        return try JudgingWorld(devices: [.phone("alice", token: Self.token, isOnline: isOnline)], options: options)
    }

    private func registration(_ judging: JudgingWorld, _ token: DeviceToken = Self.token) throws -> Registration {
        try #require(judging.devices.registration(token)).registration
    }

    // MARK: More apps

    @Test func `an app is added to a device`() throws {
        let judging = try alice(isOnline: false)
        let added = try judging.devices.register(
            .init(topic: "com.example.app.voip", appState: .terminated, allowsNotifications: false), on: .label("alice")
        )
        #expect(added.topic == "com.example.app.voip" && added.appState == .terminated)
        #expect(!added.allowsNotifications && added.state == .registered)
        let answer = judging.push(added.token) {
            $0.topic = "com.example.app.voip"
            $0.type = .voip
        }
        #expect(answer == "200 stored-device-offline")
    }

    /// What alice has already, and what she would get.
    static let taken: [(String, DeviceDraft.Registration, String?)] = [
        ("another topic", .init(topic: "b"), nil),
        ("the other environment", .init(topic: "com.example.app", environment: .production), nil),
        ("the same app", .init(topic: "com.example.app"), "registrationTaken /topic"),
        (
            "the same app, another token", .init(token: .numbered(5), topic: "com.example.app"),
            "registrationTaken /topic"
        ), ("her own token", .init(token: token, topic: "b"), "tokenTaken /token"),
        ("bob's token", .init(token: .numbered(2), topic: "b"), "tokenTaken /token"),
        ("a topic that cannot be", .init(topic: "a b"), "badValue /topic"),
    ]

    @Test(arguments: taken.indices) func `an app that cannot be added changes nothing`(row: Int) throws {
        let (name, draft, expected) = Self.taken[row]
        let judging = try JudgingWorld(devices: [
            .phone("alice", token: Self.token), .phone("bob", token: .numbered(2)),
        ])
        let before = judging.everything
        #expect(code { _ = try judging.devices.register(draft, on: .label("alice")) } == expected, "\(name)")
        #expect((judging.everything == before) == (expected != nil), "\(name)")
    }

    // MARK: Changes

    @Test func `the app's state and its permission can be changed`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .app(.terminated))
        let seq = judging.pushed(Self.token) {
            $0.type = .background
            $0.priority = .powerConsidering
        }
        #expect(try registration(judging).held == seq)
        let changed = try judging.devices.change(Self.token, .app(.foreground))
        #expect(changed.registration.appState == .foreground && changed.registration.held == nil)
        #expect(changed.deliveries.delivered.isEmpty)
        #expect(judging.steps(seq) == [.delivered, .held, .handedOver])
        // What counts is what the app was doing when the notification came.
        #expect(judging.world.journal.push(seq: seq)?.delivery?.appState == .terminated)

        let off = try judging.devices.change(Self.token, .allowed(false))
        #expect(!off.registration.allowsNotifications)
        #expect(judging.push(Self.token) == "200 discarded-disabled")
        _ = try judging.devices.change(Self.token, .allowed(true))
        #expect(judging.push(Self.token) == "200 delivered")
        #expect(try registration(judging).counters == .of(accepted: 3, delivered: 2, discarded: 1))
    }

    @Test(arguments: [RegistrationState.rotated, .inactive]) func `a state that comes by itself cannot be asked for`(
        state: RegistrationState
    ) throws {
        let judging = try alice()
        let before = judging.everything
        let change = RegistrationChange.with {
            $0.state = state
            $0.appState = .forceQuit
        }
        #expect(code { _ = try judging.devices.change(Self.token, change) } == "badValue /state")
        #expect(judging.everything == before)
    }

    // MARK: Death

    @Test func `an uninstalled app is answered 410 with the time of its death`() throws {
        let judging = try alice(isOnline: false)
        let stored = judging.pushed(Self.token)
        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        let changed = try judging.devices.change(Self.token, .state(.uninstalled))
        let death = judging.time(JudgingWorld.hour)
        #expect(changed.registration.state == .uninstalled && changed.registration.deadSince == death)
        #expect(changed.registration.stored == nil && changed.deliveries.discarded == [stored])
        #expect(judging.steps(stored) == [.storedDeviceOffline, .discardedTokenUnregistered])

        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        let record = try #require(judging.push([.init(Self.token)]).first)
        #expect(record.verdict.reason == .unregistered && record.delivery == nil)
        #expect(record.answer.body == #"{"reason":"Unregistered","timestamp":\#(death.milliseconds)}"#)
        // Going online brings nothing back.
        _ = try judging.devices.change(.label("alice"), .online)
        #expect(judging.push(Self.token) == "410 Unregistered")

        _ = try judging.devices.change(Self.token, .state(.registered))
        #expect(judging.push(Self.token) == "200 delivered")
        #expect(try registration(judging).deadSince == nil)
    }

    @Test func `an uninstall is noticed later through an online device`() throws {
        let judging = try alice(detection: .delayed)
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        #expect(try registration(judging).state == .uninstalled)
        #expect(try registration(judging).deadSince == nil && judging.devices.feedback().isEmpty)

        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        #expect(judging.push(Self.token) == "200 discarded-token-unregistered")
        #expect(try registration(judging).deadSince == judging.time(JudgingWorld.hour))
        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        #expect(judging.push(Self.token) == "410 Unregistered")
        #expect(judging.devices.feedback().map(\.unregisteredAt) == [judging.time(JudgingWorld.hour)])
    }

    @Test func `an uninstall is noticed when an offline device is back`() throws {
        let judging = try alice(isOnline: false, detection: .delayed)
        let before = judging.pushed(Self.token)
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        let after = judging.pushed(Self.token)
        #expect(judging.steps(before) == [.storedDeviceOffline, .discardedCollapsed])
        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        let report = try judging.devices.change(.label("alice"), .online).deliveries
        #expect(report.delivered.isEmpty && report.discarded == [after])
        #expect(try registration(judging).deadSince == judging.time(JudgingWorld.hour))
        #expect(judging.push(Self.token) == "410 Unregistered")
    }

    @Test func `an app installed again before anybody noticed works on`() throws {
        let judging = try alice(isOnline: false, detection: .delayed)
        let seq = judging.pushed(Self.token)
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        _ = try judging.devices.change(Self.token, .state(.registered))
        let report = try judging.devices.change(.label("alice"), .online).deliveries
        #expect(report.delivered == [seq] && judging.devices.feedback().isEmpty)
    }

    @Test(arguments: Devices.Options.UninstallDetection.allCases) func `an expired token is answered ExpiredToken`(
        detection: Devices.Options.UninstallDetection
    ) throws {
        let judging = try alice(isOnline: false, detection: detection)
        let seq = judging.pushed(Self.token)
        let changed = try judging.devices.change(Self.token, .state(.expired))
        #expect(changed.registration.state == .expired && changed.deliveries.discarded == [seq])
        let record = try #require(judging.push([.init(Self.token)]).first)
        #expect(record.verdict.reason == .expiredToken)
        #expect(record.answer.body.contains(#""timestamp":\#(JudgingWorld.start.milliseconds)"#))
        _ = try judging.devices.change(Self.token, .state(.registered))
        #expect(judging.push(Self.token) == "200 stored-device-offline")
    }

    @Test func `a token that is dead does not die again`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        judging.push(Self.token)
        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        for state in [RegistrationState.uninstalled, .expired] {
            let changed = try judging.devices.change(Self.token, .state(state))
            #expect(changed.registration.state == .uninstalled)
            #expect(changed.registration.deadSince == JudgingWorld.start)
        }
        #expect(judging.devices.feedback().map(\.reported) == [1])
    }

    // MARK: Another token

    @Test func `rotating gives the app another token`() throws {
        let judging = try alice(isOnline: false)
        _ = try judging.devices.change(
            Self.token,
            .with {
                $0.appState = .terminated
                $0.allowsNotifications = false
            })
        let stored = judging.pushed(Self.token) {
            $0.type = .background
            $0.priority = .powerConsidering
        }
        _ = judging.world.advanceClock(by: JudgingWorld.hour)
        let new = try judging.devices.rotate(Self.token, to: .numbered(2))
        #expect(new.token == .numbered(2) && new.topic == "com.example.app" && new.state == .registered)
        #expect(new.appState == .terminated && !new.allowsNotifications && new.counters.accepted == 0)

        let old = try registration(judging)
        #expect(old.state == .rotated && old.deadSince == judging.time(JudgingWorld.hour))
        #expect(judging.steps(stored) == [.storedDeviceOffline, .discardedTokenUnregistered])
        #expect(judging.push(Self.token) == "410 Unregistered")
        #expect(judging.push(.numbered(2)) == "200 discarded-disabled")
        #expect(judging.devices.feedback().map(\.cause) == [.rotated])
        let device = try judging.devices.device(.label("alice"))
        #expect(device.registrations.map(\.token) == [Self.token, .numbered(2)])
    }

    @Test func `a token that is made for a rotation is new`() throws {
        let judging = try alice()
        var tokens = [Self.token]
        for _ in 0..<20 { tokens.append(try judging.devices.rotate(tokens[tokens.count - 1]).token) }
        #expect(Set(tokens).count == 21)
        for (position, token) in tokens.enumerated() {
            #expect(judging.push(token) == (position == 20 ? "200 delivered" : "410 Unregistered"))
        }
    }

    @Test func `an impossible rotation changes nothing`() throws {
        let judging = try JudgingWorld(devices: [
            .phone("alice", token: Self.token), .phone("bob", token: .numbered(2)),
        ])
        let devices = judging.devices
        let before = judging.everything
        #expect(code { _ = try devices.rotate(Self.token, to: .numbered(2)) } == "tokenTaken /token")
        #expect(code { _ = try devices.rotate(Self.token, to: Self.token) } == "tokenTaken /token")
        #expect(judging.everything == before)

        _ = try devices.rotate(Self.token, to: .numbered(3))
        // The app has one living token, so the old one can neither be rotated again nor come back.
        let after = judging.everything
        #expect(code { _ = try devices.rotate(Self.token) } == "registrationTaken /state")
        let comeBack = RegistrationChange.state(.registered)
        #expect(code { _ = try devices.change(Self.token, comeBack) } == "registrationTaken /state")
        #expect(judging.everything == after)
    }

    @Test func `an app that was uninstalled comes back under another token`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        let new = try judging.devices.rotate(Self.token)
        #expect(judging.push(new.token) == "200 delivered" && judging.push(Self.token) == "410 Unregistered")
        #expect(judging.devices.feedback().map(\.cause) == [.uninstalled])
    }

    @Test func `a forgotten device is unknown`() throws {
        let judging = try JudgingWorld(
            devices: [.phone("alice", token: Self.token, isOnline: false)], rules: { $0.unknownTokens = .reject })
        let seq = judging.pushed(Self.token)
        try judging.devices.forget(.label("alice"))
        #expect(judging.push(Self.token) == "400 BadDeviceToken")
        #expect(judging.steps(seq) == [.storedDeviceOffline, .discardedTokenUnregistered])
        #expect(judging.world.nextDue == nil)
        // Another device in the same place has nothing of it.
        let bob = try judging.devices.add(.phone("bob", token: Self.token))
        #expect(bob.registrations[0].counters == Registration.Counters() && bob.registrations[0].stored == nil)
        #expect(judging.push(Self.token) == "200 delivered")
        #expect(judging.world.journal.push(seq: seq)?.delivery?.deviceLabel == nil)
    }

    /// Accepted, it has to end somewhere.
    @Test func `a push to a device that is forgotten meanwhile is discarded`() throws {
        let judging = try alice()
        let last = judging.world.journal.extent.lastSeq
        judging.judge([.init(Self.token)])
        try judging.devices.forget(.label("alice"))
        judging.publish()
        let record = try #require(judging.world.journal.push(seq: last + 1))
        #expect(JudgingWorld.summary(record) == "200 discarded-token-unregistered")
        #expect(judging.devices.registration(Self.token) == nil)
    }

    @Test(arguments: [RegistrationState.uninstalled, .expired, .rotated])
    func `a push to a token that dies meanwhile is discarded`(state: RegistrationState) throws {
        let judging = try alice()
        let last = judging.world.journal.extent.lastSeq
        judging.judge([.init(Self.token)])
        if state == .rotated {
            _ = try judging.devices.rotate(Self.token)
        } else {
            _ = try judging.devices.change(Self.token, .state(state))
        }
        judging.publish()
        let record = try #require(judging.world.journal.push(seq: last + 1))
        #expect(JudgingWorld.summary(record) == "200 discarded-token-unregistered")
        let dead = try registration(judging)
        #expect(dead.counters.accepted == 1 && dead.counters.discarded == 1 && dead.state == state)
        // That is no answer 410, so nobody was told.
        #expect(judging.devices.feedback().map(\.reported) == [0])
    }

    // MARK: Tokens that nobody registered

    @Test func `an unknown token registers itself`() throws {
        let judging = try JudgingWorld()
        #expect(judging.push(Self.token) { $0.environment = .production } == "200 delivered")
        let (device, registration) = try #require(judging.devices.registration(Self.token))
        #expect(device.origin == .push && device.isOnline && device.label == nil)
        #expect(registration.topic == "com.example.app" && registration.environment == .production)
        #expect(registration.counters == .of(accepted: 1, delivered: 1))
        #expect(registration.lastPush == 1 && registration.appState == .background)

        let answer = judging.push(Self.token) {
            $0.topic = "com.example.other"
            $0.environment = .production
        }
        #expect(answer == "400 DeviceTokenNotForTopic")
        // The token belongs to production.
        #expect(judging.push(Self.token) == "400 BadDeviceToken")
        #expect(judging.devices.devices(DeviceQuery()).total == 1)
    }

    @Test func `where unknown tokens are rejected nothing registers itself`() throws {
        let judging = try JudgingWorld(rules: { $0.unknownTokens = .reject })
        #expect(judging.push(Self.token) == "400 BadDeviceToken")
        #expect(judging.devices.devices(DeviceQuery()).total == 0)
    }

    @Test func `a refused push registers nothing`() throws {
        let judging = try JudgingWorld()
        #expect(judging.push(Self.token) { $0.body = "" } == "400 PayloadEmpty")
        #expect(judging.devices.registration(Self.token) == nil)
    }

    @Test func `pushes of one read register a token once`() throws {
        let judging = try JudgingWorld()
        let records = judging.push(Array(repeating: .init(Self.token), count: 5))
        #expect(records.map(JudgingWorld.summary) == Array(repeating: "200 delivered", count: 5))
        #expect(try registration(judging).counters.delivered == 5)
        #expect(judging.devices.devices(DeviceQuery()).total == 1)
    }

    @Test func `the oldest registrations made by pushes make room for new ones`() throws {
        var options = Devices.Options()
        options.selfRegisteredLimit = 3
        let judging = try JudgingWorld(devices: [.phone("alice", token: .numbered(99))], options: options)
        for number in 1...3 { judging.push(.numbered(UInt64(number))) }
        // Somebody has taken care of the first, so it is nobody's leftover any more.
        _ = try judging.devices.change(.token(.numbered(1)), .with { $0.label = "kept" })
        for number in 4...8 { judging.push(.numbered(UInt64(number))) }
        let page = judging.devices.devices(DeviceQuery())
        let tokens = page.devices.flatMap(\.registrations).map(\.token)
        #expect(Set(tokens) == Set([99, 1, 6, 7, 8].map { .numbered($0) }))
        #expect(page.forgotten == 4)
        #expect(try judging.devices.device(.label("kept")).origin == .push, "which a change does not change")
        let rules = judging.world.ruleset
        #expect(rules.find(.numbered(1))?.isKept == true && rules.find(.numbered(8))?.isKept == false)
        #expect(judging.push(.numbered(2)) == "200 delivered")
    }

    /// Only those that are there take room.
    @Test func `devices forgotten by hand make room`() throws {
        var options = Devices.Options()
        options.selfRegisteredLimit = 2
        let judging = try JudgingWorld(options: options)
        for number in 1...2 { judging.push(.numbered(UInt64(number))) }
        try judging.devices.forget(.token(.numbered(2)))
        judging.push(.numbered(3))
        #expect(judging.devices.registration(.numbered(1)) != nil)
        #expect(judging.devices.devices(DeviceQuery()).forgotten == 0)
    }
}

extension Registration.Counters {
    fileprivate static func of(accepted: UInt32, delivered: UInt32 = 0, discarded: UInt32 = 0) -> Self {
        var counters = Self()
        counters.accepted = accepted
        counters.delivered = delivered
        counters.discarded = discarded
        return counters
    }
}
