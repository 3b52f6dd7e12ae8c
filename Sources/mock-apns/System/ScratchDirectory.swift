internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A temporary directory that only this user may enter.
struct ScratchDirectory {
    let path: String

    /// Creates it with mode 0700 in `TMPDIR`.
    ///
    /// - Throws: `CommandFailure` when it cannot be created.
    init(environment: [String: String]) throws {
        let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let base = parent.hasSuffix("/") ? String(parent.dropLast()) : parent
        var name = Array("\(base)/mock-apns-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else {
            throw CommandFailure(
                .cannotWrite,
                "cannot create a directory in \(base): \(SystemFacts.describe(errno: errno));"
                    + " set TMPDIR to another directory"
            )
        }
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Removes it with everything in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
