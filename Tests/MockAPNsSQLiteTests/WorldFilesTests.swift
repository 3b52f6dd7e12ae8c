import Foundation
import MockAPNsLog
import TestSupport
import Testing

@testable import MockAPNsSQLite

/// The files of worlds: lost, and closed while they are not used.
struct WorldFilesTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func code(_ use: () throws -> Void) -> StoreError.Code? {
        do {
            try use()
            return nil
        } catch { return (error as? StoreError)?.code }
    }

    @Test(arguments: ["default.sqlite", "default.sqlite-wal", "default.sqlite-shm", "lock"])
    func `a file that is deleted, replaced or moved back is noticed`(name: String) throws {
        let data = try DataDirectory(directory.path)
        let store = try data.open("default")
        try store.write([.made(1, [1])])
        try store.check()
        let (path, away) = ("\(directory.path)/\(name)", "\(directory.path)/away")
        try FileManager.default.moveItem(atPath: path, toPath: away)
        let error = #expect(throws: StoreError.self) { try store.check() }
        #expect(error?.code == .lost)
        #expect(error?.description.contains("restart mock-apns") == true)
        #expect(error?.description.hasPrefix(path) == true)
        try FileManager.default.copyItem(atPath: away, toPath: path)
        #expect(code { try store.check() } == .lost)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: away, toPath: path)
        try store.check()
        store.close()
    }

    @Test func `a reader does not open a file that has taken the place of the world's`() throws {
        let store = try directory.open()
        try store.write([.made(1, [1])])
        let other = try SQLiteStore(path: "\(directory.path)/other.sqlite")
        other.close()
        try FileManager.default.removeItem(atPath: directory.file)
        try FileManager.default.moveItem(atPath: other.files.path, toPath: directory.file)
        #expect(code { _ = try store.kept() } == .lost)
    }

    @Test func `few worlds have open files, and all keep what they got`() throws {
        let open = OpenWorlds(most: 2)
        let stores = try (0..<6).map { number in
            try SQLiteStore(
                path: "\(directory.path)/\(number).sqlite", options: SQLiteStore.Options(), among: open, lock: nil)
        }
        for position in 1...3 as ClosedRange<UInt64> {
            for store in stores { try store.write([.made(position, [position * 10])]) }
            #expect(open.count == 2)
        }
        for store in stores {
            #expect(try store.entries().count == 3)
            #expect(try store.kept() == [30, 20, 10])
            #expect(try !store.tidy(at: 0))
            try store.check()
        }
        #expect(open.count == 2)
        for store in stores { store.close() }
        #expect(open.count == 0)
        let again = try SQLiteStore(path: "\(directory.path)/0.sqlite")
        #expect(try again.entries().count == 3)
    }

    @Test func `files in use stay open`() throws {
        let open = OpenWorlds(most: 1)
        func store(_ name: String) throws -> SQLiteStore {
            let path = "\(directory.path)/\(name).sqlite"
            return try SQLiteStore(path: path, options: SQLiteStore.Options(), among: open, lock: nil)
        }
        let (first, second) = (try store("first"), try store("second"))
        try first.write([.made(1, [1]), .made(2, [2])])
        var seen: [UInt64] = []
        try first.visitEntries(after: 0) { entry throws(StoreError) in
            try second.write([.made(entry.position)])
            seen.append(entry.position)
        }
        #expect(seen == [1, 2])
        try second.write([.made(3)])
        #expect(open.count == 1)
    }

    @Test func `a world whose file was exchanged while it was closed is not used`() throws {
        let open = OpenWorlds(most: 1)
        let store = try SQLiteStore(path: directory.file, options: SQLiteStore.Options(), among: open, lock: nil)
        try store.write([.made(1, [1])])
        #expect(store.files.closeIfUnused())
        // Another program that was the last to close it has moved the log to the file: nothing is lost.
        let reader = try Database(directory.file, .write)
        try reader.execute("pragma wal_checkpoint(truncate)")
        reader.close()
        try store.check()
        try store.write([.made(2, [2])])
        #expect(store.files.closeIfUnused())
        // The same file with other contents, as after an older copy was written over it.
        let other = try Database(directory.file, .write)
        try other.execute("delete from change where position = 2")
        other.close()
        #expect(code { try store.write([.made(3)]) } == .lost)
        #expect(code { try store.write([.made(3)]) } == .lost)
        // Neither is a new file made in the place of one that is gone.
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: directory.file + suffix) }
        #expect(code { try store.check() } == .lost)
        #expect(code { try store.write([.made(3)]) } == .lost)
        #expect(!FileManager.default.fileExists(atPath: directory.file))
    }

    @Test func `worlds use a part of the open files`() {
        #expect([64, 256, 1_024, 1_048_576].map(OpenWorlds.fitting) == [5, 21, 64, 64])
    }
}
