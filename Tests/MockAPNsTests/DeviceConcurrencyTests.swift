import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Synchronization
import Testing

/// Pushes from many connections on several event loops while devices come and go: nothing is lost, nothing is
/// delivered twice, and never is more than one stored for an app.
@Suite(.serialized) struct DeviceConcurrencyTests {
    private static let phones = 8
    private static let topics = ["com.example.app", "com.example.other"]
    private static let connections = 6
    private static let batches = 15
    private static let batch = 20
    /// The pushes of one storm.
    private static let storm = connections * batches * batch

    private static func token(_ phone: Int, _ topic: Int) -> DeviceToken {
        DeviceToken((0, 0, UInt64(topic), UInt64(phone + 1)))
    }

    private static func reference(_ phone: Int) -> DeviceReference { .label("phone \(phone)") }

    private static let described: [DeviceDraft] = (0..<phones).map { phone in
        DeviceDraft(
            label: "phone \(phone)", isOnline: phone % 2 == 0,
            registrations: topics.indices.map { .init(token: token(phone, $0), topic: topics[$0]) })
    }

    /// A push of whatever kind to one of the apps.
    private static func push(_ token: String, _ random: inout SystemRandomNumberGenerator) -> Push {
        let topic = Int.random(in: topics.indices, using: &random)
        let target = Self.token(Int.random(in: 0..<phones, using: &random), topic)
        var push = Push(token, token: target.hex)
        push.topic = topics[topic]
        push.more.append(("apns-push-type", Bool.random(using: &random) ? "alert" : "background"))
        push.more.append(("apns-priority", ["5", "1"].randomElement(using: &random) ?? "5"))
        // At once, in a second, never.
        switch Int.random(in: 0..<4, using: &random) {
        case 0: push.more.append(("apns-expiration", "0"))
        case 1: push.more.append(("apns-expiration", "\(Live.now + Int64.random(in: 1...600, using: &random))"))
        default: break
        }
        if Bool.random(using: &random) { push.more.append(("apns-collapse-id", "same")) }
        return push
    }

    /// Sends everything on its own connection.
    ///
    /// - Returns: the statuses and how often each came.
    private static func provide(_ live: Live, _ token: String) async throws -> [Int: Int] {
        let client = try await live.connectAuthenticated()
        var random = SystemRandomNumberGenerator()
        var statuses: [Int: Int] = [:]
        for _ in 0..<batches {
            let replies = try await client.send((0..<batch).map { _ in push(token, &random) })
            for reply in replies { statuses[reply.status, default: 0] += 1 }
        }
        try await client.close()
        return statuses
    }

