import Foundation

/// The page `docs/data.md`.
public enum DataPage {
    private static let postgres = "\n## PostgreSQL\n"

    /// The text of the page.
    ///
    /// - Throws: The error of a file that cannot be read.
    public static func text() throws -> String {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: here.appending(path: "../../docs/data.md"), encoding: .utf8)
    }

    /// The queries for the databases of a directory.
    ///
    /// - Throws: The error of a file that cannot be read.
    public static func sqliteQueries() throws -> [String] {
        queries(in: try text().components(separatedBy: postgres)[0])
    }

    /// The queries for PostgreSQL.
    ///
    /// - Throws: The error of a file that cannot be read.
    public static func postgresQueries() throws -> [String] {
        queries(in: try text().components(separatedBy: postgres).last ?? "")
    }

    private static func queries(in text: String) -> [String] {
        text.components(separatedBy: "```sql\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }
}
