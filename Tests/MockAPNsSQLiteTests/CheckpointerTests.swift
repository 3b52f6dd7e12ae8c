import Foundation
import MockAPNsLog
import TestSupport
import Testing

@testable import MockAPNsSQLite

struct CheckpointerTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    @Test func `enough pages are moved to the file, fewer stay in the log`() throws {
        let path = directory.file
        let files = try WorldFiles(path: path, options: SQLiteStore.Options(), among: nil, lock: nil)
        let database = try files.use { database in database }
        _ = database.takePagesWritten()
        try database.run("insert into fan_out values (1, zeroblob(1000000))")
        let written = database.takePagesWritten()
        #expect(written > 1_000_000 / 8_192)

        func inFile(after pages: [Int]) throws -> Bool {
            let checkpointer = Checkpointer(files, pages: written)
            for count in pages { checkpointer.wrote(pages: count) }
            checkpointer.close()
            try checkpointer.throwFailure()
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return try #require(size) > 1_000_000
        }
        #expect(try !inFile(after: [written - 1]))
        #expect(try inFile(after: [written - 1, 1]))
        files.close()
    }

    @Test func `a checkpoint that fails is not forgotten`() throws {
        let files = try WorldFiles(path: directory.file, options: SQLiteStore.Options(), among: nil, lock: nil)
        try FileManager.default.removeItem(atPath: directory.file)
        let checkpointer = Checkpointer(files, pages: 1)
        checkpointer.wrote(pages: 1)
        checkpointer.close()
        let error = #expect(throws: StoreError.self) { try checkpointer.throwFailure() }
        #expect(error?.code == .lost)
        try checkpointer.throwFailure()
    }
}
