import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

/// Devices that somebody described, and what becomes of their tokens; every change is there with the next request.
struct RegisteredDeviceTests {
    private static let topic = "com.example.app"

    private static func describe(
        _ token: String, topic: String = topic, in environment: Environment = .sandbox, at live: Live
    ) throws {
        let app = DeviceDraft.Registration(token: try Live.deviceToken(token), topic: topic, environment: environment)
        _ = try live.world.devices.add(DeviceDraft(registrations: [app]))
    }

    // MARK: Unknown tokens are refused

    @Test func `only a registered token is accepted`() async throws {
        try await withLive({ $0.rules.unknownTokens = .reject }) { live in
            let client = try await live.connect()
            let (known, unknown) = (Push.freshToken, Push.freshToken)
            let providerToken = try TestKey.team.token()
            #expect(try await client.send(Push(providerToken, token: known)).reason == "BadDeviceToken")
            try Self.describe(known, at: live)
            for _ in 0..<2 {
                let reply = try await client.send(Push(providerToken, token: known))
                #expect(reply.status == 200)
                #expect(live.record(of: reply)?.delivery?.state == .delivered)
                #expect(try await client.send(Push(providerToken, token: unknown)).reason == "BadDeviceToken")
            }
            let other = Push(providerToken, token: known).with { $0.topic = "com.example.other" }
            #expect(try await client.send(other).reason == "DeviceTokenNotForTopic")
            #expect(live.registration(unknown) == nil)
            try live.world.devices.forget(.token(Live.deviceToken(known)))
            #expect(try await client.send(Push(providerToken, token: known)).reason == "BadDeviceToken")
        }
    }

    @Test func `devices of the start are there from the first push`() async throws {
        let token = Push.freshToken
        let app = DeviceDraft.Registration(
            token: try Live.deviceToken(token), topic: Self.topic, environment: .production)
        try await withLive({
            $0.rules.unknownTokens = .reject
            $0.listeners = [.clearText(), .clearText(.production)]
            $0.devices = [DeviceDraft(label: "phone", registrations: [app])]
        }) { live in
            let push = Push(try TestKey.team.token(), token: token)
            #expect(try await live.connect(listener: 0).send(push).reason == "BadDeviceToken")
            let reply = try await live.connect(listener: 1).send(push)
            #expect(reply.status == 200)
            #expect(live.record(of: reply)?.delivery?.deviceLabel == "phone")
        }
    }

    @Test func `the clock can stand from the start`() async throws {
        let moment = Timestamp(seconds: 1_700_000_000)
        try await withMockAPNs(.clearText { $0.clock = moment }) { server in
            let live = Live(server: server)
            #expect(live.world.clock.mode == .stopped(at: moment))
            let reply = try await live.connect().send(Push(TestKey.team.token(at: 1_700_000_000)))
            #expect(reply.status == 200)
            #expect(live.record(of: reply)?.clockTime == moment)
        }
    }

