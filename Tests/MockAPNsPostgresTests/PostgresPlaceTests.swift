import Foundation
import MockAPNsLog
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsPostgres

/// What people see of a database: the queries of `docs/data.md`, and the errors of one that cannot be used.
struct PostgresPlaceTests {
    private let server: PostgresServer
    private let url: String

    init() throws {
        server = try PostgresServer.shared()
        url = try server.database()
    }

    private func error(of url: String) -> StoreError? {
        do throws(StoreError) {
            _ = try PostgresLog(url)
            return nil
        } catch { return error }
    }

    @Test func `every query of the page finds something`() throws {
        let log = try PostgresLog(url)
        let now = Int64(Date.now.timeIntervalSince1970) * 1_000_000
        let entry = LogEntry.made(1, 1...20) { $0.receivedAt = now }
        try log.stores.create("default").write([entry])
        let queries = try DataPage.postgresQueries()
        #expect(queries.count >= 5)
        for query in queries { #expect(try !server.query(query, in: url).isEmpty, "\(query)") }
        let headers = try server.query("select headers from mock_apns.push where seq = 5", in: url)
        #expect(
            headers.hasSuffix("\napns-topic: com.example.app\napns-push-type: background\nx-name: 5\\x5c"), "\(headers)"
        )
        let view =
            "select column_name from information_schema.columns where table_schema = 'mock_apns' and table_name = 'push'"
        let names = try server.query(view, in: url).split(separator: "\n")
        let text = try DataPage.text()
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    @Test func `a database that cannot be used says why, and not the password`() throws {
        try server.query("create role guarded login password 'right'")
        let guarded = url.replacing("postgres@", with: "guarded:wrong@")
        let wrong = try #require(error(of: guarded))
        #expect(wrong.code == .noAccess && wrong.description.contains("check the user and the password"))
        #expect(!wrong.description.contains("wrong@") && !wrong.description.contains(":wrong"))
        let missing = try #require(error(of: url + "_not"))
        #expect(missing.code == .noAccess && missing.description.contains("create the database"))
        let nobody = try #require(error(of: "postgresql://postgres@127.0.0.1:1/x"))
        #expect(nobody.code == .failed && nobody.description.contains("127.0.0.1:1"))
        #expect(error(of: "postgresql://[")?.code == .noAccess)
    }

    @Test func `a server that cannot be written is told apart from one that fails`() throws {
        let log = try PostgresLog(url)
        let name = try #require(url.split(separator: "/").last)
        try server.query("alter database \(name) set default_transaction_read_only = on")
        let readOnly = try #require(error(of: url))
        #expect(readOnly.code == .noAccess && readOnly.description.contains("read-only"))
        log.close()
    }

    @Test func `tables of another version are refused`() throws {
        try PostgresLog(url).close()
        try server.query("update mock_apns.counter set value = 3 where name = 'version'", in: url)
        let other = try #require(error(of: url))
        #expect(other.code == .otherVersion)
        let seen = "its tables have version 3, expected 2"
        #expect(other.description.contains("\(seen); export its pushes with that version"))
    }

    private func searchIndexes() throws -> [String] {
        let query = "select indexname from pg_indexes where schemaname = 'mock_apns' and tablename = 'record'"
        return try server.query(query, in: url).split(separator: "\n").map(String.init).filter {
            ["record_search", "record_received", "record_token", "record_topic", "record_id"].contains($0)
        }.sorted()
    }

    /// The numbers of pushes with a topic, to a token, and with an ID.
    private func found() throws -> [Int] {
        let store = try PostgresLog(url).stores.create("default")
        var (ofTopic, ofToken) = (PushQuery(), PushQuery())
        ofTopic.topics = ["com.example.other"]
        ofToken.tokens = [try #require(DeviceToken(hex: MadePush.token(of: 7)))]
        var counts: [Int] = []
        for query in [ofTopic, ofToken] {
            counts.append(try store.history.pushes(query, in: 1..<100, atMost: 100).count)
        }
        counts.append(try store.history.push(apnsID: MadePush.apnsID(of: 7)) == nil ? 0 : 1)
        return counts
    }

    @Test func `pushes are found by one index`() throws {
        try PostgresLog(url).stores.create("default").write([.made(1, 1...20)])
        #expect(try searchIndexes() == ["record_search"])
        #expect(try found() == [6, 4, 1])
    }

    @Test func `an engine without block range indexes gets trees`() throws {
        for statement in [
            """
            create function refuse() returns event_trigger language plpgsql as $$ begin
                if exists (select from pg_class join pg_am on pg_am.oid = relam where amname = 'brin') then
                    raise exception 'no such kind of index';
                end if; end $$
            """,
            "create event trigger refuse on ddl_command_end when tag in ('CREATE INDEX') execute function refuse()",
        ] { try server.query(statement, in: url) }
        try PostgresLog(url).stores.create("default").write([.made(1, 1...20)])
        #expect(try searchIndexes() == ["record_id", "record_received", "record_token", "record_topic"])
        #expect(try found() == [6, 4, 1])
    }

    @Test func `tidying summarizes new pushes for searches`() throws {
        let store = try PostgresLog(url).stores.create("default")
        // More than the index summarizes as one block.
        try store.write([.made(1, 1...3_000)])
        while try store.tidy(at: 0) {}
        // What is left to summarize.
        let query = "select brin_summarize_new_values('mock_apns.record_search')"
        #expect(try server.query(query, in: url).split(separator: "\n") == ["0"])
    }
}
