#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A directory that only this user may enter, and that is gone afterwards.
struct ScratchDirectory {
    let path: String

    /// Makes it, with mode 0700, where temporary files go.
    ///
    /// - Throws: `CommandFailure` when it cannot be made.
    init(environment: [String: String]) throws {
        let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let base = parent.hasSuffix("/") ? String(parent.dropLast()) : parent
        var name = Array("\(base)/mock-apns-XXXXXX".utf8CString)
        let made = name.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else {
            throw CommandFailure(
                .cannotWrite,
                "cannot make a directory in \(base): \(SystemFacts.describe(errno: errno)); TMPDIR says where"
            )
        }
        path = made
    }

    /// Removes it with the files in it.
    func remove() {
        for name in AtomicFile.names(in: path) where name != "." && name != ".." {
            AtomicFile.remove("\(path)/\(name)")
        }
        rmdir(path)
    }
}
