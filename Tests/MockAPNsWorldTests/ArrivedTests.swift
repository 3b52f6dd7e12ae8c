import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// What is on a device: the notifications that reached it, without those that a later one replaced.
@Suite struct ArrivedTests {
    private static let token = DeviceToken.numbered(1)

    private func alice() throws -> JudgingWorld {
        try JudgingWorld(devices: [
            .phone("alice", token: Self.token) { $0.registrations.append(.init(token: .numbered(2), topic: "b")) },
            .phone("bob", token: .numbered(3)),
        ])
    }

    private func arrived(_ judging: JudgingWorld, _ label: String = "alice") throws -> [UInt64] {
        try judging.devices.arrived(.label(label)).map(\.seq)
    }

    @Test func `a later one of the same app and collapse ID replaces the earlier`() throws {
        let judging = try alice()
        func push(_ token: UInt64, _ collapse: String?) -> UInt64 {
            judging.pushed(.numbered(token)) {
                $0.collapse = collapse
                $0.topic = token == 2 ? "b" : "com.example.app"
            }
        }
        let plain = push(1, nil)
        let first = push(1, "score")
        let other = push(1, "news")
        let elsewhere = push(2, "score")
        let bobs = push(3, "score")
        #expect(try arrived(judging) == [plain, first, other, elsewhere])
        let second = push(1, "score")
        #expect(try arrived(judging) == [plain, other, elsewhere, second])
        let more = push(1, nil)
        #expect(try arrived(judging) == [plain, other, elsewhere, second, more])
        #expect(try arrived(judging, "bob") == [bobs])
    }

    @Test func `notifications are in the order of delivery`() throws {
        let judging = try alice()
        _ = try judging.devices.change(.label("alice"), .with { $0.savesPower = true })
        let late = judging.pushed(Self.token) { $0.priority = .powerConsidering }
        let early = judging.pushed(Self.token)
        #expect(try arrived(judging) == [early])
        _ = try judging.devices.change(.label("alice"), .with { $0.savesPower = false })
        #expect(try arrived(judging) == [early, late])
    }

    @Test func `only what reached the device is listed`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .allowed(false))
        judging.push(Self.token)
        #expect(judging.push(Self.token) { $0.topic = "b" } == "400 DeviceTokenNotForTopic")
        _ = try judging.devices.change(.label("alice"), .offline)
        judging.push(.numbered(2)) { $0.topic = "b" }
        #expect(try arrived(judging).isEmpty)
    }

    /// A collapse id that is still waiting has replaced nothing yet.
    @Test func `a stored notification replaces nothing yet`() throws {
        let judging = try alice()
        let shown = judging.pushed(Self.token) { $0.collapse = "score" }
        _ = try judging.devices.change(.label("alice"), .offline)
        let waiting = judging.pushed(Self.token) { $0.collapse = "score" }
        #expect(try arrived(judging) == [shown])
        #expect(try judging.devices.stored(.label("alice")).map(\.seq) == [waiting])
        _ = try judging.devices.change(.label("alice"), .online)
        #expect(try arrived(judging) == [waiting])
        #expect(try judging.devices.stored(.label("alice")).isEmpty)
    }

    @Test func `a record says where it went and how the app was then`() throws {
        let judging = try alice()
        _ = try judging.devices.change(Self.token, .app(.foreground))
        let seq = judging.pushed(Self.token)
        _ = try judging.devices.change(Self.token, .app(.terminated))
        _ = try judging.devices.change(Self.token, .allowed(false))
        let delivery = try #require(judging.world.journal.push(seq: seq)?.delivery)
        #expect(delivery.deviceLabel == "alice" && delivery.appState == .foreground)
        #expect(delivery.allowsNotifications)
        #expect(delivery.steps.map(\.seq) == [seq + 2] && delivery.steps[0].at == JudgingWorld.start)
        // A label is that of now.
        _ = try judging.devices.change(.label("alice"), .with { $0.label = "alicia" })
        #expect(judging.world.journal.push(seq: seq)?.delivery?.deviceLabel == "alicia")
    }

    @Test func `a record that waits knows no app yet`() throws {
        let judging = try alice()
        _ = try judging.devices.change(.label("alice"), .offline)
        let seq = judging.pushed(Self.token)
        #expect(judging.world.journal.push(seq: seq)?.delivery?.appState == nil)
        #expect(judging.world.journal.push(seq: seq)?.delivery?.deviceLabel == "alice")
    }
}
