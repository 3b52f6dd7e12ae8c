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
    private let openWorlds: OpenWorlds

    /// Opens and locks a directory, and creates it if it does not exist.
    package init(_ path: String) throws(StoreError) {
        self.path = path
        openWorlds = OpenWorlds()
        try Self.makeDirectory(path)
        lock = try DirectoryLock(in: path)
    }

    /// Opens a directory for reading, without locking it: a server may use it at the same time.
    package init(reading path: String) throws(StoreError) {
        self.path = path
        openWorlds = OpenWorlds()
        lock = nil
        guard let directory = opendir(path) else { throw StoreError.system("open the directory", path) }
        closedir(directory)
    }

    /// The path of a namespace's database.
    package func path(of namespace: String) -> String { "\(path)/\(namespace)\(Self.suffix)" }

    private static let suffix = ".sqlite"

    /// The names of the namespaces that have a database, or the log of one that is missing, sorted.
    ///
    /// Calls `ignore` with the paths of databases whose names are no names of namespaces.
    package func namespaces(
        where isName: (String) -> Bool = { _ in true }, ignoring ignore: (_ path: String) -> Void = { _ in }
    ) throws(StoreError) -> [String] {
        let found = try databases()
        for name in found where !isName(name) { ignore(path(of: name)) }
        return found.filter(isName)
    }

    /// The names of the databases, and of those of which only the log is left.
    private func databases() throws(StoreError) -> [String] {
        guard let directory = opendir(path) else { throw StoreError.system("read the directory", path) }
        defer { closedir(directory) }
        var names: Set<String> = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            for suffix in [Self.suffix, Self.suffix + "-wal"] where name.hasSuffix(suffix) && name != suffix {
                let database = String(name.dropLast(suffix.count))
                if suffix == Self.suffix || Self.hasLog(path(of: database)) { names.insert(database) }
            }
        }
        return names.sorted()
    }

    private static func hasLog(_ path: String) -> Bool { FileIdentity.size(path: path + "-wal") ?? 0 > 0 }

    /// Returns whether a namespace has a database, or the log of one that is missing, which cannot be opened.
    package func has(_ namespace: String) throws(StoreError) -> Bool {
        let path = path(of: namespace)
        if Self.hasLog(path) { return true }
        if access(path, F_OK) == 0 { return true }
        guard errno == ENOENT else { throw StoreError.system("find", path) }
        return false
    }

    /// Opens the world of a namespace, and creates it if it does not exist.
    package func open(
        _ namespace: String, options: SQLiteStore.Options = SQLiteStore.Options()
    ) throws(StoreError) -> SQLiteStore {
        try SQLiteStore(path: path(of: namespace), options: options, among: openWorlds, lock: lock)
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
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StoreError.system("create the directory", path) }
    }
}
