import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// The journal's memory: what a reader holds stays, what nobody holds is used again.
@Suite struct JournalSegmentTests {
    /// Some fifty of them fill a segment.
    private func large(_ mark: Int) -> Draft { .lone(topic: "t\(mark)", body: String(repeating: "x", count: 5_000)) }

    private func topics(_ snapshot: JournalSnapshot) -> [String] {
        snapshot.map { $0.record.withRequest { $0[.apnsTopic]?.text ?? "" } }
    }

    private func bytes(_ snapshot: JournalSnapshot) -> [UInt8] {
        snapshot.flatMap { Array(UnsafeRawBufferPointer(start: $0.record.start, count: Int($0.record.head.length))) }
    }

    @Test func `a snapshot stays as it was`() {
        let journal = Journal(capacity: Journal.Capacity(records: 60))
        for mark in 0..<100 { journal.record(large(mark)) }
        let snapshot = journal.snapshot()
        let (before, names) = (bytes(snapshot), topics(snapshot))
        #expect(snapshot.stretches.count > 1)
        #expect(names == (40..<100).map { "t\($0)" })

        for mark in 100..<600 { journal.record(large(mark)) }
        #expect(topics(snapshot) == names)
        #expect(bytes(snapshot) == before)
        #expect(snapshot.extent.lastSeq == .end(of: 100))
        #expect(topics(journal.snapshot()) == (540..<600).map { "t\($0)" })
    }

    @Test func `a segment that a reader holds is not used again`() throws {
        let journal = Journal(capacity: Journal.Capacity(records: 60))
        for mark in 0..<60 { journal.record(large(mark)) }
        let held = try #require(journal.snapshot().stretches.first?.segment)
        for mark in 60..<400 {
            journal.record(large(mark))
            if mark >= 120 { #expect(!journal.snapshot().stretches.contains { $0.segment === held }) }
        }
        #expect(
            topics(
                JournalSnapshot(
                    stretches: [JournalStretch(segment: held, entries: held.entries[...])], refused: [], pinned: [],
                    extent: journal.extent)
            ).first == "t0")
    }

    @Test func `a segment that nobody holds is used again`() {
        let journal = Journal(capacity: Journal.Capacity(records: 60))
        for mark in 0..<60 { journal.record(large(mark)) }
        // A weak reference holds nothing, and tells the segment from another one at the same address.
        weak let first = journal.snapshot().stretches.first?.segment
        var wasUsedAgain = false
        for mark in 60..<400 {
            journal.record(large(mark))
            let stretches = journal.snapshot().stretches
            if mark >= 120, let first, stretches.contains(where: { $0.segment === first }) { wasUsedAgain = true }
        }
        #expect(wasUsedAgain)
        #expect(first != nil)
        #expect(topics(journal.snapshot()) == (340..<400).map { "t\($0)" })
    }

    /// A page is taken out of a snapshot: what has been evicted meanwhile was delivered all the same.
    @Test func `a record of a snapshot keeps its delivery`() throws {
        let journal = Journal(capacity: Journal.Capacity(records: 2))
        journal.record(.push(), .push(reason: .badTopic))
        let snapshot = journal.snapshot()
        let found = Array(snapshot)
        func deliveries() -> [[UInt64]?] {
            journal.world.records(found, in: snapshot).map { $0.delivery?.steps.map(\.seq) }
        }
        try #require(found.count == 2)
        #expect(deliveries() == [[3], nil])
        journal.record(count: 2)
        #expect(deliveries() == [[3], nil])
    }

    @Test(arguments: [-1, 0, 1, 300_000]) func `a record may be larger than a segment`(excess: Int) throws {
        let overhead = Draft(fields: Draft.lone().fields).recordSize
        let length = JournalSegment.usualCapacity - overhead + excess
        let journal = Journal(capacity: Journal.Capacity(records: 5))
        let huge = Draft.lone(body: String(repeating: "y", count: length))
        for _ in 0..<3 {
            journal.record(.lone(topic: "before"))
            journal.record(huge, .lone(topic: "after"))
            #expect(topics(journal.snapshot()).suffix(3) == ["before", "com.example.app", "after"])
            let seq = try #require(journal.numbers.dropLast().last)
            let record = try #require(journal.push(seq: seq))
            #expect(record.request.body == huge.body)
        }
        #expect(journal.extent.evicted == 4)
        for mark in 0..<5 { journal.record(large(mark)) }
        #expect(topics(journal.snapshot()) == (0..<5).map { "t\($0)" })
    }
}
