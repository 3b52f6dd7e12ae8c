import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsSQLite

struct HistoryTests {
    private let directory: ScratchDirectory
    private let store: SQLiteStore
    private let pushes: [MadePush]

    init() throws {
        directory = try ScratchDirectory()
        store = try directory.open(.small)
        pushes = (1...60).map { MadePush($0) }
        // Twenty pushes are not searchable yet.
        try store.write([.made(1, 1...40)])
        try store.tidyAll()
        try store.write([.made(2, 41...60)])
    }

    /// The same searches while a part of the pushes that wait has become searchable.
    private func check(_ query: PushQuery, _ matches: (MadePush) -> Bool) throws {
        try compare(query, matches)
        for _ in 0..<32 { _ = try store.tidy(at: 0) }
        try compare(query, matches)
        try store.tidyAll()
        try compare(query, matches)
    }

    /// Compares a search with the pushes that match.
    private func compare(_ query: PushQuery, _ matches: (MadePush) -> Bool) throws {
        let expected = pushes.filter(matches).map(\.seq).reversed()
        #expect(!expected.isEmpty)
        for most in [1, 7, 100] {
            for before in [UInt64.max, 50, 33] {
                let found = try store.kept(query, before: before, most: most)
                #expect(found == Array(expected.filter { $0 < before }.prefix(most)))
                var oldestFirst = query
                oldestFirst.order = .ascending
                let first = try store.kept(oldestFirst, before: before, most: most)
                #expect(first == Array(expected.reversed().filter { $0 < before }.prefix(most)))
            }
        }
    }

    @Test func `some pushes are searchable, and some are not yet`() throws {
        let indexed = try store.database.number("select indexed from head")
        #expect(indexed == 40)
        #expect(try store.database.searchEntries().count == 120)
    }

    @Test func `all pushes are found, newest first`() throws { try check(PushQuery()) { _ in true } }

    @Test func `numbers limit a search`() throws {
        var query = PushQuery()
        query.after = 20
        query.before = 55
        try check(query) { $0.seq > 20 && $0.seq < 55 }
    }

    @Test func `pushes to one or two device tokens are found`() throws {
        var query = PushQuery()
        query.tokens = [try #require(DeviceToken(hex: MadePush.token(of: 1).uppercased()))]
        try check(query) { $0.seq % 5 == 1 }
        query.tokens.append(try #require(DeviceToken(hex: MadePush.token(of: 2))))
        try check(query) { $0.seq % 5 == 1 || $0.seq % 5 == 2 }
        query.topics = ["com.example.other"]
        try check(query) { ($0.seq % 5 == 1 || $0.seq % 5 == 2) && $0.seq % 3 == 0 }
    }

    @Test func `topics, push types, reasons, outcomes and deliveries are found`() throws {
        var query = PushQuery()
        query.topics = ["com.example.other", "com.example.none"]
        try check(query) { $0.seq % 3 == 0 }
        query = PushQuery()
        query.pushTypes = ["background"]
        try check(query) { $0.seq % 2 == 1 }
        query = PushQuery()
        query.reasons = [.badTopic]
        try check(query) { $0.seq % 8 == 0 }
        query = PushQuery()
        query.outcomes = [.rejected]
        try check(query) { $0.seq % 4 == 0 }
        query.outcomes = [.rejected, .accepted]
        try check(query) { _ in true }
        query = PushQuery()
        query.deliveries = ["stored-device-offline"]
        try check(query) { $0.seq % 4 != 0 }
        query.deliveries = [PushQuery.notAttempted]
        try check(query) { $0.seq % 4 == 0 }
    }

    @Test(arguments: [7, 58] as [UInt64]) func `a push is found by its apns-id in lower case`(seq: UInt64) throws {
        let found = try store.history.push(apnsID: MadePush.apnsID(of: seq))
        #expect(try found?.get() == .made(seq, at: seq > 40 ? 2 : 1))
        #expect(try store.history.push(apnsID: "none") == nil)
    }

    @Test(arguments: [1, 40, 60]) func `pushes are found once after a crash between two parts`(parts: Int) throws {
        for _ in 0..<parts { _ = try store.tidy(at: 0) }
        store.close()
        let reopened = try directory.open(.small)
        try reopened.write([.made(3, 61...90)])
        try reopened.tidyAll()
        #expect(try reopened.database.number("select indexed from head") == 90)
        #expect(try reopened.database.searchEntries().count >= 3 * 90)
        for order in [PushQuery.Order.ascending, .descending] {
            var query = PushQuery()
            query.topics = ["com.example.other"]
            query.order = order
            for most in [1, 5, 12, 25, 100] {
                let all = (1...90 as ClosedRange<UInt64>).filter { $0 % 3 == 0 }
                let expected = order == .ascending ? all : all.reversed()
                #expect(try reopened.kept(query, most: most) == Array(expected.prefix(most)))
            }
        }
    }

    @Test func `a file whose pushes are not searchable becomes so when it is opened`() throws {
        try store.database.execute("delete from search; update head set indexed = 0")
        store.close()
        var options = SQLiteStore.Options.small
        options.searchBacklog = 1
        let reopened = try directory.open(options)
        // Those that do not fit into memory are written at once, the others later.
        #expect(try reopened.database.searchEntries().count == 3 * 32)
        try reopened.tidyAll()
        #expect(try reopened.database.searchEntries().count == 180)
        let found = try reopened.history.push(apnsID: MadePush.apnsID(of: 7))
        #expect(try found?.get() == .made(7, at: 1))
    }

    @Test func `searches read indexes`() throws {
        func plan(_ query: PushQuery) throws -> String {
            let search = HistorySearch(query, in: 0..<50, atMost: 5)
            return try search.plan(in: store.database).joined(separator: "; ")
        }
        var query = PushQuery()
        query.outcomes = [.rejected]
        #expect(try plan(query).contains("record_rejected"))
        query = PushQuery()
        query.tokens = [try #require(DeviceToken(hex: "ab"))]
        #expect(try plan(query).contains("SEARCH search USING INDEX search_part (part=? AND last"))
        for query in [PushQuery(), query] { #expect(try !plan(query).contains("TEMP B-TREE")) }
    }

    @Test func `a closed store says so`() {
        store.close()
        #expect(throws: StoreError(.failed, "cannot use \(directory.file): it was closed; restart mock-apns")) {
            try store.history.extent()
        }
    }

    @Test func `reading sees what was written while connections wait for the next call`() throws {
        _ = try store.kept()
        try store.write([.made(3, [61])])
        #expect(try store.kept().first == 61)
    }
}
