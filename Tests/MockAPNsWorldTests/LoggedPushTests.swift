import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsRules
@testable import MockAPNsWorld

/// A record that went through a log is the same, byte for byte.
@Suite struct LoggedPushTests {
    @Test(arguments: 1...40) func `a record comes back from a log`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let journal = Journal()
        journal.record((0..<20).map { _ in RoundTripTests.draft(&random) }, at: Draft.now)
        for found in journal.snapshot() {
            let logged = LoggedPush(found.record, found.entry, sentAt: found.record.head.sentAt)
            let read = try LoggedPush(archive: logged.archive)
            #expect(read == logged)
            try Self.expect(try read.record(), equals: found)
        }
    }

    private static func expect(
        _ read: (words: ContiguousArray<UInt64>, entry: JournalEntry), equals found: FoundRecord
    ) throws {
        read.words.withUnsafeBytes { words in
            guard let start = words.baseAddress else { return }
            let view = RecordView(at: start)
            #expect(view.head.length == found.record.head.length)
            // Memory between members has any value, so this compares what they say, and the bytes after the fields.
            #expect("\(view.head)" == "\(found.record.head)")
            let rest =
                Int(view.head.length) - MemoryLayout<RecordHead>.stride - Int(view.head.fieldCount)
                * MemoryLayout<HeaderField>.stride
            let end = found.record.start + Int(found.record.head.length)
            #expect(words.suffix(rest).elementsEqual(UnsafeRawBufferPointer(start: end - rest, count: rest)))
            view.withRequest { request in
                found.record.withRequest { other in
                    #expect(request.fields.map { "\($0)" } == other.fields.map { "\($0)" })
                }
            }
        }
        var entry = read.entry
        entry = JournalEntry(seq: entry.seq, at: entry.at, offset: found.entry.offset, like: entry)
        #expect("\(entry)" == "\(found.entry)")
    }

    @Test(arguments: UInt64(1)...40) func `changed facts give a record or an error`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let journal = Journal()
        journal.record(RoundTripTests.draft(&random))
        let found = try #require(journal.snapshot().first { _ in true })
        let logged = LoggedPush(found.record, found.entry, sentAt: Draft.now)
        for _ in 0..<300 {
            var changed = logged
            for _ in 0..<random.number(1...3) {
                changed.facts[random.number(0...changed.facts.count - 1)] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.chance(oneIn: 4) { changed.facts.removeLast(random.number(1...changed.facts.count)) }
            guard let read = try? changed.record() else { continue }
            read.words.withUnsafeBytes { _ = PushRecordProbe.read($0) }
        }
    }
}

/// Reads everything of a record.
private enum PushRecordProbe {
    static func read(_ words: UnsafeRawBufferPointer) -> Int {
        guard let start = words.baseAddress else { return 0 }
        let view = RecordView(at: start)
        let texts = view.texts
        return texts.keyID.utf8.count + texts.answer.utf8.count + view.withRequest { $0.fields.count + $0.body.count }
    }
}

extension JournalEntry {
    fileprivate init(seq: UInt64, at: Int64, offset: UInt32, like other: JournalEntry) {
        self.init(seq: seq, at: at, offset: offset)
        (place, generation, first, state) = (other.place, other.generation, other.first, other.state)
        (appState, allowsNotifications) = (other.appState, other.allowsNotifications)
        (hasMore, isRemoved) = (other.hasMore, other.isRemoved)
    }
}
