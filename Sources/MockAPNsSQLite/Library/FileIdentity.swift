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

    /// Throws if the file at `path` is not this one.
    func require(at path: String) throws(StoreError) {
        let found = FileIdentity(path: path)
        guard found != self else { return }
        let seen = found == nil ? "was deleted or moved" : "was replaced by another file"
        let fix = "move the original file back, or restart mock-apns, which then uses what is there"
        throw StoreError(.lost, "\(path) \(seen) while in use; \(fix)")
    }
}
