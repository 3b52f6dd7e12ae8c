package import MockAPNsLog

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A directory with the worlds of one server, with one database per namespace.
package final class DataDirectory: Sendable {
    /// The path of the directory.
    package let path: String
    /// Locks out other servers while this object exists; `nil` if the directory is only read.
    private let lock: DirectoryLock?

    /// Opens and locks a directory, and creates it if it does not exist.
    package init(_ path: String) throws(StoreError) {
        self.path = path
        try Self.makeDirectory(path)
        lock = try DirectoryLock(in: path)
    }

    /// Opens a directory for reading, without locking it: a server may use it at the same time.
    package init(reading path: String) throws(StoreError) {
        self.path = path
        lock = nil
        guard let directory = opendir(path) else { throw StoreError.system("open the directory", path) }
        closedir(directory)
    }

    /// The path of a namespace's database.
    package func path(of namespace: String) -> String { "\(path)/\(namespace)\(Self.suffix)" }

    private static let suffix = ".sqlite"

    /// The names of the namespaces that have a database, sorted.
    package func namespaces() throws(StoreError) -> [String] {
        guard let directory = opendir(path) else { throw StoreError.system("read the directory", path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            if name.hasSuffix(Self.suffix), name != Self.suffix {
                names.append(String(name.dropLast(Self.suffix.count)))
            }
        }
        return names.sorted()
    }

    /// Opens the world of a namespace, and creates it if it does not exist.
    package func open(
        _ namespace: String,
        options: SQLiteStore.Options = SQLiteStore.Options()
    ) throws(StoreError) -> SQLiteStore {
        try SQLiteStore(path: path(of: namespace), options: options)
    }

    /// Deletes the world of a namespace, which must be closed.
    package func remove(_ namespace: String) throws(StoreError) {
        let path = path(of: namespace)
        // Delete the database last: a new one would otherwise apply a leftover WAL.
        for file in ["\(path)-shm", "\(path)-wal", path] {
            guard unlink(file) == 0 || errno == ENOENT else { throw StoreError.system("delete", file) }
        }
    }

    private static func makeDirectory(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw StoreError.system("create the directory", path)
        }
        try makeDirectory(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StoreError.system("create the directory", path)
        }
    }
}

/// The lock of a directory, held until the process ends or this is released.
private final class DirectoryLock: Sendable {
    private let descriptor: CInt

    init(in directory: String) throws(StoreError) {
        let path = "\(directory)/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.system("open", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            let failure = StoreError.system("lock", path)
            let holder = Self.text(descriptor)
            guard isHeld else { throw failure }
            let process = holder.isEmpty ? "another process" : "process \(holder)"
            let fix = "stop it, or choose another directory"
            throw StoreError(.inUse, "the directory \(directory) is in use by \(process); \(fix)")
        }
        // Used in the error message of a second server; failing to write it is harmless.
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }

    /// Also closes it when `init` fails after opening it.
    deinit { close(descriptor) }

    private static func text(_ descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return String(decoding: digits, as: UTF8.self)
    }
}
