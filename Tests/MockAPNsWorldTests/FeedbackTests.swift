import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The list of tokens that providers should stop pushing to.
@Suite struct FeedbackTests {
    private static let token = DeviceToken.numbered(1)
    private static let hour = JudgingWorld.hour
    private static let day = JudgingWorld.day

    private func text(_ judging: JudgingWorld, since: Int64? = nil) -> [String] {
        judging.devices.feedback(since: since.map { judging.time($0) }).map { entry in
            let token = entry.token.bytes.last.map { "\($0)" } ?? ""
            let hours = { (time: Timestamp) in time.microseconds(since: JudgingWorld.start) / Self.hour }
            return "\(token) \(entry.cause) at \(hours(entry.unregisteredAt)) h, \(entry.reported) reported"
                + (entry.lastReportedAt.map { " last at \(hours($0)) h" } ?? "")
        }
    }

    @Test func `every cause has its entry`() throws {
        let judging = try JudgingWorld(devices: (1...5).map { .phone("phone \($0)", token: .numbered(UInt64($0))) })
        #expect(text(judging) == [])
        _ = try judging.devices.change(.label("phone 4"), .offline)
        _ = try judging.devices.change(.numbered(1), .state(.uninstalled))
        _ = judging.world.advanceClock(by: Self.hour)
        _ = try judging.devices.change(.numbered(2), .state(.expired))
        _ = judging.world.advanceClock(by: Self.hour)
        _ = try judging.devices.rotate(.numbered(3))
        let asked = try #require(DeviceToken(hex: "dead0410"))
        #expect(judging.push(asked) == "410 Unregistered")
        _ = judging.world.advanceClock(by: 30 * Self.day)
        #expect(
            text(judging) == [
                "1 uninstalled at 0 h, 0 reported", "2 expired at 1 h, 0 reported", "3 rotated at 2 h, 0 reported",
                "16 fault at 2 h, 1 reported last at 2 h", "4 inactive at 720 h, 0 reported",
            ])
        let entries = judging.devices.feedback()
        #expect(entries.map(\.label) == ["phone 1", "phone 2", "phone 3", nil, "phone 4"])
        #expect(entries.allSatisfy { $0.topic == "com.example.app" })

        #expect(text(judging, since: 2 * Self.hour).count == 3)
        #expect(text(judging, since: 2 * Self.hour + 1).count == 1)
        #expect(text(judging, since: 720 * Self.hour).count == 1)
        #expect(text(judging, since: 720 * Self.hour + 1).isEmpty)
    }

    @Test func `every answer 410 counts`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token)])
        judging.push(Self.token)
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        for (count, expected) in [(1, 0), (2, 1), (3, 2)] {
            _ = judging.world.advanceClock(by: Self.hour)
            judging.push(Self.token)
            let entry = try #require(judging.devices.feedback().first)
            #expect(entry.reported == count && entry.pushesAfterFirstReport == expected)
            #expect(entry.lastReportedAt == judging.time(Int64(count) * Self.hour))
            #expect(entry.unregisteredAt == JudgingWorld.start)
        }
        // A push that is refused for another reason was not told that the token is dead.
        #expect(judging.push(Self.token) { $0.topic = "com.example.other" } == "400 DeviceTokenNotForTopic")
        #expect(judging.devices.feedback().map(\.reported) == [3])
    }

    @Test func `a token that is registered again leaves the list`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token)])
        for state in [RegistrationState.uninstalled, .expired] {
            _ = try judging.devices.change(Self.token, .state(state))
            judging.push(Self.token)
            #expect(judging.devices.feedback().map(\.reported) == [1])
            _ = try judging.devices.change(Self.token, .state(.registered))
            #expect(judging.devices.feedback().isEmpty)
        }
    }

    @Test func `a forgotten device is not on the list`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token)])
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        try judging.devices.forget(.label("alice"))
        #expect(judging.devices.feedback().isEmpty)
        _ = try judging.devices.add(.phone("alice", token: Self.token))
        #expect(judging.devices.feedback().isEmpty)
    }

    @Test func `a token comes back to a cleared list when it is pushed to`() throws {
        let judging = try JudgingWorld(
            devices: (1...3).map { .phone(token: .numbered(UInt64($0)), topic: "com.example.app") })
        let asked = try #require(DeviceToken(hex: "dead0410"))
        _ = try judging.devices.change(.numbered(1), .state(.uninstalled))
        _ = try judging.devices.change(.numbered(2), .state(.expired))
        _ = try judging.devices.rotate(.numbered(3))
        for token in [.numbered(1), .numbered(1), asked] { judging.push(token) }
        #expect(judging.devices.clearFeedback() == 4)
        #expect(judging.devices.feedback().isEmpty && judging.devices.clearFeedback() == 0)

        _ = judging.world.advanceClock(by: Self.hour)
        for number in 1...3 { judging.push(.numbered(UInt64(number))) }
        judging.push(asked)
        #expect(
            text(judging) == [
                "1 uninstalled at 0 h, 1 reported last at 1 h", "2 expired at 0 h, 1 reported last at 1 h",
                "3 rotated at 0 h, 1 reported last at 1 h", "16 fault at 1 h, 1 reported last at 1 h",
            ])
    }

    /// Tokens that only ask for their answer are bounded, whatever a client makes up.
    @Test func `keeps at most 10,000 tokens that only ask for their answer`() throws {
        let judging = try JudgingWorld()
        let extra: UInt64 = 10
        let count = UInt64(FeedbackList.faultCapacity) + extra
        let first = DeviceToken((0xdead_0410_0000_0000, 0, 0, 0))
        for start in stride(from: 0, to: count, by: 1_000) {
            judging.push(
                (start..<min(count, start + 1_000)).map { .init(DeviceToken((0xdead_0410_0000_0000, 0, 0, $0))) })
        }
        let tokens = judging.devices.feedback().map(\.token)
        #expect(tokens.count == FeedbackList.faultCapacity)
        #expect(!tokens.contains(first) && !tokens.contains(DeviceToken((0xdead_0410_0000_0000, 0, 0, extra - 1))))
        #expect(tokens.contains(DeviceToken((0xdead_0410_0000_0000, 0, 0, extra))))
    }

    /// The answer was right when it was given; the token has been registered again since.
    @Test func `an answer that is overtaken by a new registration reports nothing`() throws {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token)])
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        judging.judge([.init(Self.token)])
        _ = try judging.devices.change(Self.token, .state(.registered))
        judging.publish()
        #expect(judging.devices.feedback().isEmpty)
    }
}
