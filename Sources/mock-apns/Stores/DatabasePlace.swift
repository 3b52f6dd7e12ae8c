#if Postgres
internal import MockAPNs
internal import MockAPNsInspector
internal import MockAPNsLog
internal import MockAPNsAPI
internal import MockAPNsPostgres

extension StoreKind {
    static let database = StoreKind(places: "PostgreSQL databases", trait: "Postgres", opener: DatabasePlace.self)
}

/// A PostgreSQL database with worlds shared by several servers.
struct DatabasePlace: WorldPlace {
    private let data: PostgresData

    static func keeping(in place: String, _ options: KeepingOptions) throws(StoreError) -> Configuration.Keeping {
        var storing = PostgresOptions()
        storing.retention = options.retention
        let log = try PostgresLog(place, options: storing)
        var sharing = Configuration.Sharing(KeptStores(sharing: log), name: options.replica, version: Version.text)
        sharing.options.timeout = UInt64(options.timeout) * 1_000_000
        return Configuration.Keeping(sharing: sharing, match: FaultArgument.match)
    }

    init(reading place: String) throws(StoreError) { data = try PostgresData(place) }

    init(compacting place: String) throws(StoreError) { data = try PostgresData(place) }

    init(writing place: String) throws(StoreError) { data = try PostgresData(place, creates: true) }

    var name: String { data.place }

    func names() throws(StoreError) -> [String] { try data.names() }

    func world(_ name: String) throws(StoreError) -> any KeptWorld { try data.world(name) }

    func compact(_ names: [String], _ report: (_ name: String, _ before: Int, _ after: Int) -> Void) throws(StoreError)
    {
        // The namespaces share their tables, so they are compacted together.
        let (before, after) = try data.compact()
        report("all namespaces", before, after)
    }

    func write(_ world: any KeptWorld, as name: String, _ material: WorldKeeper.Material) throws(StoreError) {
        let store = try world.opened()
        defer { store.close() }
        try data.write(WorldCopy(of: store, material), as: name)
    }

    func close() { data.close() }
}
#else
extension StoreKind { static let database = StoreKind(places: "PostgreSQL databases", trait: "Postgres", opener: nil) }
#endif
