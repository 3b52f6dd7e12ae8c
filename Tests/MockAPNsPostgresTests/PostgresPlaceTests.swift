import Foundation
import MockAPNsLog
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
        } catch {
            return error
        }
    }

    @Test("Every query of the page finds something")
    func queriesWork() throws {
        let log = try PostgresLog(url)
        var entry = LogEntry.made(1, 1...20)
        let now = Int64(Date.now.timeIntervalSince1970) * 1_000_000
        for index in entry.pushes.indices { entry.pushes[index].receivedAt = now }
        try log.stores.open("default").write([entry])
        let queries = try DataPage.postgresQueries()
        #expect(queries.count >= 5)
        for query in queries { #expect(try !server.query(query, in: url).isEmpty, "\(query)") }
        let view =
            "select column_name from information_schema.columns where table_schema = 'mock_apns' and table_name = 'push'"
        let names = try server.query(view, in: url).split(separator: "\n")
        let text = try DataPage.text()
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    @Test("A database that cannot be used says why, and not the password")
    func tellsErrors() throws {
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

    @Test("A server that cannot be written is told apart from one that fails")
    func tellsReadOnly() throws {
        let log = try PostgresLog(url)
        let name = try #require(url.split(separator: "/").last)
        try server.query("alter database \(name) set default_transaction_read_only = on")
        let readOnly = try #require(error(of: url))
        #expect(readOnly.code == .noAccess && readOnly.description.contains("read-only"))
        log.close()
    }

    @Test("Tables of a newer version are refused")
    func refusesNewer() throws {
        try PostgresLog(url).close()
        try server.query("update mock_apns.counter set value = 99 where name = 'version'", in: url)
        let newer = try #require(error(of: url))
        #expect(newer.code == .newer && newer.description.contains("version 99"))
    }
}
