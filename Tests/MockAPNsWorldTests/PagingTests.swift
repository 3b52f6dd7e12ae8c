import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Readers that ask on with `nextAfter` while others publish.
struct PagingTests {
    /// Publishers, and the batches each of them publishes, of 1 to 3 records in turn.
    static let (publishers, batches) = (4, 60)
    static let total = publishers * batches * 2
    /// The number of the last event: nobody gets these pushes.
    static let end = UInt64.end(of: total)

    @Test func `paging loses nothing and repeats nothing`() async {
        let journal = Journal()
        let seen = await withTaskGroup(of: [UInt64].self) { group in
            Self.publish(to: journal, in: &group)
            for limit in [1, 7, 1_000] {
                group.addTask { await Self.readAll(journal, until: Self.end) { $0.limit = limit } }
            }
            return await Self.collect(group)
        }
        #expect(seen.count == 3)
        for numbers in seen { #expect(numbers == (1...Self.total).map { .record($0) }) }
    }

    @Test func `paging with a filter finds all that match`() async {
        let journal = Journal()
        let seen = await withTaskGroup(of: [UInt64].self) { group in
            Self.publish(to: journal, in: &group)
            group.addTask {
                await Self.readAll(journal, until: Self.end) { query in
                    query.limit = 3
                    query.topics = ["publisher2"]
                }
            }
            return await Self.collect(group)
        }
        let everything = journal.pushes(
            .with { query in
                query.limit = .max
                query.topics = ["publisher2"]
            })
        #expect(everything.matched == Self.batches * 2)
        #expect(seen == [everything.pushes.map(\.seq)])
    }

    /// What one publisher published keeps its order, and a batch stays together.
    @Test func `batches stay together`() async {
        let journal = Journal()
        _ = await withTaskGroup(of: [UInt64].self) { group in
            Self.publish(to: journal, in: &group)
            return await Self.collect(group)
        }
        let records = journal.pushes(.with { $0.limit = .max }).pushes
        for publisher in 0..<Self.publishers {
            let own = records.filter { $0.request[.apnsTopic] == "publisher\(publisher)" }
            #expect(own.map(\.streamID) == (0..<Int32(own.count)).map { $0 })
        }
        var position = 0
        while position < records.count {
            let size = Int(records[position].requestOnConnection)
            let batch = records[position..<min(position + size, records.count)]
            #expect(Set(batch.map { $0.request[.apnsTopic] }).count == 1)
            position += size
        }
    }

    private static func publish(to journal: Journal, in group: inout TaskGroup<[UInt64]>) {
        for publisher in 0..<publishers {
            group.addTask {
                var stream: Int32 = 0
                for batch in 0..<batches {
                    let size = batch % 3 + 1
                    let drafts = (0..<size).map { _ in
                        var draft = Draft.lone(topic: "publisher\(publisher)")
                        draft.streamID = stream
                        draft.requestOnConnection = UInt32(size)
                        stream += 1
                        return draft
                    }
                    journal.record(drafts)
                    await Task.yield()
                }
                return []
            }
        }
    }

    private static func readAll(
        _ journal: Journal, until last: UInt64, _ change: @Sendable (inout PushQuery) -> Void
    ) async -> [UInt64] {
        var numbers: [UInt64] = []
        var query = PushQuery.with(change)
        while query.after < last {
            let page = journal.pushes(query)
            numbers += page.pushes.map(\.seq)
            query.after = page.nextAfter
            await Task.yield()
        }
        return numbers
    }

    /// What the readers saw; the publishers saw nothing.
    private static func collect(_ group: TaskGroup<[UInt64]>) async -> [[UInt64]] {
        var seen: [[UInt64]] = []
        for await numbers in group where !numbers.isEmpty { seen.append(numbers) }
        return seen
    }
}
