#if SQLite
internal import MockAPNs
internal import MockAPNsInspector
internal import MockAPNsLog
internal import MockAPNsAPI
internal import MockAPNsSQLite

extension StoreKind {
    static let directory = StoreKind(places: "directories", trait: "SQLite", opener: DirectoryPlace.self)
}

/// A directory with the worlds of one server, with a SQLite database for each.
struct DirectoryPlace: WorldPlace {
    private let directory: DataDirectory

    static func keeping(in place: String, _ options: KeepingOptions) throws(StoreError) -> Configuration.Keeping {
        var storing = SQLiteStore.Options()
        storing.sync = options.sync == .full ? .full : .normal
        storing.retention = options.retention
        let stores = try DirectoryStores(in: place, options: storing)
        return Configuration.Keeping(in: KeptStores(stores), match: FaultArgument.match)
    }

    init(reading place: String) throws(StoreError) { directory = try DataDirectory(reading: place) }

    init(compacting place: String) throws(StoreError) {
        // Fails if the directory does not exist; the next line would create it.
        _ = try DataDirectory(reading: place)
        directory = try DataDirectory(place)
    }

    init(writing place: String) throws(StoreError) { directory = try DataDirectory(place) }

    var name: String { directory.path }

    func names() throws(StoreError) -> [String] {
        try directory.namespaces(where: Namespaces.isName, ignoring: DirectoryStores.note)
    }

    func world(_ name: String) throws(StoreError) -> any KeptWorld { try StoredWorld(path: directory.path(of: name)) }

    func compact(_ names: [String], _ report: (_ name: String, _ before: Int, _ after: Int) -> Void) throws(StoreError)
    {
        for name in names {
            let world = try StoredWorld(path: directory.path(of: name), toWrite: true)
            let before = try world.facts().bytes
            try world.compact()
            report(name, before, try world.facts().bytes)
        }
    }

    func write(_ world: any KeptWorld, as name: String, _ material: WorldKeeper.Material) throws(StoreError) {
        let path = directory.path(of: name)
        if let world = world as? StoredWorld {
            try world.copy(to: path)
        } else {
            let store = try world.opened()
            defer { store.close() }
            try StoredWorld.write(WorldCopy(of: store, material), to: path)
        }
    }

    func close() {}
}

/// The stores of a server's worlds in a directory.
private final class DirectoryStores: WorldStores {
    private let directory: DataDirectory
    private let options: SQLiteStore.Options

    /// Opens and locks the directory.
    init(in path: String, options: SQLiteStore.Options) throws(StoreError) {
        directory = try DataDirectory(path)
        self.options = options
    }

    var place: String { directory.path }

    func names() throws(StoreError) -> [String] {
        try directory.namespaces(where: Namespaces.isName, ignoring: Self.note)
    }

    fileprivate static func note(ignored path: String) {
        Console.note(
            TerminalText.plain(
                "\(path) is ignored: the name of a namespace has 1 to 64 letters, digits or -._; rename or move it"))
    }

    func open(_ name: String) throws(StoreError) -> (any WorldStore)? { try directory.has(name) ? create(name) : nil }

    func create(_ name: String) throws(StoreError) -> any WorldStore { try directory.open(name, options: options) }

    func remove(_ name: String) throws(StoreError) { try directory.remove(name) }

    func close() {}
}
#else
extension StoreKind { static let directory = StoreKind(places: "directories", trait: "SQLite", opener: nil) }
#endif
