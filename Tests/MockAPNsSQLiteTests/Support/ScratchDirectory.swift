import Foundation
import MockAPNsLog

@testable import MockAPNsSQLite

/// A directory that is deleted with its last user.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "mock-apns-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { "\(path)/default.sqlite" }

    func open(_ options: SQLiteStore.Options = SQLiteStore.Options()) throws -> SQLiteStore {
        try SQLiteStore(path: file, options: options)
    }
}

extension SQLiteStore {
    /// The connection that writes, for tests that look into the tables.
    var database: Database { get throws { try files.use { database in database } } }
}

extension SQLiteStore.Options {
    /// Deletes few pushes at a time, and makes them searchable soon.
    static var small: SQLiteStore.Options {
        var options = SQLiteStore.Options()
        options.tidyStep = 3
        options.searchBacklog = 5
        options.sharingPushes = 50
        return options
    }
}

extension Database {
    /// The numbers of the pushes in the table `search`, once for each key.
    func searchEntries() throws -> [UInt64] {
        let rows = try rows("select entries from search") { row in row.bytes(0) }
        return rows.flatMap { bytes in
            stride(from: 0, to: bytes.count, by: 12).map { start in
                bytes[(start + 4)..<(start + 12)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
    }
}
