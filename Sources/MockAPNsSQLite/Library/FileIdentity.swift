internal import MockAPNsLog

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Tells a file from every other file, whatever its name.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Returns the identity of the file at a path; `nil` if there is none.
    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Returns the identity of an open file, whose descriptor must be valid.
    init?(descriptor: CInt) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(facts.st_ino)
    }

    /// Returns the size of the file at a path, in bytes; `nil` if there is none.
    static func size(path: String) -> Int64? {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
    }

    /// Returns the first bytes of a file, or fewer if it is shorter.
    ///
    /// Not for a file that SQLite has locked: closing any descriptor of it would release the locks of the process.
    static func start(of path: String, _ count: Int) throws(StoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError.system("open", path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, 0)
        guard read >= 0 else { throw StoreError.system("read", path) }
        return Array(bytes.prefix(read))
    }

    /// Returns the size of the file at `path`, in bytes; throws if it is not this one.
    @discardableResult func require(at path: String) throws(StoreError) -> Int64 {
        var facts = stat()
        let found = stat(path, &facts) == 0 ? FileIdentity(facts) : nil
        guard found != self else { return Int64(facts.st_size) }
        let seen = found == nil ? "was deleted or moved" : "was replaced by another file"
        let fix = "move the original file back, or restart mock-apns, which then uses what is there"
        throw StoreError(.lost, "\(path) \(seen) while in use; \(fix)")
    }
}
