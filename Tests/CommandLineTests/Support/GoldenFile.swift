import Foundation
import Testing

/// A file with output of the program that a reviewer has seen.
///
/// `MOCK_APNS_WRITE_GOLDEN=1` writes the files anew, for a change that is meant; look at the difference then.
struct GoldenFile {
    private let name: String
    private var text = ""

    init(_ name: String) { self.name = name }

    mutating func add(_ title: String, _ part: String) { text += "\(title)\n\(part)\n\n" }

    func compare(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden/\(name)")
        if ProcessInfo.processInfo.environment["MOCK_APNS_WRITE_GOLDEN"] == "1" {
            return try Data(text.utf8).write(to: file)
        }
        let seen = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        let pairs = zip(text.split(separator: "\n"), seen.split(separator: "\n"))
        let first = pairs.first { $0 != $1 }.map { "'\($0)' instead of '\($1)'" } ?? "one is longer"
        #expect(text == seen, "differs from Golden/\(name): \(first)", sourceLocation: sourceLocation)
    }
}
