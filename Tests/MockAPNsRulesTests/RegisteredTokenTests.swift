import TestSupport
import Testing

@testable import MockAPNsRules

/// What the checks leave behind of a device token, for the answer and the record.
@Suite struct RegisteredTokenTests {
    private static let topics = ["com.example.app", "com.example.other", "com.example.app.voip"]

    /// When a token died comes back with the answer, to the microsecond.
    @Test(arguments: [1, 999, 1_754_402_113_123_456, .max] as [Int64]) func `the time of death is kept`(
        microseconds: Int64
    ) {
        for standing in [RegisteredToken.Standing.unregistered, .expired] {
            var scenario = Scenario()
            scenario.device.standing = standing
            scenario.device.deadSince = Timestamp(microseconds: microseconds)
            let outcome = scenario.run()
            #expect(outcome.verdict.status == 410)
            #expect(outcome.situation.deadSince == Timestamp(microseconds: microseconds))
            #expect(outcome.situation.registered == scenario.device.registered(in: .sandbox))
        }
    }

    /// A token that asks for a 410 died at that moment, whatever became of it in truth.
    @Test func `an answer asked for has the present`() {
        var scenario = Scenario()
        scenario.request.setToken("dead0410")
        scenario.device.die()
        let outcome = scenario.run()
        #expect(outcome.reason == .unregistered)
        #expect(outcome.situation.deadSince == scenario.now)
        #expect(outcome.situation.registered == nil)
    }

    @Test func `a push that is not answered 410 has no time of death`() {
        var otherTopic = Scenario()
        otherTopic.device.die()
        otherTopic.device.topic = "com.example.other"
        var otherEnvironment = Scenario()
        otherEnvironment.device.die()
        otherEnvironment.device.environment = .production
        for scenario in [Scenario(), otherTopic, otherEnvironment] {
            #expect(scenario.run().situation.deadSince == nil)
        }
    }

    @Test func `an unknown token has no registration`() {
        var scenario = Scenario()
        #expect(scenario.run().situation.registered == scenario.device.registered(in: .sandbox))
        scenario.deviceIsKnown = false
        #expect(scenario.run().situation.registered == nil)
        #expect(scenario.run().situation.deviceToken?.hex == PushRequest.goodToken)
    }

    /// What one push found must not be held against the next one of the connection.
    @Test func `nothing is left for the next push`() {
        let connection = Connection()
        connection.devices.registered.standing = .unregistered
        connection.devices.registered.deadSince = 1
        #expect(connection.push().reason == .unregistered)
        connection.devices.knowsAll = false
        let unknown = connection.push()
        #expect(unknown.reason == nil)
        #expect(unknown.situation.registered == nil && unknown.situation.deadSince == nil)

        connection.devices.knowsAll = true
        #expect(connection.push().reason == .unregistered)
        var early = PushRequest()
        early.remove("apns-topic")
        let refused = connection.push(request: early)
        #expect(refused.reason == .missingTopic)
        #expect(refused.situation.registered == nil && refused.situation.deadSince == nil)
    }

    /// The directory is asked once, and only when all that comes before is right.
    @Test func `a token is looked for once`() {
        let connection = Connection()
        var wrong = PushRequest()
        wrong.body = []
        _ = connection.push(request: wrong)
        wrong = PushRequest()
        wrong.setToken("abc")
        _ = connection.push(request: wrong)
        #expect(connection.devices.sought.isEmpty)
        _ = connection.push()
        #expect(connection.devices.sought.map(\.hex) == [PushRequest.goodToken])
    }

    /// A push to a token that does not work takes nothing of the token's rate.
    @Test func `a dead token is not counted`() {
        var options = RuleOptions()
        options.deviceRate = .init(count: 1, interval: 1)
        let connection = Connection()
        connection.devices.registered.standing = .expired
        #expect(connection.push(options: options).reason == .expiredToken)
        connection.devices.registered.standing = .valid
        connection.devices.topic = "com.example.other"
        #expect(connection.push(options: options).reason == .deviceTokenNotForTopic)
        #expect(connection.devices.counted.isEmpty)
        connection.devices.topic = nil
        #expect(connection.push(options: options).reason == nil)
        #expect(connection.devices.counted.count == 1)
    }

    /// In any order, what a check needs and nobody has looked for yet is taken for right.
    @Test func `no order of checks traps`() throws {
        let ids = Pipeline.standard.checks.map(\.id)
        let reversed = try Pipeline.standard.reordered(ids.reversed())
        for fault in Fault.inOrder { _ = Fault.scenario([fault]).run(reversed) }
        for pair in FaultPair.all { _ = pair.scenario.run(reversed) }
        var scenario = Scenario()
        scenario.device.topic = "com.example.other"
        scenario.device.die()
        let topicFirst = try Pipeline.standard.reordered(["device-token-topic", "device-token-known"])
        #expect(scenario.run(topicFirst).reason == .unregistered)
    }

    /// All that a registration can be, on every listener, against what the documents say in one line.
    @Test func `verdicts agree with a naive reader`() {
        var generator = Generator(seed: 21)
        var seen: [Reason?: Int] = [:]
        for _ in 0..<5_000 {
            var scenario = Scenario()
            scenario.environment = generator.pick(Environment.allCases)
            scenario.options.unknownTokens = generator.pick(RuleOptions.UnknownTokens.allCases)
            scenario.deviceIsKnown = !generator.chance(oneIn: 4)
            scenario.device.environment = generator.pick(Environment.allCases)
            scenario.device.topic = generator.pick(Self.topics)
            scenario.request.set("apns-topic", generator.pick(Self.topics))
            scenario.request.remove("apns-push-type")
            if generator.chance(oneIn: 2) { scenario.device.die(as: generator.pick([.unregistered, .expired])) }
            let expected = Self.naiveReason(scenario)
            seen[expected, default: 0] += 1
            #expect(scenario.run().reason == expected)
        }
        #expect(seen.count == 5)
        #expect(seen.values.allSatisfy { $0 > 100 })
    }

    private static func naiveReason(_ scenario: Scenario) -> Reason? {
        guard scenario.deviceIsKnown else { return scenario.options.unknownTokens == .reject ? .badDeviceToken : nil }
        let topic = scenario.request.headers.first { $0.name == "apns-topic" }?.value
        if scenario.device.environment != scenario.environment { return .badDeviceToken }
        if scenario.device.topic != topic { return .deviceTokenNotForTopic }
        switch scenario.device.standing {
        case .valid: return nil
        case .unregistered: return .unregistered
        case .expired: return .expiredToken
        }
    }
}
