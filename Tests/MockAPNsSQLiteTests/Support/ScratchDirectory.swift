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

extension SQLiteStore.Options {
    /// Deletes few pushes at a time, and makes them searchable soon.
    static var small: SQLiteStore.Options {
        var options = SQLiteStore.Options()
        options.tidyStep = 3
        options.searchBacklog = 5
        return options
    }
}
