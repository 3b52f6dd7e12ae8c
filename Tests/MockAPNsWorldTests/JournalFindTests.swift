import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// Records by their numbers, which have gaps of several sizes, in many segments of which the oldest go.
@Suite struct JournalFindTests {
    /// What a record is known by, and its number.
    private struct Known {
        let mark: Int
        let seq: UInt64
        let size: Int
    }

    @Test func `every number of a segment is tried`() {
        let journal = Journal()
        let body = String(repeating: "x", count: 2_000)
        for mark in 0..<400 { journal.record(Self.marked(mark % 3 == 0 ? .push(body: body) : .lone(body: body), mark)) }
        #expect(journal.snapshot().stretches.count > 3)
        var expected: [UInt64: Int] = [:]
        var next: UInt64 = 1
        for mark in 0..<400 {
            expected[next] = mark
            next += mark % 3 == 0 ? 3 : 2
        }
        #expect(journal.extent.lastSeq == next - 1)
        for seq in 0...next + 5 { #expect(journal.push(seq: seq).map(Self.mark) == expected[seq]) }
        #expect(journal.push(seq: .max) == nil)
    }

    /// Any sizes, any answers, eviction by number and by size, against a list.
    @Test(arguments: 1...16) func `the search agrees with a list`(seed: UInt64) {
        var random = Generator(seed: seed)
        let capacity = Journal.Capacity(
            records: random.pick([1, 7, 60, 500]), bytes: random.pick([20_000, 900_000, 64 << 20]))
        let journal = Journal(capacity: capacity)
        var (list, next, made, bytes) = ([Known](), 1 as UInt64, 0, 0)
        for _ in 0..<100 {
            var drafts: [Draft] = []
            for _ in 0..<random.number(1...8) {
                made += 1
                let draft = Self.marked(Self.draft(&random), made)
                list.append(Known(mark: made, seq: next, size: draft.recordSize))
                bytes += list[list.count - 1].size
                next += Self.numbers(of: draft)
                drafts.append(draft)
            }
            journal.record(drafts)
            while list.count > capacity.records || bytes > capacity.bytes { bytes -= list.removeFirst().size }
            let marks = Dictionary(uniqueKeysWithValues: list.map { ($0.seq, $0.mark) })
            let first = list.first?.seq ?? next
            var asked = (0..<20).map { _ in UInt64(random.number(0...Int(next))) }
            asked += [first, first - 1, first + 1, next - 1, next, next + 1]
            asked += list.suffix(3).map(\.seq) + list.prefix(3).map(\.seq)
            for seq in asked {
                let found = journal.push(seq: seq)
                guard found.map(Self.mark) == marks[seq], found.map({ $0.seq == seq }) ?? true else {
                    Issue.record("\(found.map(Self.mark) ?? 0) at \(seq), not \(marks[seq] ?? 0)")
                    return
                }
            }
            let extent = Journal.Extent(
                epoch: 1, firstSeq: first, lastSeq: next - 1, evicted: UInt64(made - list.count))
            #expect(journal.extent == extent)
        }
        #expect(journal.numbers == list.map(\.seq))
    }

    /// What is asked for by number is the same as what a page has.
    @Test func `a record is the same however it is found`() throws {
        let journal = Journal(capacity: Journal.Capacity(records: 50))
        for mark in 0..<120 { journal.record(mark % 4 == 0 ? .push(reason: .badTopic) : .push(topic: "t")) }
        for record in journal.pushes(.with { $0.limit = .max }).pushes {
            let found = try #require(journal.push(seq: record.seq))
            #expect(found.seq == record.seq && found.verdict == record.verdict)
            #expect(found.delivery?.steps.map(\.seq) == record.delivery?.steps.map(\.seq))
            #expect(found.delivery == nil || found.delivery?.steps.map(\.seq) == [record.seq + 2])
        }
    }

    /// What a record is known by stands where nothing depends on it.
    private static func marked(_ draft: Draft, _ mark: Int) -> Draft {
        var draft = draft
        draft.streamID = Int32(mark)
        return draft
    }

    private static func mark(_ record: PushRecord) -> Int { Int(record.streamID) }

    private static func draft(_ random: inout Generator) -> Draft {
        let body = String(repeating: "x", count: random.number(0...random.pick([10, 2_000, 30_000])))
        switch random.number(0...3) {
        case 0: return .lone(body: body)
        case 1: return .push(reason: random.pick(Reason.allCases), body: body)
        default: return .push(body: body)
        }
    }

    /// Arrival, answer, and delivery if there is one.
    private static func numbers(of draft: Draft) -> UInt64 {
        let path = Draft.Field(":path", "/3/device/\(Draft.token)")
        return draft.verdict.reason == nil && draft.fields.contains(path) ? 3 : 2
    }
}
