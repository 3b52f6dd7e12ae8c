import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct PushQueryTests {
    /// A condition and the numbers it is to find.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout PushQuery) -> Void
        let expected: [UInt64]

        init(
            _ testDescription: String,
            _ expected: [UInt64],
            change: @escaping @Sendable (inout PushQuery) -> Void
        ) {
            self.testDescription = testDescription
            self.change = change
            self.expected = expected
        }
    }

    static let upper = DeviceToken(hex: "ABCDEF")!
    static let usual = DeviceToken(hex: Draft.token)!

    /// What is in the journal, numbered from 1.
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
            .push(token: "not-hex", topic: "com.example.c", type: "no-such-type", reason: .badDeviceToken),
            noPath,
            malformed,
        ]
    }()

    static let rows = [
        Row("nothing", [1, 2, 3, 4, 5, 6, 7]) { _ in },
        Row("token", [1, 2, 3, 7]) { $0.tokens = [upper] },
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
        Row("condition", [6]) { $0.condition = { $0[.path] == nil } },
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
            query.condition = { $0[.apnsTopic]?.hasSuffix(".voip") == true }
        },
    ]

    @Test(arguments: rows)
    func findsWhatMatches(_ row: Row) {
        let journal = Journal()
        journal.record(Self.records)
        let page = journal.pushes(.with(row.change))
        #expect(page.pushes.map(\.seq) == row.expected)
        #expect(page.matched == row.expected.count)
        #expect(page.nextAfter == 7)
    }

    @Test(arguments: rows)
    func countsWhatTheLimitCutsOff(_ row: Row) {
        let journal = Journal()
        journal.record(Self.records)
        for order in PushQuery.Order.allCases {
            var query = PushQuery.with(row.change)
            query.order = order
            query.limit = 1
            let page = journal.pushes(query)
            let inOrder = order == .ascending ? row.expected : row.expected.reversed()
            #expect(page.pushes.map(\.seq) == Array(inOrder.prefix(1)))
            #expect(page.matched == row.expected.count)
        }
    }
}