    /// What waits is as much accepted as what was delivered: the provider is not told.
    @Test func `a device that is offline answers 200`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let token = Push.freshToken
            try Self.describe(token, at: live)
            var change = DeviceChange()
            change.isOnline = false
            _ = try live.world.devices.change(.token(Live.deviceToken(token)), change)
            let reply = try await client.send(Push(TestKey.team.token(), token: token))
            #expect(reply.status == 200 && reply.names == ["apns-id", "apns-unique-id"])
            #expect(live.record(of: reply)?.delivery?.state == .storedDeviceOffline)
            change.isOnline = true
            let report = try live.world.devices.change(.token(Live.deviceToken(token)), change).deliveries
            #expect(report.delivered == [live.record(of: reply)?.seq])
            #expect(live.record(of: reply)?.delivery?.state == .deliveredFromStorage)
        }
    }

    // MARK: Dead tokens

    /// The answer says when the token died on the world's clock, however late the push comes.
    @Test(
        arguments: [(.uninstalled, "Unregistered", 1_700_000_000), (.expired, "ExpiredToken", 1_900_000_000)]
            as [(RegistrationState, String, Int64)]) func `a dead token says since when`(
            state: RegistrationState, reason: String, seconds: Int64
        ) async throws
    {
        try await withLive { live in
            let client = try await live.connect()
            let token = Push.freshToken
            try Self.describe(token, at: live)
            live.setClock(seconds)
            try live.change(token, to: state)
            live.setClock(seconds + 86_400)
            let push = Push(try TestKey.team.token(at: seconds + 86_400), token: token)
            for round in 1...3 {
                let reply = try await client.send(push)
                #expect(reply.status == 410)
                #expect(reply.body == "{\"reason\":\"\(reason)\",\"timestamp\":\(seconds)000}")
                let record = try #require(live.record(of: reply))
                #expect(record.answer.body == reply.body && record.delivery == nil)
                let entry = try #require(live.world.devices.feedback().first)
                #expect(entry.reported == round && entry.unregisteredAt == Timestamp(seconds: seconds))
            }
            #expect(live.registration(token)?.state == state)
            #expect(live.registration(token)?.counters.accepted == 0)
        }
    }

    @Test func `the time of death is in milliseconds`() async throws {
        try await withLive { live in
            let token = Push.freshToken
            try Self.describe(token, at: live)
            _ = live.world.stopClock(at: Timestamp(microseconds: Live.now * 1_000_000 + 123_999))
            try live.change(token, to: .uninstalled)
            let reply = try await live.connect().send(Push(TestKey.team.token(), token: token))
            #expect(reply.body == "{\"reason\":\"Unregistered\",\"timestamp\":\(Live.now)123}")
        }
    }

    @Test(arguments: [RegistrationState.uninstalled, .expired]) func `a token that is registered again is accepted`(
        state: RegistrationState
    ) async throws {
        try await withLive { live in
            let client = try await live.connect()
            let token = Push.freshToken
            let push = Push(try TestKey.team.token(), token: token)
            #expect(try await client.send(push).status == 200)
            for round in 1...3 as ClosedRange<Int64> {
                live.setClock(Live.now + round)
                try live.change(token, to: state)
                let dead = try await client.send(push)
                #expect(dead.status == 410)
                // Another death, another time.
                #expect(dead.body.hasSuffix(",\"timestamp\":\(Live.now + round)000}"))
                #expect(live.world.devices.feedback().count == 1)
                try live.change(token, to: .registered)
                let reply = try await client.send(push)
                #expect(reply.status == 200)
                #expect(live.record(of: reply)?.delivery?.state == .delivered)
                #expect(live.world.devices.feedback().isEmpty)
            }
        }
    }

    /// The order of the rules, over the wire: environment, topic, death.
    @Test func `a dead token still knows its topic and environment`() async throws {
        try await withLive({ $0.listeners = [.clearText(), .clearText(.production)] }) { live in
            let (here, there) = (try await live.connect(listener: 0), try await live.connect(listener: 1))
            let token = Push.freshToken
            let push = Push(try TestKey.team.token(), token: token)
            let other = push.with { $0.topic = "com.example.other" }
            try Self.describe(token, at: live)
            try live.change(token, to: .uninstalled)
            #expect(try await here.send(push).reason == "Unregistered")
            #expect(try await here.send(other).reason == "DeviceTokenNotForTopic")
            #expect(try await there.send(push).reason == "BadDeviceToken")
            #expect(try await there.send(other).reason == "BadDeviceToken")
        }
    }

    @Test func `a token that was replaced is unregistered`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let (old, new) = (Push.freshToken, Push.freshToken)
            let providerToken = try TestKey.team.token()
            #expect(try await client.send(Push(providerToken, token: old)).status == 200)
            let registration = try live.world.devices.rotate(Live.deviceToken(old), to: Live.deviceToken(new))
            #expect(registration.token.hex == new)
            #expect(try await client.send(Push(providerToken, token: old)).reason == "Unregistered")
            #expect(try await client.send(Push(providerToken, token: new)).status == 200)
            #expect(live.world.devices.devices(DeviceQuery()).total == 1)
        }
    }

    /// A device that is offline for too long is given up at a moment of the world's clock, not when somebody looks.
    @Test func `a device that is offline for too long is given up`() async throws {
        try await withLive({ $0.deviceOptions.inactiveAfter = 60_000_000 }) { live in
            let client = try await live.connect()
            let token = Push.freshToken
            try Self.describe(token, at: live)
            var change = DeviceChange()
            change.isOnline = false
            _ = try live.world.devices.change(.token(Live.deviceToken(token)), change)
            let push = Push(try TestKey.team.token(), token: token)
            live.setClock(Live.now + 59)
            #expect(try await client.send(push).status == 200)
            live.setClock(Live.now + 100)
            let reply = try await client.send(push)
            #expect(reply.body == "{\"reason\":\"Unregistered\",\"timestamp\":\(Live.now + 60)000}")
            change.isOnline = true
            _ = try live.world.devices.change(.token(Live.deviceToken(token)), change)
            #expect(try await client.send(push).status == 200)
        }
    }

    // MARK: At once

    /// A change that has returned is true for every request that is sent after it, on every loop.
    @Test func `a change applies to the very next request`() async throws {
        try await withLive({ $0.threads = 3 }) { live in
            var clients: [Client] = []
            for _ in 0..<3 { clients.append(try await live.connect()) }
            let token = Push.freshToken
            let push = Push(try TestKey.team.token(), token: token)
            try Self.describe(token, at: live)
            let states = [
                (RegistrationState.uninstalled, 410), (.registered, 200), (.expired, 410), (.registered, 200),
            ]
            for round in 0..<60 {
                let (state, status) = states[round % 4]
                try live.change(token, to: state)
                for client in clients { #expect(try await client.send(push).status == status) }
            }
        }
    }

    /// The same to the microsecond: no event loop gets a turn between the change and the push.
    @Test func `a change applies within microseconds`() async throws {
        try await withLive { live in
            let token = Push.freshToken
            try Self.describe(token, at: live)
            let (port, push) = (live.port, Push(try TestKey.team.token(), token: token))
            let misses = try await onOwnThread {
                let client = try BlockingClient(port: port)
                return try (1...500).filter { round in
                    try live.change(token, to: round % 2 == 0 ? .registered : .uninstalled)
                    let accepted = live.journal.counters.accepted
                    let now = try client.send(push) { live.journal.counters.accepted }
                    return (now > accepted) != (round % 2 == 0)
                }
            }
            #expect(misses == [])
            #expect(live.journal.counters.accepted == 250)
        }
    }

    /// Devices come and go while rules change and pushes are judged; in the end everybody agrees.
    @Test func `changes from all sides do not overwrite each other`() async throws {
        try await withLive({ $0.threads = 2 }) { live in
            let client = try await live.connectAuthenticated()
            let providerToken = try TestKey.team.token()
            let tokens = (0..<40).map { _ in Push.freshToken }
            try await withThrowingTaskGroup { group in
                for token in tokens {
                    group.addTask {
                        try Self.describe(token, at: live)
                        try live.change(token, to: .uninstalled)
                    }
                    group.addTask {
                        try await live.server.changeRuleset { Ruleset(options: $0.options, keys: $0.keys) }
                    }
                    group.addTask {
                        let push = Push(providerToken, token: Push.freshToken)
                        let status = try await client.send(push).status
                        #expect(status == 200)
                    }
                }
                try await group.waitForAll()
            }
            // These, as many that pushes made, and the one that the client was authenticated with.
            #expect(live.world.devices.devices(DeviceQuery()).total == 81)
            for token in tokens {
                #expect(try await client.send(Push(providerToken, token: token)).reason == "Unregistered")
            }
        }
    }

    // MARK: Resets

    @Test func `after a reset everything is as at the start`() async throws {
        let token = Push.freshToken
        let app = DeviceDraft.Registration(token: try Live.deviceToken(token), topic: Self.topic)
        try await withLive({ $0.devices = [DeviceDraft(registrations: [app])] }) { live in
            let client = try await live.connect()
            let providerToken = try TestKey.team.token()
            let (push, fresh) = (Push(providerToken, token: token), Push(providerToken, token: Push.freshToken))
            for round in 1...3 as ClosedRange<UInt64> {
                let accepted = try await client.send(push)
                #expect(accepted.status == 200)
                #expect(live.record(of: accepted)?.epoch == round)
                // What was learned of the fresh token went with it, so it may be another app's each time.
                let app = try await client.send(fresh.with { $0.topic = "com.example.app\(round)" })
                #expect(app.status == 200)
                try live.change(token, to: .uninstalled)
                #expect(try await client.send(push).status == 410)
                let before = live.journal.extent.lastSeq
                let report = live.world.reset([.pushes, .devices, .feedback])
                #expect(report.cleared[.pushes] == 3 && report.cleared[.devices] == 2 && report.cleared[.feedback] == 1)
                #expect(report.seq == before && report.epoch == round + 1)
                #expect(live.journal.counters.received == 0 && live.journal.extent.lastSeq == before)
                #expect(live.record(of: accepted)?.seq == nil)
                #expect(live.registration(token)?.state == .registered)
                #expect(live.world.devices.devices(DeviceQuery()).total == 1)
            }
        }
    }
}