    /// Has all providers send while others do what they do until the last answer is there.
    private static func disturb(_ live: Live, _ others: [@Sendable () throws -> Void]) async throws -> [Int: Int] {
        let token = try TestKey.team.token()
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: [Int: Int].self) { group in
            for work in others {
                group.addTask {
                    let client = try await live.connect()
                    while !isOver.isSet, !Task.isCancelled {
                        try work()
                        // As fast as a client of the server could, so that pushes come in between.
                        #expect(try await client.send(Push(nil)).status == 403)
                    }
                    try await client.close()
                    return [:]
                }
            }
            for _ in 0..<connections { group.addTask { try await provide(live, token) } }
            var sums: [Int: Int] = [:]
            var heard = 0
            while let statuses = try await group.next() {
                sums.merge(statuses, uniquingKeysWith: +)
                heard += statuses.isEmpty ? 0 : 1
                if heard == connections { isOver.set() }
            }
            return sums
        }
    }

    /// The same again until pushes have met all these fates: a busy machine may be through before anything happened.
    ///
    /// - Returns: the statuses and how often each came, and how many times it took.
    private static func disturb(
        _ live: Live, until fates: Set<String>, _ others: [@Sendable () throws -> Void]
    ) async throws -> (statuses: [Int: Int], storms: Int) {
        var (statuses, storms): ([Int: Int], Int) = ([:], 0)
        repeat {
            statuses.merge(try await disturb(live, others), uniquingKeysWith: +)
            storms += 1
        } while !reached(live).isSuperset(of: fates) && storms < 20
        #expect(reached(live).isSuperset(of: fates))
        return (statuses, storms)
    }

    private static func configure(_ configuration: inout Configuration) {
        configuration.threads = 4
        configuration.journal = Journal.Capacity(records: 1_000_000, bytes: 1 << 30)
        configuration.devices = described
        // Where a reset puts the clock, so that provider tokens go on being good.
        configuration.clock = Timestamp(seconds: Live.now)
    }

    private static func phone() -> Int { Int.random(in: 0..<phones) }

    private static func anyToken() -> DeviceToken { token(phone(), Int.random(in: topics.indices)) }

    /// Takes devices online and offline, to low power and back.
    private static func flip(_ live: Live) -> @Sendable () throws -> Void {
        {
            var change = DeviceChange()
            change.isOnline = Bool.random()
            if Int.random(in: 0..<3) == 0 { change.savesPower = Bool.random() }
            try bearing { _ = try live.world.devices.change(reference(phone()), change) }
        }
    }

    /// Has devices save power and stop it, so that what waited comes from storage; nobody goes offline.
    private static func tire(_ live: Live) -> @Sendable () throws -> Void {
        {
            var change = DeviceChange()
            change.savesPower = Bool.random()
            _ = try live.world.devices.change(reference(phone()), change)
        }
    }

    /// Opens, leaves and ends apps, and switches their notifications on and off.
    private static func use(_ live: Live) -> @Sendable () throws -> Void {
        {
            var change = RegistrationChange()
            change.appState = AppState.allCases.randomElement()
            change.allowsNotifications = Int.random(in: 0..<4) > 0
            _ = try live.world.devices.change(anyToken(), change)
        }
    }

    /// Looks at everything, as an inspector would.
    private static func look(_ live: Live) -> @Sendable () throws -> Void {
        {
            _ = try live.world.devices.arrived(reference(phone()))
            _ = try live.world.devices.stored(reference(phone()))
            _ = live.world.devices.devices(DeviceQuery())
            _ = live.world.devices.feedback()
            var query = PushQuery()
            // Read once: pushes come in meanwhile.
            let last = live.journal.extent.lastSeq
            query.after = last - min(200, last)
            for push in live.journal.pushes(query).pushes where push.answer.status == 200 {
                #expect(push.delivery?.state != nil)
            }
        }
    }

    @Test func `nothing is lost and nothing is delivered twice`() async throws {
        try await withLive(Self.configure) { live in
            let (statuses, storms) = try await Self.disturb(
                live, until: ["delivered", "delivered-from-storage", "discarded-collapsed"],
                [Self.flip(live), Self.flip(live), Self.use(live), Self.look(live)])
            let sent = storms * Self.storm
            #expect(statuses == [200: sent])
            let census = DeliveryCensus(live.world, isStrict: false)
            #expect(census.faults == [])
            // Each connection has sent one more before, to a token that registered itself.
            #expect(census.accepted == sent + storms * Self.connections)
            #expect(census.delivered + census.discarded + census.stored == census.accepted)

            // All back online: what was stored is delivered, and nothing is left.
            var delivered = 0
            for phone in 0..<Self.phones {
                var change = DeviceChange()
                change.isOnline = true
                change.savesPower = false
                let report = try live.world.devices.change(Self.reference(phone), change).deliveries
                delivered += report.delivered.count + report.discarded.count
            }
            #expect(delivered == census.stored)
            let after = DeliveryCensus(live.world)
            #expect(after.faults == [] && after.stored == 0)
        }
    }

    /// The same while time passes: what expires does so once.
    @Test func `what expires meanwhile expires once`() async throws {
        try await withLive(Self.configure) { live in
            let seconds = Atomic<Int64>(0)
            let pass: @Sendable () throws -> Void = {
                // Less than the hour for which a provider token is good.
                guard seconds.wrappingAdd(1, ordering: .relaxed).newValue < 3_000 else { return }
                _ = live.world.advanceClock(by: 1_000_000)
            }
            let statuses = try await Self.disturb(live, [Self.flip(live), pass, Self.look(live)])
            #expect(Set(statuses.keys) == [200])
            #expect(DeliveryCensus(live.world).faults == [])
            let report = live.world.advanceClock(by: 3_600_000_000)
            let after = DeliveryCensus(live.world)
            #expect(after.faults == [])
            #expect(report.expired.count <= Self.phones * Self.topics.count)
        }
    }

    /// The same while tokens die, change, come back and are forgotten with their devices.
    @Test func `every push is delivered, stored or discarded once while tokens change`() async throws {
        for detection in Devices.Options.UninstallDetection.allCases {
            try await withLive({
                Self.configure(&$0)
                $0.deviceOptions.uninstallDetection = detection
            }) { live in
                let devices = live.world.devices
                let kill: @Sendable () throws -> Void = {
                    var change = RegistrationChange()
                    change.state = [.uninstalled, .expired].randomElement()
                    try Self.bearing { _ = try devices.change(Self.anyToken(), change) }
                }
                let heal: @Sendable () throws -> Void = { try Self.bearing { _ = try devices.put(Self.described) } }
                let rotate: @Sendable () throws -> Void = {
                    let token = Self.anyToken()
                    try Self.bearing { _ = try devices.rotate(token) }
                    // The app comes back under its first token, so that pushes go on reaching it.
                    try Self.bearing { try devices.forget(.token(token)) }
                }
                let clear: @Sendable () throws -> Void = { _ = devices.clearFeedback() }
                let statuses = try await Self.disturb(live, [Self.flip(live), kill, heal, rotate, clear])
                #expect(Set(statuses.keys).isSubset(of: [200, 400, 410]))
                #expect(statuses.values.reduce(0, +) == Self.storm)
                let census = DeliveryCensus(live.world, isStrict: false)
                #expect(census.faults == [])
                #expect(census.accepted - Self.connections == statuses[200])
            }
        }
    }

    /// What a client that is the device hears is what the journal says was delivered while it listened.
    @Test func `a client that is the device hears everything once`() async throws {
        try await withLive(Self.configure) { live in
            let links = try (0..<Self.phones).map { try live.world.devices.connect(Self.reference($0)).link }
            let all = try await withThrowingTaskGroup(of: [UInt64].self) { group in
                for link in links {
                    group.addTask {
                        var seqs: [UInt64] = []
                        while true {
                            let some = await link.next(10)
                            if some.isEmpty { return seqs }
                            for arrival in some {
                                if let push = arrival.push { seqs.append(push.seq) }
                                #expect(arrival.number == UInt64(seqs.count))
                            }
                        }
                    }
                }
                // Clients that come and go besides change nothing for those that stay.
                let join: @Sendable () throws -> Void = {
                    try live.world.devices.connect(Self.reference(Self.phone())).link.close()
                }
                let statuses = try await Self.disturb(
                    live, until: ["delivered", "delivered-from-storage"], [join, Self.tire(live), Self.use(live)]
                ).statuses
                #expect(Set(statuses.keys) == [200])
                for link in links { link.close() }
                return try await group.reduce(into: [[UInt64]]()) { $0.append($1) }
            }
            #expect(all.allSatisfy { Set($0).count == $0.count })
            var query = PushQuery()
            query.limit = .max
            query.tokens = Self.described.flatMap(\.registrations).compactMap(\.token)
            query.deliveries = ["delivered", "delivered-from-storage"]
            let delivered = live.journal.pushes(query).pushes.map(\.seq)
            #expect(Set(all.joined()) == Set(delivered))
            #expect(all.joined().count == delivered.count)
            #expect(DeliveryCensus(live.world).faults == [])
        }
    }

    /// Resets in the middle of everything: what is left is whole.
    @Test func `a reset during pushes leaves nothing half-done`() async throws {
        try await withLive(Self.configure) { live in
            let reset: @Sendable () throws -> Void = { _ = live.world.reset() }
            let flip = Self.flip(live)
            let statuses = try await Self.disturb(live, [flip, reset])
            #expect(Set(statuses.keys) == [200])
            _ = live.world.reset()
            #expect(live.world.devices.devices(DeviceQuery()).total == Self.phones)
            #expect(DeliveryCensus(live.world).accepted == 0)
            // It goes on as if nothing had been.
            let sent = Self.storm
            #expect(try await Self.disturb(live, [flip]) == [200: sent])
            let after = DeliveryCensus(live.world)
            #expect(after.faults == [] && after.accepted == sent + Self.connections)
        }
    }

    /// Changes meet devices and tokens that another change has just taken away.
    private static func bearing(_ use: () throws -> Void) throws {
        do { try use() } catch let error as DeviceError {
            let expected: [DeviceProblem] = [
                .unknownDevice, .unknownToken, .tokenTaken, .registrationTaken, .labelTaken,
            ]
            if !expected.contains(error.code) { throw error }
        }
    }

    /// The states that pushes ended in.
    private static func reached(_ live: Live) -> Set<String> {
        var query = PushQuery()
        query.limit = .max
        return Set(live.journal.pushes(query).pushes.compactMap { $0.delivery?.state?.row.state?.description })
    }
}

/// Something that has happened or not, for all threads.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}
