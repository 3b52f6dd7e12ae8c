import Testing

@testable import MockAPNsRules

@Suite struct PrecedenceTests {
    /// The places where nothing can tell which of two neighbours comes first, and why.
    private static let interchangeable = [
        // What is not there has no other fault.
        "provider-token-present": "provider-token-valid", "topic-present": "topic-form",
        // No body is both empty and too large.
        "payload-present": "payload-size",
    ]

    @Test func `the list has a fault for every check`() {
        #expect(Fault.inOrder.map(\.checkID) == Pipeline.standard.checks.map(\.id))
    }

    @Test(arguments: Fault.inOrder) func `a push with one fault gets the reason of its check`(_ fault: Fault) {
        let outcome = Fault.scenario([fault]).run()
        #expect(outcome.reason == fault.reason)
        #expect(outcome.checkID == fault.checkID)
    }

    @Test(arguments: FaultPair.all) func `of two faults, the earlier check decides`(_ pair: FaultPair) {
        let outcome = pair.scenario.run()
        #expect(outcome.reason == pair.earlier.reason)
        #expect(outcome.checkID == pair.earlier.checkID)
    }

    @Test func `of all faults, the first check decides`() {
        for place in Fault.inOrder.indices {
            #expect(Fault.scenario(Fault.inOrder[place...]).run().checkID == Fault.inOrder[place].checkID)
        }
    }

    /// The list of faults is sharp enough: were two neighbours swapped, some push would be answered otherwise.
    @Test(arguments: 1..<Pipeline.standard.checks.count)
    func `swapping neighboring checks changes the answer to some push`(_ place: Int) throws {
        let earlier = Pipeline.standard.checks[place - 1].id
        let later = Pipeline.standard.checks[place].id
        let swapped = try Pipeline.standard.reordered([later, earlier])
        let scenarios = Fault.inOrder.map { Fault.scenario([$0]) } + FaultPair.all.map(\.scenario)
        let differs = scenarios.contains { $0.run().reason != $0.run(swapped).reason }
        #expect(differs == (Self.interchangeable[earlier] != later))
    }
}

/// What was seen of the real service, and what has been inferred from it of registered devices.
@Suite struct ObservedPrecedenceTests {
    @Test func `the method is checked before authentication and the device token`() {
        var scenario = Scenario()
        scenario.request.set(":method", "GET")
        scenario.request.setToken("")
        scenario.request.remove("authorization")
        #expect(scenario.run().reason == .methodNotAllowed)
    }

    @Test func `authentication is checked before the device token, the topic and the payload`() {
        var scenario = Scenario()
        scenario.request.setToken("aaaa")
        scenario.request.remove("authorization")
        scenario.request.remove("apns-topic")
        scenario.request.body = Array("{}".utf8)
        #expect(scenario.run().reason == .missingProviderToken)
    }

    @Test(arguments: [(false, Reason.missingProviderToken), (true, .missingDeviceToken)])
    func `authentication is checked before a missing device token`(_ hasToken: Bool, _ expected: Reason) {
        var scenario = Scenario()
        scenario.request.setToken("")
        scenario.request.remove("apns-topic")
        scenario.request.body = Array("test data!".utf8)
        if !hasToken { scenario.request.remove("authorization") }
        #expect(scenario.run().reason == expected)
    }

    @Test(arguments: [String(repeating: "0", count: 64), "abc123", "abc12"])
    func `the provider token is checked before the device token`(_ deviceToken: String) {
        var scenario = Scenario()
        scenario.request.setToken(deviceToken)
        scenario.token.verification = .unknownKey
        scenario.options.unknownTokens = .reject
        scenario.deviceIsKnown = false
        #expect(scenario.run().reason == .invalidProviderToken)
    }

    /// The usual way to find out whether credentials work.
    @Test func `zeros as device token get BadDeviceToken if unknown tokens are rejected`() {
        var scenario = Scenario()
        scenario.request.setToken(String(repeating: "0", count: 64))
        scenario.options.unknownTokens = .reject
        scenario.deviceIsKnown = false
        #expect(scenario.run().reason == .badDeviceToken)
    }

    @Test func `a missing topic is found before a bad device token`() {
        var scenario = Scenario()
        scenario.request.remove("apns-topic")
        scenario.options.unknownTokens = .reject
        scenario.deviceIsKnown = false
        #expect(scenario.run().reason == .missingTopic)
        scenario.request.setToken("abc")
        #expect(scenario.run().reason == .missingTopic)
    }

    @Test func `an unknown device is found before the push type is compared with the topic`() {
        var scenario = Scenario()
        scenario.request.edit("apns-topic") { $0 + ".voip" }
        scenario.options.unknownTokens = .reject
        scenario.deviceIsKnown = false
        #expect(scenario.run().reason == .badDeviceToken)
        scenario.deviceIsKnown = true
        #expect(scenario.run().reason == .invalidPushType)
    }

    /// Observed: one token, sent to both environments with another app's topic.
    @Test func `the environment is checked before the registered topic`() {
        var scenario = Scenario()
        scenario.device.environment = .sandbox
        scenario.device.topic = "com.example.other"
        #expect(scenario.run().reason == .deviceTokenNotForTopic)
        scenario.environment = .production
        #expect(scenario.run().reason == .badDeviceToken)
    }

