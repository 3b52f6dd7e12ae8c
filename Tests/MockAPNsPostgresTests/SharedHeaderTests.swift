import MockAPNsLog
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsPostgres

/// The table `header`, which has the texts that header fields of several pushes share.
struct SharedHeaderTests {
    private let server: PostgresServer
    private let url: String

    init() throws {
        server = try PostgresServer.shared()
        url = try server.database()
    }

    private static func token(_ seq: UInt64) -> String { String(repeating: "0\(seq % 10)", count: 32) }

    /// An entry whose pushes differ in their device tokens only, and in what `change` changes.
    private static func entry(
        _ position: UInt64, _ pushes: ClosedRange<UInt64>, _ change: (inout MadePush) -> Void = { _ in }
    ) -> LogEntry {
        .made(position, pushes) { push in
            push.headers = [
                (":method", "POST"), (":path", "/3/device/\(token(push.seq))"), ("apns-topic", "com.example.app"),
                ("x-name", "a\\\n"),
            ]
            change(&push)
        }
    }

    private func store(_ name: String = "default") throws -> PostgresStore {
        try #require(try PostgresLog(url).stores.create(name) as? PostgresStore)
    }

    private func query(_ query: String) throws -> String { try server.query(query, in: url) }

    private func problems(_ name: String = "default") throws -> [String] {
        let data = try PostgresData(url)
        defer { data.close() }
        return try data.world(name).problems()
    }

