import Foundation
import TestSupport
import Testing

/// `mock-apns data` with the URL of a PostgreSQL database.
struct DataDatabaseTests {
    private let directory: String
    private let server: PostgresServer
    private let url: String

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "mock-apns-\(UUID())").path
        server = try PostgresServer.shared()
        url = try server.database()
    }

    /// The output of a command that must succeed.
    private func data(_ arguments: String...) throws -> (output: String, errors: String) {
        let outcome = try Program.run(["data"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (outcome.output, outcome.errors)
    }

    /// Keeps two pushes in the directory.
    private func fill() throws {
        let send = [Program.path, "send", "--topic", "com.example.app"]
        for _ in 1...2 {
            let sent = try Program.run(["exec", "--data", directory, "--"] + send)
            #expect(sent.status == 0, "\(sent.errors)")
        }
    }

    @Test func `a world is copied from a directory to a database and back, and stays the same`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try fill()
        let digest = try data("check", directory).errors
        #expect(digest.contains("default: no problems, digest "))
        let copied = try data("copy", directory, url).errors
        #expect(copied.contains("copied 1 namespace to postgresql://127.0.0.1:"))
        #expect(try data("check", url).errors == digest)
        let facts = try data("info", url, "--json").output
        #expect(facts.contains(#""namespace":"default""#) && facts.contains(#""pushes":2"#))
        #expect(facts.contains(#""unusedBytes":null"#))
        _ = try data("copy", url, "\(directory)/copy")
        #expect(try data("check", "\(directory)/copy").errors == digest)
        for table in ["push", "step", "property"] {
            func rows(_ path: String) throws -> Data {
                let columns = table == "step" ? "seq, push, at, event, delivery, facts" : "*"
                let query = "select \(columns) from \(table) order by 1"
                return try RunningProgram.run(["sqlite3", "\(path)/default.sqlite", query]).output
            }
            #expect(try rows(directory) == rows("\(directory)/copy"), "\(table)")
        }
        #expect(try data("export", directory).output == data("export", "\(directory)/copy").output)
        #expect(try data("export", url).output == data("export", directory).output)
        #expect(try server.query("select pushes from mock_apns.namespace", in: url) == "2")
        let again = try Program.run(["data", "copy", directory, url])
        #expect(again.status != 0 && again.errors.contains("the namespace default exists already"))
    }

    @Test func `a database is compacted unless a server uses it`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try fill()
        _ = try data("copy", directory, url)
        #expect(try data("compact", url).errors.contains("all namespaces: "))
        let replica = """
            insert into mock_apns.replica (number, name, address, position, version) values (9, 'nine', '', 0, '')
            """
        try server.query(replica, in: url)
        let used = try Program.run(["data", "compact", url])
        #expect(used.status == 73 && used.errors.contains("in use by nine"))
    }

    @Test func `damage and databases that cannot be used have exit codes of their own`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let none = try Program.run(["data", "info", url])
        #expect(none.status == 66 && none.errors.contains("has no tables of mock-apns"))
        try fill()
        _ = try data("copy", directory, url)
        let oldest = "(select min(seq) from mock_apns.record)"
        try server.query("delete from mock_apns.record where seq = \(oldest)", in: url)
        let check = try Program.run(["data", "check", url])
        #expect(check.status == 1 && check.output.contains("default: the number of pushes is wrong"))
        let other = try Program.run(["data", "info", url, "--namespace", "b"])
        #expect(other.status == 66 && other.errors.contains("expected one of default"))
        try server.query("update mock_apns.counter set value = 99 where name = 'version'", in: url)
        #expect(try Program.run(["data", "info", url]).status == 78)
        let invalid = try Program.run(["data", "info", "postgresql://u:secret%zz@h/d"])
        #expect(invalid.status == 66 && !invalid.errors.contains("secret"), "\(invalid.errors)")
    }
}
