import Foundation
import MockAPNsLog
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsSQLite

/// The queries of `docs/data.md`, as people would run them.
struct DataPageTests {
    @Test func `every query of the page finds something while a server writes`() throws {
        let directory = try ScratchDirectory()
        let store = try directory.open()
        let now = Int64(Date.now.timeIntervalSince1970) * 1_000_000
        var entry = LogEntry.made(1, 1...20) { $0.receivedAt = now }
        entry.steps = [LoggedStep(seq: 30, push: 3, at: now, event: "delivered", delivery: "delivered")]
        try store.write([entry])
        let queries = try DataPage.sqliteQueries()
        #expect(queries.count >= 6)
        for query in queries {
            let outcome = try RunningProgram(["sqlite3", "-bail", directory.file, query]).finish()
            #expect(outcome.status == 0, "\(query) \(String(decoding: outcome.errors, as: UTF8.self))")
            #expect(!outcome.output.isEmpty, "\(query)")
        }
        try store.write([.made(2, 41...42)])
        let headers = try store.database.rows("select headers from push where seq = 41") { row in row.text(0) }
        let path = ":path: /3/device/\(MadePush.token(of: 41))"
        #expect(headers == ["\(path)\napns-topic: com.example.app\napns-push-type: background\nx-name: 41\\x5c\n"])
        let time = try store.database.rows("select time from push limit 1") { row in row.text(0) }
        #expect(time.first?.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
        store.close()
    }

    @Test func `the page names every table and every column of the view`() throws {
        let directory = try ScratchDirectory()
        let store = try directory.open()
        let text = try DataPage.text()
        let names = try store.database.rows(
            """
            select name from sqlite_schema where type in ('table', 'view')
            union all select name from pragma_table_info('push')
            """
        ) { row in row.text(0) }
        #expect(names.count > 20)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
        store.close()
    }
}
