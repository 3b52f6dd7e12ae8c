internal import CMockAPNsPage

/// A file of the inspector's page, embedded in the program.
struct PageFile: Sendable {
    /// Relative to `web/`, or the name of a document.
    let path: String
    let contentType: String
    let bytes: [UInt8]

    static let all: [PageFile] = {
        var count = 0
        return UnsafeBufferPointer(start: mockapns_page_files(&count), count: count).map { file in
            PageFile(
                path: String(cString: file.path), contentType: String(cString: file.content_type),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
        }
    }()

    private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

    static func at(_ path: String) -> PageFile? { byPath[path] }
}
