import MockAPNsFormats
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// Lints over the journal of a world.
@Suite struct LintHistoryTests {
    private let world: World
    private let context: PushContext

    init() throws { try self.init(keeping: Journal.Capacity()) }

    private init(keeping capacity: Journal.Capacity) throws {
        world = try World(ruleset: Ruleset(), journalCapacity: capacity)
        context = PushContext(world)
    }

    /// What is found in the push of a number; `nil` when there is none.
    private func ids(_ seq: UInt64) -> [Lint]? {
        world.journal.push(seq: seq).map { context.lints(of: PushFacts($0)).map(\.lint) }
    }

    /// Records a push for each of these texts, and returns their numbers.
    @discardableResult private func publish(_ texts: String...) -> [UInt64] {
        let before = world.journal.extent.lastSeq
        world.publish(texts.map(push))
        var query = PushQuery()
        (query.after, query.order) = (before, .ascending)
        return world.journal.pushes(query).pushes.map(\.seq)
    }

    private func push(_ text: String) -> PushDraft {
        var draft = PushDraft.clean
        draft.body = Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8)
        return draft
    }

    @Test func `each push is examined once and in order, whichever is asked for`() {
        let first = publish("a", "a")
        #expect(ids(first[1]) == [.samePushTwice])
        #expect(ids(first[0]) == [])
        let then = publish("b", "a", "b")
        #expect(ids(then[1]) == [.samePushTwice])
        #expect(ids(then[0]) == [])
        #expect(ids(then[2]) == [.samePushTwice])
        #expect(ids(first[1]) == [.samePushTwice], "and nothing twice")
    }

    @Test func `a push in the journal has the findings of its request`() {
        // This world has no schemas.
        let pushes = LintTests.cases.filter { $0.lint != .appSchema }.map(\.push)
        world.publish(pushes)
        let records = (1...world.journal.extent.lastSeq).compactMap { world.journal.push(seq: $0) }
        #expect(records.count == pushes.count)
        for (push, record) in zip(pushes, records) {
            let found = context.lints(of: PushFacts(record)).filter { !$0.lint.looksAtHistory }
            // A fix may name the topic that an earlier push has registered the device token for.
            #expect(found.map(\.lint) == push.findings.map(\.lint))
            #expect(found.map(\.message) == push.findings.map(\.message))
        }
    }

    @Test func `a reset forgets earlier pushes`() {
        #expect(publish("a").map(ids) == [[]])
        _ = world.reset()
        #expect(publish("a", "a").map(ids) == [[], [.samePushTwice]])
    }

    @Test func `pushes that the journal dropped are forgotten`() throws {
        let small = try Self(keeping: Journal.Capacity(records: 10))
        for number in 0..<4_000 {
            small.publish("\(number)")
            guard number % 5 == 0 else { continue }
            _ = small.ids(small.world.journal.extent.firstSeq)
            let last = small.world.journal.pushes(PushQuery()).pushes.first
            _ = last.map { small.context.lints(of: PushFacts($0)) }
        }
        #expect(small.context.lintHistory.weight < 2_000)
    }

    @Test func `pushes are examined once while others arrive`() async {
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<50 { publish("same") } }
                group.addTask {
                    for _ in 0..<50 {
                        for record in world.journal.pushes(PushQuery()).pushes {
                            _ = context.lints(of: PushFacts(record))
                        }
                    }
                }
            }
        }
        var query = PushQuery()
        (query.limit, query.order) = (1_000, .ascending)
        let pushes = world.journal.pushes(query).pushes
        #expect(pushes.count == 200)
        for (position, record) in pushes.enumerated() {
            #expect(context.lints(of: PushFacts(record)).map(\.lint) == (position == 0 ? [] : [.samePushTwice]))
        }
    }

    /// The three ways to ask say the same of every push of the tables.
    @Test func `conditions find the lints that records show`() {
        let drafts = LintTests.cases.map(\.push)
        world.publish(drafts + drafts.suffix(20))
        let context = context
        var query = PushQuery()
        query.limit = .max
        let shown = world.journal.pushes(query).pushes.map { context.lints(of: PushFacts($0)).map(\.lint) }
        #expect(shown.count == drafts.count + 20)
        #expect(shown.contains { $0.contains(.samePushTwice) })
        func matched(_ condition: @escaping PushQuery.Condition) -> Int {
            query.condition = condition
            return world.journal.pushes(query).matched
        }
        for lint in Lint.allCases {
            let wanted = shown.count { $0.contains(lint) }
            let has = matched { Candidate($0, $1, in: context, StepBudget(.max)).hasLint([lint]) }
            #expect(has == wanted, "\(lint.id)")
            let lists = matched { Candidate($0, $1, in: context, StepBudget(.max)).lints.contains(lint) }
            #expect(lists == wanted, "\(lint.id)")
        }
        let any = matched { Candidate($0, $1, in: context, StepBudget(.max)).hasLint(Lint.all) }
        #expect(any == shown.count { !$0.isEmpty })
    }
}
