import MockAPNsRules
import Testing

@testable import MockAPNsWorld

@Suite struct JournalTests {
    let journal = Journal()

    @Test func `an empty journal holds nothing`() {
        let page = journal.pushes(PushQuery())
        #expect(page.pushes.isEmpty)
        #expect(page.matched == 0)
        #expect(page.nextAfter == 0)
        #expect(page.extent == Journal.Extent(epoch: 1, firstSeq: 1, lastSeq: 0, evicted: 0))
        #expect(journal.extent == page.extent)
        #expect(journal.counters == JournalCounters())
        #expect(journal.push(seq: 0) == nil && journal.push(seq: 1) == nil)
        #expect(journal.push(apnsID: "00000000-0000-0001-0000-000000000002") == nil)
    }

    @Test func `an empty batch changes nothing`() {
        journal.record([])
        #expect(journal.extent.lastSeq == 0)
    }

    /// Arrival and answer have a number each; the record goes by the first.
    @Test func `records are numbered from 1`() throws {
        journal.record(.lone(), .lone())
        #expect(journal.numbers == [1, 3])
        journal.record(.lone())
        #expect(journal.numbers == [1, 3, 5])
        #expect(journal.extent == Journal.Extent(epoch: 1, firstSeq: 1, lastSeq: 6, evicted: 0))
        let last = try #require(journal.push(seq: 5))
        #expect(last.seq == 5 && last.answeredSeq == 6 && last.epoch == 1)
    }

    @Test func `records are visible once published`() {
        let batch = RecordBatch()
        Draft.push().append(to: batch)
        #expect(!batch.isEmpty)
        #expect(journal.numbers.isEmpty)
        journal.publish(batch, at: Draft.now)
        #expect(journal.numbers == [1])
    }

    @Test func `a batch can be used again`() {
        let batch = RecordBatch()
        for round in 1...3 {
            Draft.push(topic: "com.example.round\(round)").append(to: batch)
            journal.publish(batch, at: Draft.now)
            batch.removeAll()
            #expect(batch.isEmpty)
        }
        let topics = journal.pushes(.with { _ in }).pushes.map { $0.request[.apnsTopic] }
        #expect(topics == ["com.example.round1", "com.example.round2", "com.example.round3"])
    }

    @Test func `a batch larger than its first memory stays whole`() {
        let drafts = (0..<40).map { Draft.push(topic: "t\($0)", body: String(repeating: "x", count: 4_000)) }
        journal.record(drafts)
        let records = journal.pushes(.with { _ in }).pushes
        #expect(records.map { $0.request[.apnsTopic] } == (0..<40).map { "t\($0)" })
        #expect(records.allSatisfy { $0.request.body.count == 4_000 })
    }

    @Test(arguments: [(1, [5]), (2, [5, 4]), (4, [5, 4, 3, 2]), (5, [5, 4, 3, 2, 1]), (6, [5, 4, 3, 2, 1])])
    func `descending pages hold the newest`(limit: Int, expected: [Int]) {
        journal.record(count: 5)
        var query = PushQuery()
        query.limit = limit
        let page = journal.pushes(query)
        #expect(page.pushes.map(\.seq) == expected.map { .record($0) })
        #expect(page.matched == 5)
        #expect(page.nextAfter == .end(of: 5))
    }

    @Test(arguments: [(1, [1]), (2, [1, 2]), (4, [1, 2, 3, 4]), (5, [1, 2, 3, 4, 5]), (6, [1, 2, 3, 4, 5])])
    func `ascending pages hold the oldest`(limit: Int, expected: [Int]) {
        journal.record(count: 5)
        let page = journal.pushes(.with { $0.limit = limit })
        #expect(page.pushes.map(\.seq) == expected.map { .record($0) })
        #expect(page.matched == 5)
        // A page that is cut asks on behind its last record, a whole one behind everything that happened.
        #expect(page.nextAfter == (limit < 5 ? .record(limit) : .end(of: 5)))
    }

