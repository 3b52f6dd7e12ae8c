import Foundation
import Testing

/// A text that a reviewer has seen, in the folder `Golden` of a test target.
///
/// `MOCK_APNS_WRITE_GOLDEN=1` writes the files anew, for an intended change; look at the difference then.
public struct GoldenFile {
    /// Whether the files are written instead of compared.
    private static var isWritten: Bool { ProcessInfo.processInfo.environment["MOCK_APNS_WRITE_GOLDEN"] == "1" }

    private let url: URL

    /// Names a file of the target that the calling file belongs to.
    public init(_ name: String, filePath: String = #filePath) {
        var target = URL(filePath: filePath).deletingLastPathComponent()
        while target.deletingLastPathComponent().lastPathComponent != "Tests", target.path != "/" {
            target.deleteLastPathComponent()
        }
        url = target.appending(path: "Golden/\(name)")
    }

    /// The text of the file.
    public func text() throws -> String { try String(decoding: Data(contentsOf: url), as: UTF8.self) }

    /// Compares a text with the file, or writes it there.
    public func expect(
        _ text: String, advice: String = "if this is intended", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if Self.isWritten { return try Data(text.utf8).write(to: url) }
        let source = "Golden/\(url.lastPathComponent); \(advice), run the test with MOCK_APNS_WRITE_GOLDEN=1"
        expectNoDifference(text, try self.text(), source, sourceLocation: sourceLocation)
    }
}
