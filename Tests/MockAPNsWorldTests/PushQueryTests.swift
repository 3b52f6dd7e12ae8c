import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct PushQueryTests {
    /// A condition, and which records it is to find, counted from 1.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout PushQuery) -> Void
        let expected: [Int]

        init(_ testDescription: String, _ expected: [Int], change: @escaping @Sendable (inout PushQuery) -> Void) {
            self.testDescription = testDescription
            self.change = change
            self.expected = expected
        }
    }

    static let upper = DeviceToken(hex: "ABCDEF")!
    static let usual = DeviceToken(hex: Draft.token)!

    /// What is in the journal.
    static let records: [Draft] = {
        var noPath = Draft(fields: [Draft.Field("apns-topic", "com.example.b")])
        noPath.verdict = Verdict(reason: .methodNotAllowed, decidedBy: 1)
        var malformed = Draft(fields: [Draft.Field(":path", "/3/device/abcdef")])
        malformed.status = 0
        malformed.problem = "The request is malformed."
        return [
            .push(token: "abcdef", topic: "com.example.a", type: "alert"),
            .push(token: "ABCDEF", topic: "com.example.b", type: "background"),
            .push(token: "aBcDeF", topic: "com.example.b.voip", type: "voip", reason: .badDeviceToken),
            .push(topic: "com.example.a", reason: .badPriority),
            .push(token: "not-hex", topic: "com.example.c", type: "no-such-type", reason: .badDeviceToken), noPath,
            malformed,
        ]
    }()

    static let rows = [
        Row("nothing", [1, 2, 3, 4, 5, 6, 7]) { _ in }, Row("token", [1, 2, 3, 7]) { $0.tokens = [upper] },
        Row("another token", [4]) { $0.tokens = [usual] },
        Row("either token", [1, 2, 3, 4, 7]) { $0.tokens = [usual, upper] },
        Row("no such token", []) { $0.tokens = [DeviceToken(hex: "abcd")!] },
        Row("topic", [2, 6]) { $0.topics = ["com.example.b"] },
        Row("either topic", [1, 2, 4, 6]) { $0.topics = ["com.example.b", "com.example.a"] },
        Row("part of a topic", []) { $0.topics = ["com.example"] },
        Row("topic in another letter case", []) { $0.topics = ["COM.EXAMPLE.B"] },
        Row("push type", [1]) { $0.pushTypes = ["alert"] },
        Row("either push type", [1, 3]) { $0.pushTypes = ["voip", "alert"] },
        Row("unknown push type", [5]) { $0.pushTypes = ["no-such-type"] },
        Row("accepted", [1, 2]) { $0.outcomes = [.accepted] },
        Row("rejected", [3, 4, 5, 6, 7]) { $0.outcomes = [.rejected] },
        Row("either outcome", [1, 2, 3, 4, 5, 6, 7]) { $0.outcomes = [.rejected, .accepted] },
        Row("reason", [3, 5]) { $0.reasons = [.badDeviceToken] },
        Row("either reason", [3, 4, 5]) { $0.reasons = [.badDeviceToken, .badPriority] },
        Row("a reason that nobody got", []) { $0.reasons = [.shutdown] },
        Row("condition", [6]) { $0.condition = { request, _ in request[.path] == nil } },
        Row("token and outcome", [1, 2]) { query in
            query.tokens = [upper]
            query.outcomes = [.accepted]
        },
        Row("topic, push type and token", [2]) { query in
            query.tokens = [upper]
            query.topics = ["com.example.a", "com.example.b"]
            query.pushTypes = ["background"]
        },
        Row("reason and the other outcome", []) { query in
            query.reasons = [.badPriority]
            query.outcomes = [.accepted]
        },
        Row("topic after a number", [4]) { query in
            query.topics = ["com.example.a"]
            query.after = 1
        },
        Row("condition and reason", [3]) { query in
            query.reasons = [.badDeviceToken]
            query.condition = { request, _ in request[.apnsTopic]?.hasSuffix(".voip") == true }
        },
    ]

    @Test(arguments: rows) func `finds what matches`(_ row: Row) {
        let journal = Journal()
        journal.record(Self.records)
        let page = journal.pushes(.with(row.change))
        #expect(positions(page, in: journal) == row.expected)
        #expect(page.matched == row.expected.count)
        #expect(page.nextAfter == journal.extent.lastSeq)
    }

    @Test(arguments: rows) func `counts matching pushes beyond the limit`(_ row: Row) {
        let journal = Journal()
        journal.record(Self.records)
        for order in PushQuery.Order.allCases {
            var query = PushQuery.with(row.change)
            query.order = order
            query.limit = 1
            let page = journal.pushes(query)
            let inOrder = order == .ascending ? row.expected : row.expected.reversed()
            #expect(positions(page, in: journal) == Array(inOrder.prefix(1)))
            #expect(page.matched == row.expected.count)
        }
    }

    /// The state is the one of now, not the one of the time of the push.
    @Test func `a push is found by its present state`() throws {
        var startUp = World.StartUp()
        startUp.clock = Draft.now
        let (token, silent) = (DeviceToken(hex: Draft.token)!, DeviceToken(hex: "abcd")!)
        startUp.devices = [
            DeviceDraft(label: "phone", isOnline: false, registrations: [.init(token: token, topic: "a")]),
            DeviceDraft(registrations: [.init(token: silent, topic: "a", allowsNotifications: false)]),
        ]
        let world = try World(ruleset: Ruleset(), startUp: startUp)
        world.journal.record(.push(topic: "a"), .push(topic: "a"), .push(token: "abcd", topic: "a"), .lone())
        func found(_ states: String...) -> [Int] {
            positions(world.journal.pushes(.with { $0.deliveries = states }), in: world.journal)
        }
        #expect(found("discarded-collapsed") == [1])
        #expect(found("stored-device-offline") == [2])
        #expect(found("discarded-disabled") == [3])
        #expect(found("not-attempted") == [4])
        #expect(found("stored-device-offline", "discarded-collapsed") == [1, 2])
        #expect(found("not-attempted", "discarded-disabled", "stored-device-offline") == [2, 3, 4])
        #expect(found("held").isEmpty && found("delivered").isEmpty && found("").isEmpty)
        #expect(found("delivered-from-storage").isEmpty)
        var change = DeviceChange()
        change.isOnline = true
        _ = try world.devices.change(.label("phone"), change)
        #expect(found("stored-device-offline").isEmpty)
        #expect(found("delivered-from-storage") == [2])
        world.journal.record(.push(topic: "a"), .push(topic: "a", reason: .badTopic))
        #expect(found("delivered") == [5])
        #expect(found("not-attempted") == [4, 6])
        // Together with other conditions, as any of them.
        var query = PushQuery.with { $0.deliveries = ["delivered", "not-attempted"] }
        query.tokens = [token]
        #expect(positions(world.journal.pushes(query), in: world.journal) == [5, 6])
        query.outcomes = [.accepted]
        #expect(positions(world.journal.pushes(query), in: world.journal) == [5])
        query.after = world.journal.pushes(query).pushes[0].seq
        #expect(positions(world.journal.pushes(query), in: world.journal) == [])
    }

    /// Where the records of a page stand in the journal, counted from 1.
    private func positions(_ page: PushPage, in journal: Journal) -> [Int] {
        let numbers = journal.numbers
        return page.pushes.compactMap { push in numbers.firstIndex(of: push.seq).map { $0 + 1 } }
    }
}
