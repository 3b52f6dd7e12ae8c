import CMockAPNsSQLite
import Foundation
import MockAPNsLog
import MockAPNsWorld
import TestSupport
import Testing

@testable import MockAPNsSQLite

/// What a store does when its disk fails.
struct FaultTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func error<Result>(_ use: () throws -> Result) -> StoreError? {
        do {
            _ = try use()
            return nil
        } catch { return error as? StoreError }
    }

    /// Fills a store that has changes 1 to 50, and closes it.
    private func fill() throws {
        let store = try directory.open()
        for position in 1...50 as ClosedRange<UInt64> {
            try store.write([.made(position, (position * 20)..<(position * 20 + 20))])
        }
        store.close()
    }

    private func overwrite(at offset: UInt64, _ bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    /// Writes changes until one is refused, and checks that everything before it is there, and goes on after `makeRoom`.
    private func checkFull(_ store: SQLiteStore, _ makeRoom: () throws -> Void) throws {
        var position: UInt64 = 0
        var failure: StoreError?
        while failure == nil, position < 10_000 {
            let next = LogEntry.made(position + 1, (position * 20 + 1)...(position * 20 + 20))
            failure = error { try store.write([next]) }
            if failure == nil { position += 1 }
        }
        #expect(failure?.code == .full)
        #expect(failure?.description.contains("free some space") == true)
        #expect(try store.entries().count == Int(position))
        try makeRoom()
        for next in position + 1...position + 5 {
            try store.write([.made(next, ((next - 1) * 20 + 1)...((next - 1) * 20 + 20))])
        }
        #expect(try store.entries().map(\.position) == Array(1...position + 5))
        #expect(try store.history.extent().count == Int(position + 5) * 20)
    }

    @Test func `a full database refuses changes whole, and goes on when there is room`() throws {
        let store = try directory.open()
        try store.database.execute("pragma max_page_count = 60")
        try checkFull(store) { try store.database.execute("pragma max_page_count = 100000") }
    }

    /// Mounts a small file system; only root may.
    private static func mount(_ path: String, _ options: String) throws -> Int32 {
        try RunningProgram(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]).finish().status
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a full disk refuses changes whole, and the store goes on when there is room`() throws {
        // Without the right to mount, as in some containers, there is nothing to test.
        guard try Self.mount(directory.path, "size=2m") == 0 else { return }
        defer { _ = try? RunningProgram(["umount", "-l", directory.path]).finish() }
        let filler = "\(directory.path)/filler"
        #expect(FileManager.default.createFile(atPath: filler, contents: Data(count: 1 << 20)))
        let store = try directory.open()
        try checkFull(store) { try FileManager.default.removeItem(atPath: filler) }
        store.close()
    }

    @Test(.enabled(if: geteuid() == 0)) func `a directory on a read-only disk is refused`() throws {
        guard try Self.mount(directory.path, "size=16m") == 0 else { return }
        defer { _ = try? RunningProgram(["umount", "-l", directory.path]).finish() }
        try fill()
        let status = try RunningProgram(["mount", "-o", "remount,ro", directory.path]).finish().status
        try #require(status == 0)
        #expect(error { try directory.open() }?.code == .noAccess)
        #expect(error { try DataDirectory(directory.path) }?.code == .noAccess)
    }

    @Test func `a directory that cannot be created is refused`() throws {
        let file = "\(directory.path)/file"
        #expect(FileManager.default.createFile(atPath: file, contents: Data()))
        let error = error { try DataDirectory("\(file)/data") }
        #expect(error?.code == .noAccess)
        #expect(
            error?.description == "cannot create the directory \(file)/data: not a directory; choose another directory")
        #expect(self.error { try SQLiteStore(path: "\(file)/a.sqlite") }?.code == .noAccess)
    }

    @Test func `overwritten pages are found`() throws {
        try fill()
        try overwrite(at: 8_192 * 3, [UInt8](repeating: 0x5a, count: 8_192 * 20))
        let error = error {
            let store = try directory.open()
            _ = try store.entries()
            return try store.kept(most: 10_000)
        }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("is damaged") == true)
    }

    @Test func `a truncated file is found`() throws {
        try fill()
        #expect(truncate(directory.file, 8_192 * 10) == 0)
        let error = error {
            let store = try directory.open()
            return try store.kept(most: 10_000)
        }
        #expect(error?.code == .damaged)
    }

    @Test func `a file that is not a database is refused, and stays as it is`() throws {
        let text = Data(String(repeating: "something else\n", count: 1_000).utf8)
        try text.write(to: URL(fileURLWithPath: directory.file))
        #expect(error { try directory.open() }?.code == .damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file)) == text)
    }

    @Test func `a database of another program is refused`() throws {
        let other = try Database(directory.file, .create)
        try other.execute("create table t (a)")
        other.close()
        let error = error { try directory.open() }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("not a database of mock-apns") == true)
    }

    @Test(arguments: [
        ("drop table step", "the table step is missing"), ("drop view push", "the view push is missing"),
        ("drop table search", "the table search is missing"), ("drop table header", "the table header is missing"),
        ("alter table search rename column entries to a", "the column entries of the table search is missing"),
        ("alter table property rename column value to a", "the column value of the table property is missing"),
        (
            "drop view push; create view push as select seq from record",
            "the column answered_at of the view push is missing"
        ), ("pragma user_version = 0", "invalid user_version 0: expected 2"),
        ("pragma user_version = -1", "invalid user_version -1: expected 2"),
    ]) func `a database without a table or a version is refused, and stays as it is`(
        change: String, expected: String
    ) throws {
        try fill()
        let other = try Database(directory.file, .write)
        try other.execute(change)
        other.close()
        for open in [{ _ = try directory.open() }, { _ = try StoredWorld(path: directory.file) }] {
            let error = error { try open() }
            #expect(error?.code == .damaged)
            let fix = "restore a copy of the file"
            #expect(error?.description == "\(directory.file) is damaged: \(expected); \(fix)")
        }
    }

    @Test func `a table that goes while the store is open is named`() throws {
        let store = try directory.open()
        try store.write([.made(1, [1])])
        let other = try Database(directory.file, .write)
        try other.execute("drop view push; drop table record")
        other.close()
        let error = error { try store.write([.made(2, [2])]) }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("no such table") == true)
    }

    @Test(arguments: [EMFILE, ENFILE]) func `without room for another open file, the limit is named`(number: Int32) {
        let message = "unable to open database file"
        let error = StoreError(sqlite: SQLITE_CANTOPEN, message, system: number, path: "a")
        #expect(error.description.contains("ulimit -n"))
        #expect(!error.description.contains("writable"))
        errno = number
        #expect(StoreError.system("open", "a").description.contains("ulimit -n"))
    }

    @Test(arguments: [3, 99]) func `tables of another version are refused, and stay as they are`(version: Int) throws {
        try fill()
        let other = try Database(directory.file, .write)
        try other.execute("pragma user_version = \(version)")
        other.close()
        for open in [{ _ = try directory.open() }, { _ = try StoredWorld(path: directory.file) }] {
            let error = error { try open() }
            #expect(error?.code == .otherVersion)
            let seen = "was written by another version of mock-apns: its tables have version \(version), expected 2"
            let fix = "export its pushes with that version (mock-apns data export) and import them"
            #expect(error?.description == "\(directory.file) \(seen); \(fix), or use another directory")
        }
    }

    @Test func `a missing change is reported`() throws {
        try fill()
        let store = try directory.open()
        try store.database.execute("delete from change where position = 7")
        #expect(error { try store.entries() }?.code == .damaged)
        try store.database.execute("delete from record where position = 40")
        #expect(error { try store.entries(after: 30) }?.code == .damaged)
    }

    @Test(arguments: SQLiteStore.Sync.allCases) func `everything acknowledged survives kill -9`(
        sync: SQLiteStore.Sync
    ) throws {
        var safe: UInt64 = 0
        for round in 1...5 {
            let program = try RunningProgram([Self.writer, directory.file, sync.rawValue])
            for _ in 0..<(round * 20) {
                let next = try #require(UInt64(program.outputLine()))
                #expect(next > safe)
                safe = next
            }
            program.signal(SIGKILL)
            let rest = String(decoding: program.finish().output, as: UTF8.self).split(separator: "\n")
            // The last line may have been cut short.
            safe = rest.dropLast().last.flatMap { UInt64($0) } ?? safe
            let store = try directory.open()
            let entries = try store.entries()
            #expect(entries.count >= Int(safe))
            #expect(entries.allSatisfy { $0.pushes.count == 3 })
            #expect(try store.history.extent().count == 3 * entries.count)
            store.close()
        }
    }

    /// The path of the program that writes, which is built beside the tests.
    private static var writer: String {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while directory.path.count > 1 {
            let candidate = directory.appendingPathComponent("store-writer")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
            directory.deleteLastPathComponent()
        }
        return "/nonexistent/store-writer"
    }
}
