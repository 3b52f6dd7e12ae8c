import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// How many numbers a push takes: one for each thing that happens to it.
@Suite struct NumberingTests {
    /// What is pushed, and the numbers of what happens, in the order of the pushes.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pushes: [Draft]
        let numbers: [UInt64]
        /// For each push, its steps.
        let steps: [String]
    }

    private static let offline = String(repeating: "0ff1", count: 16)
    private static let closed = String(repeating: "c105", count: 16)
    private static let silenced = String(repeating: "51e7", count: 16)

    /// A push of the background type.
    private static func background(_ token: String) -> Draft { .push(token: token, type: "background") }

    private static func once(_ token: String) -> Draft {
        var draft = Draft.push(token: token)
        draft.fields.append(Draft.Field("apns-expiration", "0"))
        return draft
    }

    static let rows = [
        Row(
            testDescription: "refused", pushes: [.push(reason: .badTopic), .push(reason: .badTopic)], numbers: [1, 3],
            steps: ["", ""]),
        Row(testDescription: "accepted, for nobody", pushes: [.lone(), .lone()], numbers: [1, 3], steps: ["", ""]),
        Row(
            testDescription: "delivered", pushes: [.push(), .push(), .push(token: "abcd"), .push()],
            numbers: [1, 4, 7, 10], steps: ["3 delivered", "6 delivered", "9 delivered", "12 delivered"]),
        Row(
            testDescription: "stored, and replaced",
            pushes: [.push(token: offline), .push(token: offline), .push(token: offline)], numbers: [1, 4, 8],
            steps: [
                "3 storedDeviceOffline, 6 discardedCollapsed", "7 storedDeviceOffline, 10 discardedCollapsed",
                "11 storedDeviceOffline",
            ]),
        Row(
            testDescription: "discarded", pushes: [once(offline), .push(token: silenced), once(Draft.token)],
            numbers: [1, 4, 7], steps: ["3 discardedExpired", "6 discardedDisabled", "9 delivered"]),
        Row(
            testDescription: "held, and replaced", pushes: [background(closed), background(closed), .lone()],
            numbers: [1, 5, 10], steps: ["3 delivered, 4 held, 8 droppedNewer", "7 delivered, 9 held", ""]),
        Row(
            testDescription: "one of each",
            pushes: [.push(reason: .badTopic), .push(), .lone(), background(closed), .push(token: offline)],
            numbers: [1, 3, 6, 8, 12],
            steps: ["", "5 delivered", "", "10 delivered, 11 held", "14 storedDeviceOffline"]),
    ]

    private static func world() throws -> World {
        var startUp = World.StartUp()
        startUp.clock = Draft.now
        func app(_ token: String) -> DeviceDraft.Registration {
            DeviceDraft.Registration(token: DeviceToken(hex: token), topic: "com.example.app")
        }
        var (closed, silenced) = (app(closed), app(silenced))
        closed.appState = .terminated
        silenced.allowsNotifications = false
        startUp.devices = [
            DeviceDraft(isOnline: false, registrations: [app(offline)]), DeviceDraft(registrations: [closed]),
            DeviceDraft(registrations: [silenced]),
        ]
        return try World(ruleset: Ruleset(), startUp: startUp)
    }

    @Test(arguments: rows) func `every event has a number of its own`(_ row: Row) throws {
        for isOneBatch in [true, false] {
            let journal = try Self.world().journal
            if isOneBatch { journal.record(row.pushes) } else { for push in row.pushes { journal.record(push) } }
            let records = journal.pushes(.with { _ in }).pushes
            #expect(records.map(\.seq) == row.numbers)
            #expect(records.map(\.answeredSeq) == row.numbers.map { $0 + 1 })
            let steps = records.map { record in
                (record.delivery?.steps ?? []).map { "\($0.seq) \($0.event)" }.joined(separator: ", ")
            }
            #expect(steps == row.steps)
            // No number is left out, and none is given twice.
            let all = records.flatMap { [$0.seq, $0.answeredSeq] + ($0.delivery?.steps.map(\.seq) ?? []) }
            #expect(all.sorted() == Array(1...journal.extent.lastSeq))
            #expect(records.map { $0.delivery == nil } == row.pushes.map { $0.verdict.reason != nil })
        }
    }

    /// A step that is taken later has the next number, and its record keeps its own.
    @Test func `what happens later is numbered then`() throws {
        let world = try Self.world()
        let token = try #require(DeviceToken(hex: Self.offline))
        world.journal.record(.push(token: Self.offline), .lone())
        var change = DeviceChange()
        change.isOnline = true
        let report = try world.devices.change(.token(token), change).deliveries
        #expect(report.delivered == [1])
        #expect(world.journal.extent.lastSeq == 6)
        #expect(world.journal.numbers == [1, 4])
        let delivery = try #require(world.journal.push(seq: 1)?.delivery)
        #expect(delivery.steps.map(\.seq) == [3, 6])
        #expect(delivery.state == .deliveredFromStorage)
        world.journal.record(.lone())
        #expect(world.journal.numbers == [1, 4, 7])
        // Who asked on from before the step does not see the record again, and misses none.
        let page = world.journal.pushes(.with { $0.after = 5 })
        #expect(page.pushes.map(\.seq) == [7] && page.nextAfter == 8)
    }
}
