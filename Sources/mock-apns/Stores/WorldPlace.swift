internal import MockAPNs
internal import MockAPNsLog

/// A directory or a database in which worlds are kept.
protocol WorldPlace: SendableMetatype {
    /// Opens what a server keeps its worlds in.
    static func keeping(
        in place: String,
        _ options: KeepingOptions
    ) throws(StoreError) -> Configuration.Keeping

    /// Opens a place to read, also while servers use it.
    init(reading place: String) throws(StoreError)

    /// Opens a place that no server uses, and that exists.
    init(compacting place: String) throws(StoreError)

    /// Opens a place to copy to, and creates it.
    init(writing place: String) throws(StoreError)

    /// The path or the URL, for messages; it has no password.
    var name: String { get }

    /// The names of the namespaces.
    func names() throws(StoreError) -> [String]

    func world(_ name: String) throws(StoreError) -> any KeptWorld

    /// Rewrites what is kept without unused pages; `report` gets the sizes in bytes.
    func compact(
        _ names: [String],
        _ report: (_ name: String, _ before: Int, _ after: Int) -> Void
    ) throws(StoreError)

    /// Writes a copy of a world, which must not exist here.
    func write(_ world: any KeptWorld, as name: String) throws(StoreError)

    /// Releases the place.
    func close()
}

/// The options of `serve` for what it keeps.
struct KeepingOptions: Sendable {
    /// When a change in a directory is safe.
    enum Sync: String, CaseIterable, Sendable {
        /// It survives the end of the process, but not always the loss of power.
        case normal
        /// It survives the loss of power too.
        case full
    }

    var sync = Sync.normal
    var retention = Retention()
    /// The name of this server among those that share a database.
    var replica = SystemFacts.hostName ?? "mock-apns"
    /// How long changes wait for a database, in milliseconds.
    var patience: Int64 = 2_000
}
