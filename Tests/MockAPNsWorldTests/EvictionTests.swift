import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

@Suite struct EvictionTests {
    @Test(arguments: [(9, 0), (10, 0), (11, 1), (12, 2), (25, 15)])
    func `keeps the newest 10 records of a journal of 10`(published: Int, evicted: Int) {
        let journal = Journal(capacity: Journal.Capacity(records: 10))
        journal.record(count: published)
        expect(journal, holds: published - evicted, of: published)
    }

    @Test(arguments: [(-1, 1), (0, 0), (1, 0)]) func `drops the oldest records when all together are too large`(
        slack: Int, evicted: Int
    ) {
        let size = Draft.lone().recordSize
        let journal = Journal(capacity: Journal.Capacity(bytes: 10 * size + slack))
        journal.record(count: 10)
        expect(journal, holds: 10 - evicted, of: 10)
        journal.record(count: 1)
        expect(journal, holds: 10 - evicted, of: 11)
    }

    @Test func `a batch can evict its own records`() {
        let journal = Journal(capacity: Journal.Capacity(records: 3))
        journal.record((0..<8).map { _ in .lone() })
        expect(journal, holds: 3, of: 8)
    }

    @Test func `a record larger than the journal is counted but not kept`() {
        let journal = Journal(capacity: Journal.Capacity(bytes: Draft.lone().recordSize))
        journal.record(count: 1)
        journal.record(.lone(body: String(repeating: "x", count: 100)))
        expect(journal, holds: 0, of: 2)
        #expect(journal.counters.received == 2)
        journal.record(count: 1)
        expect(journal, holds: 1, of: 3)
    }

    @Test func `a journal of no records keeps none`() {
        let journal = Journal(capacity: Journal.Capacity(records: 0))
        journal.record(count: 3)
        expect(journal, holds: 0, of: 3)
    }

    @Test func `evicted records are not found`() {
        let journal = Journal(capacity: Journal.Capacity(records: 2))
        var first = Draft.lone()
        first.id = UniqueID(high: 7, low: 7)
        journal.record(first)
        #expect(journal.push(seq: .record(1))?.seq == .record(1))
        #expect(journal.push(apnsID: "00000000-0000-0007-0000-000000000007")?.seq == .record(1))
        journal.record(count: 2)
        #expect(journal.push(seq: .record(1)) == nil)
        #expect(journal.push(seq: .record(2))?.seq == .record(2))
        #expect(journal.push(apnsID: "00000000-0000-0007-0000-000000000007")?.seq == nil)
    }

    @Test func `asking on from an evicted record goes on with the oldest`() {
        let journal = Journal(capacity: Journal.Capacity(records: 2))
        journal.record(count: 5)
        let page = journal.pushes(.with { $0.after = .record(1) })
        #expect(page.pushes.map(\.seq) == [.record(4), .record(5)])
        #expect(page.extent == Journal.Extent(epoch: 1, firstSeq: 7, lastSeq: 10, evicted: 3))
    }

    /// Records of any size, in batches of any size, against a list of sizes.
    @Test(arguments: 1...8) func `eviction agrees with a slow journal`(seed: UInt64) {
        var random = Generator(seed: seed)
        let capacity = Journal.Capacity(records: random.number(1...80), bytes: random.number(2_000...600_000))
        let journal = Journal(capacity: capacity)
        var (sizes, published) = ([Int](), 0)
        for _ in 0..<200 {
            let drafts = (0..<random.number(1...6)).map { _ in
                Draft(body: random.bytes(0...random.pick([10, 500, 5_000])))
            }
            journal.record(drafts)
            published += drafts.count
            sizes += drafts.map(\.recordSize)
            while sizes.count > capacity.records || sizes.reduce(0, +) > capacity.bytes { sizes.removeFirst() }
            let expected = Journal.Extent(
                epoch: 1, firstSeq: .record(published - sizes.count + 1), lastSeq: .end(of: published),
                evicted: UInt64(published - sizes.count))
            guard journal.extent == expected else {
                Issue.record("\(journal.extent) instead of \(expected), after \(published) records")
                return
            }
        }
        #expect(journal.numbers == (published - sizes.count..<published).map { .record($0 + 1) })
    }

    private func expect(
        _ journal: Journal, holds kept: Int, of published: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let extent = Journal.Extent(
            epoch: 1, firstSeq: .record(published - kept + 1), lastSeq: .end(of: published),
            evicted: UInt64(published - kept))
        #expect(journal.extent == extent, sourceLocation: sourceLocation)
        let numbers = (published - kept..<published).map { UInt64.record($0 + 1) }
        #expect(journal.numbers == numbers, sourceLocation: sourceLocation)
    }
}