    /// Observed: with another app's topic, and without any.
    @Test func `a missing topic is found before the registered topic is compared`() {
        var scenario = Scenario()
        scenario.device.topic = "com.example.other"
        #expect(scenario.run().reason == .deviceTokenNotForTopic)
        scenario.request.remove("apns-topic")
        #expect(scenario.run().reason == .missingTopic)
    }

    /// Inferred: each fault mended shows the next one, down to an accepted push.
    @Test func `faults of a device in their order`() {
        var scenario = Scenario()
        scenario.request.setToken("abc")
        scenario.device.environment = .production
        scenario.device.topic = "com.example.other"
        scenario.device.die(as: .expired)
        scenario.request.edit("apns-topic") { $0 + ".voip" }
        scenario.request.set("apns-push-type", "background")
        scenario.options.deviceRate = .init(count: 1, interval: 1)
        scenario.deviceHasRoom = false
        let repairs: [(Reason, (inout Scenario) -> Void)] = [
            (.badDeviceToken, { $0.request.setToken("dead0503") }),
            (.serviceUnavailable, { $0.request.setToken(PushRequest.goodToken) }),
            (.badDeviceToken, { $0.device.environment = .sandbox }),
            (.deviceTokenNotForTopic, { $0.device.topic = nil }),
            (.expiredToken, { $0.device.standing = .unregistered }), (.unregistered, { $0.device.standing = .valid }),
            (.invalidPushType, { $0.request.set("apns-topic", PushRequest.goodTopic) }),
            (.badPriority, { $0.request.set("apns-priority", "5") }), (.tooManyRequests, { $0.deviceHasRoom = true }),
        ]
        for (reason, repair) in repairs {
            #expect(scenario.run().reason == reason)
            repair(&scenario)
        }
        #expect(scenario.run().reason == nil)
    }

    /// Without authentication nothing but these can be learned.
    @Test func `without a provider token, only six reasons are given`() {
        let reasons = FaultPair.all.map { pair in
            var scenario = pair.scenario
            scenario.request.remove("authorization")
            return scenario.run().reason
        }
        let allowed: [Reason] = [
            .shutdown, .badCertificate, .methodNotAllowed, .badPath, .duplicateHeaders, .missingProviderToken,
        ]
        #expect(Set(reasons) == Set(allowed))
    }
}

@Suite struct PipelineTests {
    @Test func `all checks have different names`() {
        let checks = Pipeline.standard.checks
        #expect(Set(checks.map(\.id)).count == checks.count)
        #expect(checks.allSatisfy { !$0.expects.isEmpty && !$0.reasons.isEmpty })
        // A verdict names the check in one byte.
        #expect(checks.count <= 256)
    }

    @Test func `every reason belongs to a check`() {
        let listed = Pipeline.standard.checks.flatMap(\.reasons)
        #expect(Set(listed) == Set(Reason.allCases))
    }

    @Test func `named checks take each other's places`() throws {
        let standard = Pipeline.standard.checks.map(\.id)
        let path = try #require(standard.firstIndex(of: "path"))
        let token = try #require(standard.firstIndex(of: "provider-token-present"))
        let reordered = try Pipeline.standard.reordered(["provider-token-present", "path"])
        var expected = standard
        expected.swapAt(path, token)
        #expect(reordered.checks.map(\.id) == expected)

        let fault = Fault.scenario(Fault.inOrder.filter { ["path", "provider-token-present"].contains($0.checkID) })
        #expect(fault.run().reason == .badPath)
        #expect(fault.run(reordered).reason == .missingProviderToken)
        #expect(fault.run(reordered).verdict.decidedBy == UInt8(path))
    }

    @Test func `named checks take the order given, the others keep their places`() throws {
        let small = Pipeline(checks: [.method, .path, .messageID, .priority, .expiration])
        let reordered = try small.reordered(["apns-priority", "method", "apns-id"])
        #expect(reordered.checks.map(\.id) == ["apns-priority", "path", "method", "apns-id", "apns-expiration"])
    }

    @Test(arguments: [[], ["path"], ["method", "path"], Pipeline.standard.checks.map(\.id)])
    func `an order that is already there changes nothing`(_ ids: [String]) throws {
        let reordered = try Pipeline.standard.reordered(ids)
        #expect(reordered.checks.map(\.id) == Pipeline.standard.checks.map(\.id))
    }

    @Test func `refuses an unknown check`() {
        #expect(throws: Pipeline.OrderProblem.unknownCheck("topic")) {
            try Pipeline.standard.reordered(["path", "topic"])
        }
    }

    @Test func `refuses a check that is named twice`() {
        #expect(throws: Pipeline.OrderProblem.repeatedCheck("path")) {
            try Pipeline.standard.reordered(["path", "method", "path"])
        }
    }

    @Test func `a pipeline without checks accepts everything`() {
        #expect(Scenario().run(Pipeline(checks: [])).verdict == .accepted)
    }
}
