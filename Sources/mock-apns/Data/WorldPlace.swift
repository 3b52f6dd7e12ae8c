internal import MockAPNsLog
internal import MockAPNsPostgres
internal import MockAPNsSQLite

/// Where the worlds of `mock-apns data` are: a directory, or the database of a URL.
enum WorldPlace {
    case directory(DataDirectory)
    case database(PostgresData)

    /// Opens a place to read, also while servers use it.
    init(reading place: String) throws(StoreError) {
        self =
            PostgresData.isURL(place)
            ? .database(try PostgresData(place)) : .directory(try DataDirectory(reading: place))
    }

    /// Opens a place that no server uses, and that exists.
    init(compacting place: String) throws(StoreError) {
        if PostgresData.isURL(place) {
            self = .database(try PostgresData(place))
        } else {
            // A directory that does not exist is not created.
            _ = try DataDirectory(reading: place)
            self = .directory(try DataDirectory(place))
        }
    }

    /// Opens a place to copy to, and creates it.
    init(writing place: String) throws(StoreError) {
        self =
            PostgresData.isURL(place)
            ? .database(try PostgresData(place, creates: true)) : .directory(try DataDirectory(place))
    }

    /// The path or the URL, for messages; it has no password.
    var name: String {
        switch self {
        case .directory(let data): data.path
        case .database(let data): data.place
        }
    }

    func names() throws(StoreError) -> [String] {
        switch self {
        case .directory(let data): try data.namespaces()
        case .database(let data): try data.names()
        }
    }

    func world(_ name: String) throws(StoreError) -> any KeptWorld {
        switch self {
        case .directory(let data): try StoredWorld(path: data.path(of: name))
        case .database(let data): try data.world(name)
        }
    }

    /// Rewrites what is kept without unused pages; `report` gets the sizes in bytes.
    func compact(
        _ names: [String],
        _ report: (_ name: String, _ before: Int, _ after: Int) -> Void
    ) throws(StoreError) {
        switch self {
        case .directory(let data):
            for name in names {
                let world = try StoredWorld(path: data.path(of: name), toWrite: true)
                let before = try world.facts().bytes
                try world.compact()
                report(name, before, try world.facts().bytes)
            }
        case .database(let data):
            // The namespaces have their tables in common.
            let (before, after) = try data.compact()
            report("all namespaces", before, after)
        }
    }

    /// Writes a copy of a world, which must not exist here.
    func write(_ world: any KeptWorld, as name: String) throws(StoreError) {
        switch (self, world) {
        case (.directory(let data), let world as StoredWorld): try world.copy(to: data.path(of: name))
        case (.directory(let data), _): try StoredWorld.write(world, to: data.path(of: name))
        case (.database(let data), _): try data.write(world, as: name)
        }
    }

    /// Releases the place.
    func close() {
        if case .database(let data) = self { data.close() }
    }
}
