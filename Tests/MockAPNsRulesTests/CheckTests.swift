import Testing

@testable import MockAPNsRules

@Suite struct CheckTests {
    @Test(arguments: CheckCase.table) func `each request gets the reason and the status of its row`(_ row: CheckCase) {
        let outcome = row.scenario.run()
        #expect(outcome.reason == row.expected)
        #expect(outcome.verdict.status == row.expected?.status ?? 200)
    }

    /// What the documents say of a check is true: it gives no answer that it does not list.
    @Test(arguments: CheckCase.table) func `a check gives only reasons that it lists`(_ row: CheckCase) throws {
        let outcome = row.scenario.run()
        guard let reason = outcome.reason else { return }
        let check = try #require(Pipeline.standard.checks.first { $0.id == outcome.checkID })
        #expect(check.reasons.contains(reason))
    }

    @Test func `all rows have different names`() {
        #expect(Set(CheckCase.table.map(\.name)).count == CheckCase.table.count)
    }

    /// The reasons that a provider can meet without asking for them by the device token.
    @Test(arguments: [
        Reason.badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
        .duplicateHeaders, .invalidPushType, .missingDeviceToken, .missingTopic, .payloadEmpty, .topicDisallowed,
        .expiredProviderToken, .invalidProviderToken, .missingProviderToken, .badEnvironmentKeyInToken,
        .unrelatedKeyIDInToken, .badPath, .methodNotAllowed, .payloadTooLarge, .tooManyProviderTokenUpdates,
        .tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown, .deviceTokenNotForTopic, .unregistered,
        .expiredToken,
    ]) func `a provider can get each reason without asking for it`(_ reason: Reason) {
        #expect(Self.answeredByItself.contains(reason))
    }

    /// Every check refuses some row: none stands there for show.
    @Test(arguments: Pipeline.standard.checks.map(\.id)) func `every check refuses a push of the table`(_ id: String) {
        #expect(CheckCase.table.contains { $0.scenario.run().checkID == id })
    }

    /// Every listed answer of a check is given in some row, so that no document promises too much.
    @Test(arguments: Pipeline.standard.checks.filter { $0.id != "answer-token" }.map(\.id))
    func `every reason that a check lists is given`(_ id: String) throws {
        let check = try #require(Pipeline.standard.checks.first { $0.id == id })
        let given = CheckCase.table.map { $0.scenario.run() }.filter { $0.checkID == id }.compactMap(\.reason)
        #expect(Set(given) == Set(check.reasons))
    }

    /// Every option is flipped in some row, but for four that do not matter to verdicts on pushes: the content type of
    /// errors, how many of them end a connection, what the binary interface sends for one, and the rate of broadcasts.
    @Test func `the table changes every option that verdicts depend on`() {
        let defaults = Self.values(of: RuleOptions())
        var untouched = Set(defaults.keys)
        for row in CheckCase.table {
            for (name, value) in Self.values(of: row.scenario.options) where value != defaults[name] {
                untouched.remove(name)
            }
        }
        #expect(untouched == ["channelRate", "sendsErrorContentType", "errorLimit", "gatewayReportsUnregistered"])
    }

    @Test func `strict mode refuses what is accepted leniently`() {
        var options = RuleOptions()
        options.isStrict = true
        var good = Scenario()
        good.options = options
        #expect(good.run().reason == nil)

        var unknown = good
        unknown.deviceIsKnown = false
        #expect(unknown.run().reason == .badDeviceToken)
        var text = good
        text.token.issuedAtIsText = true
        #expect(text.run().reason == nil)
        var upper = good
        upper.request.edit("apns-id") { $0.uppercased() }
        #expect(upper.run().reason == .badMessageID)
        var broken = good
        broken.request.body = Array("{".utf8)
        #expect(broken.run().reason == .badRequestPayload)
        for (depth, reason) in [(512, nil), (513, Reason.badRequestPayload)] {
            let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            broken.request.body = Array(brackets.utf8)
            #expect(broken.run().reason == reason)
        }
    }

    /// The first of several equal headers is the one that counts where repetition is allowed.
    @Test func `the first of repeated headers counts where repetition is allowed`() {
        var request = PushRequest()
        request.add(":path", "/4/elsewhere")
        #expect(Connection().push(request: request).reason == nil)
    }

    @Test func `only a push that passes all other checks counts for the device's rate`() {
        var options = RuleOptions()
        options.deviceRate = .init(count: 1, interval: 1)
        let connection = Connection()
        var wrong = PushRequest()
        wrong.remove("apns-topic")
        _ = connection.push(options: options, request: wrong)
        #expect(connection.devices.counted.isEmpty)
        _ = connection.push(options: options)
        #expect(connection.devices.counted.map(\.hex) == [PushRequest.goodToken])
    }

    private static let answeredByItself: Set<Reason> = Set(
        CheckCase.table.map { $0.scenario.run() }.filter { $0.checkID != "answer-token" }.compactMap(\.reason))

    private static func values(of options: RuleOptions) -> [String: String] {
        var values: [String: String] = [:]
        for child in Mirror(reflecting: options).children { values[child.label ?? ""] = "\(child.value)" }
        return values
    }
}