    /// Whoever only wants the count must not be told to ask on behind what it has not seen.
    @Test func `a page of nothing asks on from where it stood`() {
        journal.record(count: 5)
        let page = journal.pushes(
            .with { query in
                query.limit = 0
                query.after = .record(2)
            })
        #expect(page.pushes.isEmpty)
        #expect(page.matched == 3)
        #expect(page.nextAfter == .record(2))
    }

    @Test(
        arguments: [
            (0, nil, [1, 3, 5, 7, 9], 10), (3, nil, [5, 7, 9], 10), (2, nil, [3, 5, 7, 9], 10), (9, nil, [], 10),
            (10, nil, [], 10), (15, nil, [], 15), (0, 7, [1, 3, 5], 6), (0, 8, [1, 3, 5, 7], 7), (1, 5, [3], 4),
            (3, 5, [], 4), (3, 4, [], 3), (7, 3, [], 7), (0, 1, [], 0), (0, 0, [], 0), (5, 15, [7, 9], 10),
            (5, 11, [7, 9], 10), (5, 10, [7, 9], 9),
        ] as [(UInt64, UInt64?, [UInt64], UInt64)]) func `bounds are exclusive`(
            after: UInt64, before: UInt64?, expected: [UInt64], next: UInt64
        )
    {
        journal.record(count: 5)
        let page = journal.pushes(
            .with { query in
                query.after = after
                query.before = before
            })
        #expect(page.pushes.map(\.seq) == expected)
        #expect(page.matched == expected.count)
        #expect(page.nextAfter == next)
    }

    @Test func `records are found by number`() {
        journal.record(.push(topic: "a"), .push(topic: "b"))
        let numbers = journal.numbers
        #expect(numbers.map { journal.push(seq: $0)?.request[.apnsTopic] } == ["a", "b"])
        #expect(numbers.map { journal.push(seq: $0)?.seq } == numbers)
        // The numbers of answers and deliveries are those of no record.
        for seq in 0...journal.extent.lastSeq + 2 where !numbers.contains(seq) {
            #expect(journal.push(seq: seq) == nil)
        }
    }

    @Test func `records are found by the ID of their answer`() {
        var generated = Draft.push(topic: "generated")
        generated.id = UniqueID(high: 0xf412_1b12_e0bf_3266, low: 0xf079_d925_3e98_bf49)
        var echoed = Draft.push(topic: "echoed")
        echoed.id = nil
        echoed.fields.append(Draft.Field("apns-id", "9d3220fe-444B-633e-d1f1-5d0dcb4f537a"))
        journal.record(generated, echoed)
        func topic(_ id: String) -> String? { journal.push(apnsID: id)?.request[.apnsTopic] }
        #expect(topic("F4121B12-E0BF-3266-F079-D9253E98BF49") == "generated")
        #expect(topic("f4121b12-e0bf-3266-f079-d9253e98bf49") == "generated")
        #expect(topic("9D3220FE-444B-633E-D1F1-5D0DCB4F537A") == "echoed")
        #expect(topic("9d3220fe-444b-633e-d1f1-5d0dcb4f537b") == nil)
        journal.record(echoed)
        #expect(journal.push(apnsID: "9d3220fe-444b-633e-d1f1-5d0dcb4f537a")?.seq == journal.numbers.last)
    }

    @Test func `counters count everything that arrived`() {
        let journal = Journal(capacity: Journal.Capacity(records: 2))
        journal.record(.lone(), .push(reason: .badPath), .lone())
        var reset = Draft.push()
        reset.status = 0
        reset.problem = "The request is malformed."
        journal.record(reset)
        let counters = journal.counters
        #expect(counters.received == 4)
        #expect(counters.accepted == 2)
        #expect(counters.rejected == 2)
        // What the transport refused does not take the place of a push.
        #expect(journal.numbers == [.record(2), .record(3), .record(4)])
    }
}
