internal import MockAPNs
internal import MockAPNsLog

/// A directory or database that stores worlds.
protocol WorldPlace: SendableMetatype {
    /// Opens a place for a server to store its worlds in.
    static func keeping(in place: String, _ options: KeepingOptions) throws(StoreError) -> Configuration.Keeping

    /// Opens a place for reading; servers may use it at the same time.
    init(reading place: String) throws(StoreError)

    /// Opens an existing place for compacting.
    init(compacting place: String) throws(StoreError)

    /// Opens a place to copy to, and creates it if it does not exist.
    init(writing place: String) throws(StoreError)

    /// The path, or the URL without its password, for messages.
    var name: String { get }

    /// Returns the names of the namespaces.
    func names() throws(StoreError) -> [String]

    func world(_ name: String) throws(StoreError) -> any KeptWorld

    /// Rewrites databases without unused pages, and calls `report` with their sizes in bytes.
    ///
    /// No server may be using them.
    func compact(_ names: [String], _ report: (_ name: String, _ before: Int, _ after: Int) -> Void) throws(StoreError)

    /// Writes a copy of a world under a name that must not exist here.
    func write(_ world: any KeptWorld, as name: String, _ material: WorldKeeper.Material) throws(StoreError)

    /// Releases the place.
    func close()
}

/// The options of `serve` for storing data.
struct KeepingOptions: Sendable {
    /// When a change in a directory is safe.
    enum Sync: String, CaseIterable, Sendable {
        /// When it survives a crash of the process, but not necessarily a power failure.
        case normal
        /// When it also survives a power failure.
        case full
    }

    var sync = Sync.normal
    var retention = Retention()
    /// The name of this server among the servers that share a database.
    var replica = SystemFacts.hostName ?? "mock-apns"
    /// How long changes wait for a failing database, in milliseconds.
    var timeout: Int64 = 2_000
}
