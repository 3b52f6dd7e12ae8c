import MockAPNsLog
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsSQLite

/// The table `header`, which has the texts that header fields of several pushes share.
struct SharedHeaderTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

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

    private static func id(_ seq: UInt64) -> String { MadePush.apnsID(of: seq) }

    private func number(_ query: String, _ store: SQLiteStore) throws -> Int64? { try store.database.number(query) }

    @Test func `pushes share a text from the second one on, and are read back exactly`() throws {
        let store = try directory.open()
        let entries = [Self.entry(1, 1...4), Self.entry(2, 5...6)]
        for entry in entries { try store.write([entry]) }
        #expect(try number("select count(*) from header", store) == 1)
        #expect(try number("select count(*) from record where shared is null", store) == 1)
        #expect(try number("select count(*) from record where headers = ''", store) == 5)
        #expect(try number("select first from header where last is null", store) == 2)
        #expect(try store.entries() == entries)
        #expect(try store.history.push(seq: 4)?.get() == entries[0].pushes[3])
        store.close()
        #expect(try StoredWorld(path: directory.file).problems().isEmpty)
        #expect(try directory.open().entries() == entries)
    }

    @Test func `the view shows the header fields of each push`() throws {
        let store = try directory.open()
        try store.write([
            Self.entry(1, 1...3) { push in
                push.headers.append(("apns-id", Self.id(push.seq)))
                push.echoesID = true
            }
        ])
        for seq in 1...3 as ClosedRange<UInt64> {
            let shown = try store.database.rows("select headers from push where seq = \(seq)") { $0.text(0) }
            let path = ":path: /3/device/\(Self.token(seq))"
            let rest = "apns-topic: com.example.app\nx-name: a\\x5c\\x0a\napns-id: \(Self.id(seq))\n"
            #expect(shown == [":method: POST\n\(path)\n\(rest)"])
        }
        #expect(try number("select count(*) from header", store) == 1)
        let found = try store.history.push(apnsID: Self.id(3))
        #expect(found?.seq == 3)
    }

    /// What differs between the pushes, so that they share no text.
    @Test(arguments: ["case of token", "own header", "apns-id that is not echoed", "token in another field", "order"])
    func `pushes that differ keep their own texts`(difference: String) throws {
        let entry = Self.entry(1, 1...4) { push in
            let seq = push.seq
            switch difference {
            case "case of token": push.headers[1].value = "/3/device/" + String(repeating: "A\(seq)", count: 32)
            case "own header": push.headers.append(("x-other", "\(seq)"))
            case "apns-id that is not echoed": push.headers.append(("apns-id", Self.id(seq + 100)))
            case "token in another field": push.headers.append(("x-token", Self.token(seq)))
            default: if seq % 2 == 0 { push.headers.swapAt(2, 3) }
            }
        }
        let store = try directory.open()
        try store.write([entry])
        #expect(try store.entries() == [entry])
        #expect(try number("select count(*) from header", store) == (difference == "order" ? 2 : 0))
    }

    @Test func `pushes in turn share two texts`() throws {
        let entry = Self.entry(1, 1...20) { if $0.seq % 2 == 0 { $0.headers[2].value = "com.example.other" } }
        let store = try directory.open()
        try store.write([entry])
        #expect(try store.entries() == [entry])
        #expect(try number("select count(*) from header", store) == 2)
        #expect(try number("select count(*) from record where shared is null", store) == 2)
    }

    @Test func `a text that a failed change has added is not used later`() throws {
        let store = try directory.open()
        #expect(throws: StoreError.self) { try store.write([Self.entry(1, 1...4), Self.entry(3, 5...6)]) }
        #expect(try number("select count(*) from header", store) == 0)
        let entry = Self.entry(1, 1...4)
        try store.write([entry])
        #expect(try store.entries() == [entry])
    }

    @Test func `after a start, pushes share other texts, and those before get an end`() throws {
        let first = try directory.open()
        try first.write([Self.entry(1, 1...4)])
        first.close()
        let store = try directory.open()
        let entry = Self.entry(2, 5...8)
        try store.write([entry])
        #expect(try store.entries(after: 1) == [entry])
        #expect(try number("select last from header where id = 1", store) == 4)
        #expect(try number("select count(*) from header where last is null", store) == 1)
    }

    @Test func `texts are used for a limited number of pushes, and go with the last of them`() throws {
        var options = SQLiteStore.Options.small
        options.retention.pushes = 5
        let store = try directory.open(options)
        var next: UInt64 = 1
        for position in 1...3 as ClosedRange<UInt64> {
            let last = next + (position == 1 ? UInt64(options.sharingPushes) - 1 : 9)
            try store.write([Self.entry(position, next...last)])
            try store.write(.made(position, firstPush: next))
            next = last + 1
        }
        let ends = try store.database.rows("select coalesce(last, 0) from header order by id") { $0.integer(0) }
        #expect(ends == [50, 0])
        try store.tidyAll()
        #expect(try number("select count(*) from header", store) == 1)
        #expect(try store.entries(after: 2).first?.pushes.count == 10)
    }

    @Test func `a text that is missing is reported with its pushes`() throws {
        let store = try directory.open()
        try store.write([Self.entry(1, 1...3)])
        try store.database.execute("delete from header")
        store.close()
        let problems = try StoredWorld(path: directory.file).problems()
        #expect(problems.contains("push 2 cannot be read: it has 0 headers, expected 4"), "\(problems)")
    }

    // MARK: Databases of the first version

    /// What the first version had instead of the tables of this one.
    private static let downgrade = """
        drop view push;
        alter table record drop column shared;
        drop table header;
        drop index record_time;
        create index record_received on record (received_at);
        create view push as select seq, received_at as time, received_at, answered_at, id, topic, token, push_type,
            environment, status, reason, delivery, headers, body, facts, position from record;
        pragma user_version = 1
        """

    @Test(arguments: [false, true]) func `a database of the first version is upgraded`(byCommand: Bool) throws {
        let entry = LogEntry.made(1, 1...40)
        let old = try directory.open(.small)
        try old.write([entry])
        try old.write(.made(1, firstPush: 1))
        try old.tidyAll()
        try old.database.execute(Self.downgrade)
        old.close()
        if byCommand { #expect(try StoredWorld(path: directory.file).facts().version == 2) }
        let store = try directory.open(.small)
        #expect(try store.entries() == [entry])
        let later = Self.entry(2, 41...60)
        try store.write([later])
        #expect(try store.entries(after: 1) == [later])
        #expect(try number("select count(*) from record where shared is not null", store) == 19)
        #expect(try store.history.push(apnsID: Self.id(7))?.seq == 7)
        let names = try store.database.rows("select name from sqlite_schema where type = 'index'") { $0.text(0) }
        #expect(names.contains("record_time") && !names.contains("record_received"))
        store.close()
        #expect(try StoredWorld(path: directory.file).problems().isEmpty)
    }

    @Test func `a database of the first version without a table is refused, and stays as it is`() throws {
        let old = try directory.open()
        try old.write([.made(1, 1...4)])
        try old.database.execute("\(Self.downgrade); drop table step")
        old.close()
        let error = #expect(throws: StoreError.self) { try directory.open() }
        #expect(error?.description.contains("is damaged: the table step is missing") == true)
        let other = try Database(directory.file, .read)
        #expect(try other.number("pragma user_version") == 1)
        #expect(try other.number("select count(*) from sqlite_schema where name = 'header'") == 0)
        other.close()
    }
}
