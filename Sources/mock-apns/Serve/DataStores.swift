internal import MockAPNsLog
internal import MockAPNsSQLite

/// The worlds of a server in a directory, each in a database.
final class DataStores: WorldStores {
    private let directory: DataDirectory
    private let options: SQLiteStore.Options

    /// Opens a directory that no other server uses.
    init(in path: String, options: SQLiteStore.Options) throws(StoreError) {
        directory = try DataDirectory(path)
        self.options = options
    }

    var place: String { directory.path }

    func names() throws(StoreError) -> [String] { try directory.namespaces() }

    func open(_ name: String) throws(StoreError) -> any WorldStore {
        try directory.open(name, options: options)
    }

    func remove(_ name: String) throws(StoreError) { try directory.remove(name) }

    func close() {}
}
