import CMockAPNsSQLite
import Foundation
import MockAPNsLog
import TestSupport
import Testing

@testable import MockAPNsSQLite

/// Files that are damaged or cut short while a store uses them, or that were left without each other.
struct DamageTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func error<Result>(_ use: () throws -> Result) -> StoreError? {
        do {
            _ = try use()
            return nil
        } catch { return error as? StoreError }
    }

    private func write(_ count: UInt64, to store: SQLiteStore, from first: UInt64 = 1) throws {
        for position in first..<(first + count) {
            try store.write([.made(position, (position * 20)..<(position * 20 + 20))])
        }
    }

    private func size(_ suffix: String = "") -> Int64? { FileIdentity.size(path: directory.file + suffix) }

    @Test(arguments: [("", 0), ("", 8_192), ("-wal", 0), ("-wal", 100), ("-wal", 100_000), ("-shm", 0)])
    func `a file that is cut short while in use is noticed, and left as it is`(suffix: String, length: Int) throws {
        let store = try directory.open()
        try write(50, to: store)
        try store.database.execute("pragma wal_checkpoint(passive)")
        try store.check()
        try write(20, to: store, from: 51)
        try store.check()
        #expect(try #require(size()) > 8_192 && #require(size("-wal")) > 100_000)
        #expect(truncate(directory.file + suffix, length) == 0)
        let damage = error { try store.check() }
        #expect(damage?.code == .lost)
        let start = "\(directory.file)\(suffix) was damaged or truncated while in use: it has \(length) bytes"
        #expect(damage?.description.hasPrefix(start) == true, "\(damage?.description ?? "")")
        // It does not mend itself, and SQLite, which would delete the log of an empty file, does not read it.
        #expect(truncate(directory.file + suffix, 1 << 24) == 0)
        #expect(error { try store.check() } == damage)
        #expect(error { try store.write([.made(71)]) } == damage)
        #expect(error { try store.kept() } == damage)
        #expect(truncate(directory.file + suffix, length) == 0)
        let sizes = ["", "-wal", "-shm"].map { size($0) }
        store.close()
        #expect(["", "-wal", "-shm"].map { size($0) } == sizes)
    }

    @Test func `files that shrink by tidying are not reported as damaged`() throws {
        var options = SQLiteStore.Options()
        options.retention.pushes = 20
        let store = try directory.open(options)
        let other = try Database(directory.file, .write)
        var next: UInt64 = 1
        var sizes: [Int64] = []
        for checkpoint in ["passive", "restart", "truncate", "passive", "truncate", "passive"] {
            try write(60, to: store, from: next)
            next += 60
            try store.check()
            try store.database.execute("delete from record; pragma incremental_vacuum")
            try store.check()
            try (checkpoint == "truncate" ? other : store.database).execute("pragma wal_checkpoint(\(checkpoint))")
            try store.check()
            sizes.append(try #require(size()))
            // Larger again in the log, but not yet in the file.
            try write(5, to: store, from: next)
            next += 5
            try store.check()
        }
        #expect(sizes.contains { $0 < 400_000 })
        other.close()
        store.close()
    }

    @Test func `a damaged page that is read refuses every later change`() throws {
        let first = try directory.open()
        try write(50, to: first)
        first.close()
        let store = try directory.open()
        try store.check()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file))
        try file.seek(toOffset: 8_192 * 3)
        try file.write(contentsOf: [UInt8](repeating: 0x5a, count: 8_192 * 20))
        try file.close()
        #expect(error { try store.kept(most: 10_000) }?.code == .damaged)
        let damage = error { try store.check() }
        #expect(damage?.code == .lost)
        let seen = "was damaged or truncated while in use: database disk image is malformed"
        #expect(damage?.description.contains(seen) == true)
        store.close()
    }

    // MARK: At the start

    @Test(arguments: [false, true]) func `a log without its database is refused, and stays`(isEmpty: Bool) throws {
        let data = try DataDirectory(directory.path)
        let store = try data.open("default")
        try write(3, to: store)
        #expect(store.files.closeIfUnused())
        let log = try #require(size("-wal"))
        try FileManager.default.removeItem(atPath: directory.file)
        if isEmpty { #expect(FileManager.default.createFile(atPath: directory.file, contents: Data())) }
        // It is not taken for a namespace that does not exist.
        #expect(try data.namespaces() == ["default"])
        #expect(try data.has("default"))
        for open in [{ _ = try data.open("default") }, { _ = try StoredWorld(path: directory.file) }] {
            let refusal = error { try open() }
            #expect(refusal?.code == .damaged)
            let path = directory.file
            let seen = "\(path) is \(isEmpty ? "empty" : "missing"), but \(path)-wal has changes of it"
            let fix = "restore \(path), or move its -wal and -shm away to start with an empty world"
            #expect(refusal?.description == "\(seen); \(fix)")
            #expect(size("-wal") == log)
        }
        try data.remove("default")
        #expect(try data.namespaces().isEmpty)
    }

    @Test func `a log that does not begin like one is refused`() throws {
        let store = try directory.open()
        try write(3, to: store)
        #expect(store.files.closeIfUnused())
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file + "-wal"))
        try file.write(contentsOf: [UInt8](repeating: 0, count: 100))
        try file.close()
        let refusal = error { try directory.open() }
        #expect(refusal?.code == .damaged)
        #expect(refusal?.description.hasPrefix("\(directory.file)-wal is damaged: it does not begin") == true)
    }

    @Test func `a short file of something else stays as it is`() throws {
        let text = Data("x".utf8)
        try text.write(to: URL(fileURLWithPath: directory.file))
        let refusal = error { try directory.open() }
        #expect(refusal?.description.contains("is not a database of mock-apns: it has 1 bytes") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file)) == text)
    }

    @Test func `databases whose names are no names of namespaces are ignored`() throws {
        let data = try DataDirectory(directory.path)
        for name in ["one", "my notes!"] {
            #expect(FileManager.default.createFile(atPath: data.path(of: name), contents: Data()))
        }
        var ignored: [String] = []
        let names = try data.namespaces(where: { !$0.contains(" ") }, ignoring: { ignored.append($0) })
        #expect(names == ["one"])
        #expect(ignored == [data.path(of: "my notes!")])
    }

    @Test func `indexes that are missing or different are found, and created again at the start`() throws {
        let first = try directory.open()
        try write(3, to: first)
        let query = "select name || sql from sqlite_schema where type = 'index' and sql is not null order by name"
        let all = try first.database.rows(query) { row in row.text(0) }
        #expect(all.count == 5)
        first.close()
        let other = try Database(directory.file, .write)
        try other.execute("drop index record_time; drop index step_push; create index step_push on step (at)")
        other.close()
        let problems = try StoredWorld(path: directory.file).problems()
        #expect(problems.map { $0.prefix(26) } == ["the index record_time is m", "the index step_push is mis"])
        let again = try directory.open()
        #expect(try again.database.rows(query) { row in row.text(0) } == all)
        again.close()
        #expect(try StoredWorld(path: directory.file).problems().isEmpty)
    }

    // MARK: Texts

    @Test(arguments: [
        (SQLITE_CONSTRAINT | 7 << 8, 0, "no", "was changed by another program: no; restore a copy"),
        (SQLITE_IOERR | 1 << 8, EISDIR, "disk I/O error", "is a directory; move it away"),
        (SQLITE_IOERR | 2 << 8, ENOENT, "disk I/O error", "is damaged: it is shorter than its contents; restore"),
        (SQLITE_INTERNAL, 0, "internal", "internal (SQLite error 2); check its disk"),
    ]) func `every error says what to do`(code: Int32, system: Int32, message: String, expected: String) {
        let error = StoreError(sqlite: code, message, system: system, path: "d/a.sqlite")
        #expect(error.description.contains("d/a.sqlite"))
        #expect(error.description.contains(expected), "\(error)")
    }

    @Test(arguments: [ENOSPC, EACCES, ENOENT, EIO, EMFILE]) func `every failed call says what to do`(number: Int32) {
        errno = number
        #expect(StoreError.system("open", "a").description.contains("; "))
    }
}
