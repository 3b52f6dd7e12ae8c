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
        let database = try Database(path, .create)
        try Schema.migrate(database)
        try database.execute("pragma wal_autocheckpoint = 0")
        try database.run("insert into fan_out values (1, zeroblob(1000000))")
        let written = database.takePagesWritten()
        #expect(written > 1_000_000 / 8_192)

        func inFile(after pages: [Int]) throws -> Bool {
            let checkpointer = try Checkpointer(path: path, pages: written)
            for count in pages { checkpointer.wrote(pages: count) }
            checkpointer.close()
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return try #require(size) > 1_000_000
        }
        #expect(try !inFile(after: [written - 1]))
        #expect(try inFile(after: [written - 1, 1]))
        database.close()
    }
}
