import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// Requests that the transport refused are kept apart, so that a flood of them evicts no others.
@Suite struct RefusedRecordTests {
    /// A request that HTTP/2 does not allow.
    private static func malformed(body: String = "") -> Draft {
        var draft = Draft.lone(body: body)
        draft.verdict = Verdict(reason: nil, decidedBy: nil)
        draft.status = 0
        draft.problem = "The request is malformed (RST_STREAM PROTOCOL_ERROR): no :path"
        return draft
    }

    @Test func `a flood evicts no other records`() {
        let journal = Journal(capacity: Journal.Capacity(records: 100, bytes: 1 << 20))
        journal.record(count: 50)
        for _ in 0..<2_000 { journal.record(Self.malformed()) }
        journal.record(count: 50)
        let page = journal.pushes(.with { $0.limit = .max })
        #expect(page.pushes.count { $0.problem == nil } == 100)
        #expect(page.pushes.count { $0.problem != nil } == 10)
        #expect(page.extent.firstSeq == .record(1))
        #expect(page.extent.evicted == 1_990)
        #expect(journal.push(seq: .record(2_041))?.problem != nil)
        #expect(journal.push(seq: .record(2_040)) == nil)
    }

    /// A refused request that is still kept does not hide that pushes after it were dropped.
    @Test func `evicted pushes are reported after a refused request`() {
        let journal = Journal(capacity: Journal.Capacity(records: 10))
        journal.record(Self.malformed())
        journal.record(count: 30)
        let extent = journal.extent
        #expect(extent.firstSeq == .record(1))
        #expect(extent.evicted == 20)
        #expect(extent.completeFrom == .record(21) + 1)
        #expect(journal.countKept((1...31).map { .record($0) }) == 11)
    }

    /// The largest malformed requests do not take the place of others either.
    @Test func `a flood of large requests evicts no other records`() {
        let journal = Journal(capacity: Journal.Capacity(records: 1_000, bytes: 1 << 20))
        journal.record(count: 100)
        let large = String(repeating: "x", count: 5_000)
        for _ in 0..<500 { journal.record(Self.malformed(body: large)) }
        let pushes = journal.pushes(.with { $0.limit = .max }).pushes
        #expect(pushes.count { $0.problem == nil } == 100)
        #expect((10..<21).contains(pushes.count { $0.problem != nil }))
    }

    @Test func `lists are in the order of arrival`() {
        let journal = Journal(capacity: Journal.Capacity(records: 100))
        for position in 1...30 { journal.record(position % 5 == 0 ? Self.malformed() : .lone()) }
        #expect(journal.numbers == (1...30).map { .record($0) })
        #expect(journal.pushes(.with { $0.after = .record(9) }).pushes.map(\.seq).first == .record(10))
        let newest = journal.pushes(
            .with {
                $0.limit = 3
                $0.order = .descending
            })
        #expect(newest.pushes.map(\.seq) == [.record(30), .record(29), .record(28)])
    }

    /// Requests of both kinds, put away at random, against two slow lists; events come in their order too.
    @Test(arguments: 1...8) func `agrees with slow lists`(seed: UInt64) {
        var random = Generator(seed: seed)
        let capacity = Journal.Capacity(records: random.number(1...200))
        let journal = Journal(capacity: capacity)
        var (judged, refused): ([UInt64], [UInt64]) = ([], [])
        for round in 1...600 {
            let isRefused = random.number(0...2) == 0
            journal.record(isRefused ? Self.malformed() : .lone())
            if isRefused { refused.append(.record(round)) } else { judged.append(.record(round)) }
            judged.removeFirst(max(0, judged.count - capacity.records))
            refused.removeFirst(max(0, refused.count - (capacity.records + 9) / 10))
            if random.number(0...9) == 0, let seq = (judged + refused).min() {
                #expect(journal.remove(.with { $0.before = seq + 1 }) == 1)
                judged.removeAll { $0 == seq }
                refused.removeAll { $0 == seq }
            }
        }
        let expected = (judged + refused).sorted()
        #expect(journal.numbers == expected)
        #expect(journal.extent.firstSeq == expected.first)
        let page = journal.world.withState { state, _ in
            state.eventPage(from: EventCursor(seq: 0, position: 0, knownLost: 0), limit: .max)
        }
        let arrived = page.items.compactMap { if case .received(let seq) = $0 { seq } else { nil } }
        #expect(arrived == expected)
    }
}
