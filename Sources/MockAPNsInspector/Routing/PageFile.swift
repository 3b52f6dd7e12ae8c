internal import CMockAPNsPage

/// A file of the inspector's page, embedded in the program.
struct PageFile: Sendable {
    /// Relative to `web/`, or the name of a document.
    let path: String
    let contentType: String
    let bytes: [UInt8]

    /// The files as they were written.
    static let all = read(mockapns_page_files)

    /// The page in a few files, compressed with gzip; empty if the build did not join it.
    static let joined = read(mockapns_page_joined_files)

    private static let byPath = table(all)
    private static let joinedByPath = table(joined)

    static func at(_ path: String) -> PageFile? { byPath[path] }

    static func joined(at path: String) -> PageFile? { joinedByPath[path] }

    private static func read(_ files: (UnsafeMutablePointer<Int>) -> UnsafePointer<mockapns_page_file>?) -> [PageFile] {
        var count = 0
        return UnsafeBufferPointer(start: files(&count), count: count).map { file in
            PageFile(
                path: String(cString: file.path), contentType: String(cString: file.content_type),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
        }
    }

    private static func table(_ files: [PageFile]) -> [String: PageFile] {
        Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    }
}