    /// Few rows are inserted, and many are copied.
    @Test(arguments: [4, 40] as [UInt64]) func `pushes share a text from the second one on, and are read back exactly`(
        count: UInt64
    ) throws {
        let store = try store()
        let entries = [Self.entry(1, 1...count), Self.entry(2, (count + 1)...(2 * count))]
        try store.write(entries)
        #expect(try query("select count(*) || '|' || min(first) from mock_apns.header") == "1|2")
        #expect(
            try query("select count(*) from mock_apns.record where headers = '' and shared is not null")
                == "\(2 * count - 1)")
        #expect(try store.entries() == entries)
        #expect(try store.history.push(seq: 4)?.get() == entries[0].pushes[3])
        #expect(try problems().isEmpty)
    }

    @Test func `the view shows the header fields of each push`() throws {
        try store().write([
            Self.entry(1, 1...3) { push in
                push.headers.append(("apns-id", MadePush.apnsID(of: push.seq)))
                push.echoesID = true
            }
        ])
        for seq in 1...3 as ClosedRange<UInt64> {
            let path = ":path: /3/device/\(Self.token(seq))"
            let rest = "apns-topic: com.example.app\nx-name: a\\x5c\\x0a\napns-id: \(MadePush.apnsID(of: seq))"
            let shown = try query("select headers from mock_apns.push where seq = \(seq)")
            #expect(shown == ":method: POST\n\(path)\n\(rest)")
        }
        #expect(try query("select count(*) from mock_apns.header") == "1")
    }

    @Test func `replicas use texts of their own, also for each other's pushes`() throws {
        let logs = [try PostgresLog(url), try PostgresLog(url)]
        _ = try logs[0].stores.create("default")
        var written: [LogEntry] = []
        for turn in 1...6 as ClosedRange<UInt64> {
            let log = logs[Int(turn % 2)]
            let entry = Self.entry(turn, (turn * 10)...(turn * 10 + 3))
            #expect(try log.beginTurn().position == turn - 1)
            try log.endTurn(turn, with: [SharedEntry(position: turn, namespace: "default", entry: entry)])
            written.append(entry)
        }
        #expect(try query("select count(distinct id) from mock_apns.header") == "2")
        var found: [LogEntry] = []
        try logs[0].visitEntries(after: 0, upTo: 6) { shared throws(StoreError) in found.append(shared.entry) }
        #expect(found == written)
    }

    @Test func `texts of a turn that failed are not used later`() throws {
        let log = try PostgresLog(url)
        _ = try log.stores.create("default")
        func end(_ turn: UInt64, at position: UInt64) throws(StoreError) {
            let entry = Self.entry(1, 1...4)
            try log.endTurn(turn, with: [SharedEntry(position: position, namespace: "default", entry: entry)])
        }
        _ = try log.beginTurn()
        let cut = """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
            """
        _ = try query(cut)
        #expect(throws: StoreError.self) { try end(1, at: 1) }
        #expect(try query("select count(*) from mock_apns.header") == "0")
        while (try? log.beginTurn()) == nil {}
        try end(2, at: 1)
        #expect(try query("select count(*) from mock_apns.push where headers like '%com.example.app%'") == "4")
    }

    /// More texts than are remembered at a time, in a turn and in a copy.
    @Test func `many texts have numbers of their own`() throws {
        let entries = (0..<4 as Range<UInt64>).map { part in
            Self.entry(part + 1, (part * 400 + 1)...(part * 400 + 400)) { push in
                push.headers.append(("x-pair", "\(push.seq / 2)"))
            }
        }
        let store = try store()
        try store.write(entries)
        #expect(try store.entries() == entries)
        #expect(try Int(query("select count(*) from mock_apns.header")) ?? 0 > 300)
        let copy = try self.store("copy")
        try copy.connection.use { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                var texts = HeaderTexts(isCopy: true)
                for entry in entries {
                    var batch = EntryBatch(texts, at: 0)
                    for push in entry.pushes { batch.add(push, stepsAt: 1, of: copy.id) }
                    try connection.run(batch.commands())
                    texts = batch.texts
                }
            }
        }
        let count = "select count(*) from mock_apns.push where namespace = 'copy' and headers like '%x-pair%'"
        #expect(try query(count) == "1600")
    }

    @Test func `texts are used for a limited number of pushes, and go with the last of them`() throws {
        var options = PostgresOptions()
        options.retention.pushes = 3
        options.tidyInterval = 0
        let log = try PostgresLog(url, options: options)
        let store = try #require(try log.stores.create("default") as? PostgresStore)
        var turn: UInt64 = 0
        func write(_ pushes: ClosedRange<UInt64>) throws {
            turn += 1
            #expect(try log.beginTurn().position == turn - 1)
            let entry = Self.entry(turn, pushes)
            try log.endTurn(turn, with: [SharedEntry(position: turn, namespace: "default", entry: entry)])
            try store.write(LogSnapshot.made(turn, firstPush: pushes.lowerBound))
        }
        try write(1...4)
        // The last push that may have the first text; those after it get another one.
        try write(HeaderTexts.span...(HeaderTexts.span + 5))
        try write((HeaderTexts.span + 10)...(HeaderTexts.span + 14))
        #expect(try query("select first from mock_apns.header order by first") == "2\n\(HeaderTexts.span + 11)")
        try write((HeaderTexts.span + 20)...(HeaderTexts.span + 24))
        while try store.tidy(at: 0, keeping: [1, 2]) {}
        #expect(try query("select first from mock_apns.header order by first") == "2\n\(HeaderTexts.span + 11)")
        #expect(try problems().isEmpty)
        // An older push that is kept needs no text.
        while try store.tidy(at: 0, keeping: [1]) {}
        #expect(try query("select first from mock_apns.header") == "\(HeaderTexts.span + 11)")
        #expect(try query("select min(seq) from mock_apns.push") == "1")
        #expect(try problems().isEmpty)
    }

    @Test func `a text that is missing is reported with its pushes`() throws {
        try store().write([Self.entry(1, 1...3)])
        _ = try query("delete from mock_apns.header")
        let found = try problems()
        #expect(found.contains("push 2 cannot be read: it has 0 headers, expected 4"), "\(found)")
    }

    // MARK: Databases of the first version

    /// What the first version had instead of the tables of this one.
    private static let downgrade = """
        set search_path = mock_apns; drop view push; alter table record drop column shared; drop table header;
        create view push as select namespace.name as namespace, seq from record join namespace on namespace.id = namespace;
        update counter set value = 1 where name = 'version'
        """

    @Test func `tables of the first version are upgraded`() throws {
        let before = Self.entry(1, 1...1)
        let after = Self.entry(2, 2...5)
        try store().write([before])
        _ = try query(Self.downgrade)
        _ = try query("create view own as select seq from mock_apns.push")
        let store = try store()
        try store.write([after])
        #expect(try query("select count(*) from own") == "5")
        #expect(try store.entries() == [before, after])
        #expect(try query("select count(*) from mock_apns.push where headers like '%com.example.app%'") == "5")
        #expect(try problems().isEmpty)
    }

    @Test func `tables of the first version are not upgraded while servers use them`() throws {
        let log = try PostgresLog(url)
        _ = try log.join(as: ReplicaStatus(name: "older", address: "a:1", version: "1"))
        _ = try query(Self.downgrade)
        let problem = #expect(throws: StoreError.self) { _ = try PostgresLog(url) }
        #expect(problem?.code == .inUse)
        let seen = "is in use by older: its tables have version 1, expected 2; stop these servers"
        #expect(problem?.description.contains(seen) == true, "\(problem?.description ?? "")")
        log.close()
        try PostgresLog(url).close()
    }
}
