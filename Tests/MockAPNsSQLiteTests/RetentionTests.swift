import MockAPNsLog
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsSQLite

struct RetentionTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func store(_ retention: Retention) throws -> SQLiteStore {
        var options = SQLiteStore.Options.small
        options.retention = retention
        let store = try directory.open(options)
        try store.write([.made(1, 1...20)])
        try store.write(.made(1, firstPush: 10))
        try store.write([.made(2, 21...30)])
        try store.write(.made(2, firstPush: 25))
        return store
    }

    @Test func `the oldest pushes go, but none that a snapshot needs`() throws {
        let store = try store(Retention(pushes: 25))
        try store.tidyAll()
        #expect(try store.kept().last == 6)
        #expect(try store.history.extent() == HistoryExtent(count: 25, firstSeq: 6, firstReceivedAt: 6_000))
        store.close()
        let stricter = try self.directory.open(with(Retention(pushes: 3)))
        try stricter.tidyAll()
        #expect(try stricter.kept().last == 10)
    }

    private func with(_ retention: Retention) -> SQLiteStore.Options {
        var options = SQLiteStore.Options.small
        options.retention = retention
        return options
    }

    @Test func `pushes that go before they are searchable leave nothing behind`() throws {
        var options = with(Retention(pushes: 3))
        options.searchBacklog = 25
        let store = try directory.open(options)
        try store.write([.made(1, 1...20)])
        try store.write(.made(1, firstPush: 100))
        try store.write([.made(2)])
        try store.write(.made(2, firstPush: 100))
        try store.tidyAll()
        #expect(try store.kept() == [20, 19, 18])
        try store.write([.made(3, 21...60)])
        try store.tidyAll()
        #expect(try store.kept() == [60, 59, 58])
    }

    @Test func `rows for search go when all of their pushes have gone`() throws {
        let store = try directory.open(with(Retention(pushes: 3)))
        for round in 1...3 as ClosedRange<UInt64> {
            try store.write([.made(round, (round * 20 - 19)...(round * 20))])
            try store.write(.made(round, firstPush: round * 20))
            try store.tidyAll()
        }
        #expect(try store.kept() == [60, 59, 58] + (40...57).reversed())
        #expect(try store.database.number("select min(first) from search") ?? 0 > 20)
    }

    @Test func `pinned pushes stay, and what was written for others goes`() throws {
        let store = try directory.open(with(Retention(pushes: 3)))
        let pins: Set<UInt64> = [2, 3, 25]
        for round in 1...3 as ClosedRange<UInt64> {
            try store.write([.made(round, (round * 20 - 19)...(round * 20))])
            try store.write(.made(round, firstPush: round * 20))
            while try store.tidy(at: 0, keeping: pins) {}
        }
        #expect(try store.kept() == [60, 59, 58] + (40...57).reversed() + [25, 3, 2])
        #expect(try store.database.number("select count(*) from search where first > 3 and last < 25") == 0)
        // Without their pins they are like all others.
        try store.tidyAll()
        #expect(try store.kept().last == 40)
    }

    @Test func `deleting stops when it takes too long, and goes on later`() throws {
        var options = with(Retention(pushes: 3))
        options.tidyStep = 1_000
        options.tidyTime = .zero
        let store = try directory.open(options)
        try store.write([.made(1, 1...100)])
        for position in 1...2 as ClosedRange<UInt64> {
            if position == 2 { try store.write([.made(2)]) }
            try store.write(.made(position, firstPush: 100))
        }
        var (count, most) = (100, 0)
        while try store.tidy(at: 0) {
            let left = try store.kept().count
            most = max(most, count - left)
            count = left
        }
        #expect(most == 16)
        #expect(try store.kept() == [100, 99, 98])
        #expect(try store.history.extent().count == 3)
    }

    @Test func `pushes go when they are too old`() throws {
        let store = try store(Retention(age: 1_000_000))
        try store.tidyAll(at: 1_005_000)
        #expect(try store.kept().last == 5)
    }

    @Test func `pushes go when the file is too large, and it shrinks`() throws {
        var options = SQLiteStore.Options()
        let store = try directory.open(options)
        for position in 1...20 as ClosedRange<UInt64> {
            let pushes = (position * 100)..<(position * 100 + 100)
            try store.write([.made(position, pushes) { $0.body += [UInt8](repeating: 0x20, count: 10_000) }])
        }
        for position in 20...21 as ClosedRange<UInt64> {
            if position == 21 { try store.write([.made(21, [9_000])]) }
            try store.write(.made(position, firstPush: 9_000))
        }
        let before = try store.database.number("pragma page_count") ?? 0
        store.close()
        options.retention.bytes = 2_000_000
        options.tidyStep = 50
        let smaller = try directory.open(options)
        try smaller.tidyAll()
        let after = try smaller.database.number("pragma page_count") ?? 0
        #expect(try smaller.database.usedBytes() <= 2_000_000)
        #expect(after < before / 2)
        #expect(try smaller.kept().count > 50)
    }

    @Test(arguments: [("5", 5), ("20k", 20_000), ("10M", 10_000_000), ("0", nil), ("M", nil), ("-1", nil), ("1m", nil)])
    func `reads a number of pushes with k or M`(text: String, number: Int?) {
        #expect(Retention.pushes(text) == number)
    }

    @Test(arguments: [
        ("7", 7), ("7B", 7), ("3kB", 3_000), ("800MB", 800_000_000), ("5GB", 5_000_000_000), ("9999999TB", nil),
        ("", nil),
    ]) func `reads a size with a unit, and refuses one that is too large`(text: String, number: Int?) {
        #expect(Retention.bytes(text) == number)
    }
}
