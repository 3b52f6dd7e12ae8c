internal import DequeModule
public import MockAPNsRules

/// One connection, from its opening on.
public struct ConnectionRecord: Sendable {
    /// The remote address of the server itself, where it sends a push to try one out.
    public static let ownAddress = "inspector"

    /// Counts the connections of a server from 1.
    public let id: UInt64
    /// The address and port of the client.
    public let remoteAddress: String
    /// The environment of the listener.
    public let environment: Environment
    /// When it was opened, on the system's clock.
    public let openedAt: Timestamp
    /// The TLS version; `nil` for clear text and failed handshakes.
    public let tlsVersion: String?
    /// The application protocol that TLS agreed on.
    public let applicationProtocol: String?
    /// The host name that the client asked for.
    public let serverName: String?
    /// The client's certificate; `nil` when it showed none.
    public let clientCertificate: ClientCertificate?
    /// When it ended, on the system's clock.
    public internal(set) var closedAt: Timestamp?
    /// The kind of its ending: stable, for programs.
    public internal(set) var closeCode: String?
    /// How it ended, for people.
    public internal(set) var closeDetail: String?
    /// What usually helps against it; `nil` where nothing is known.
    public internal(set) var closeHint: String?

    /// How many pushes came on it to this world.
    public internal(set) var pushes: UInt64 = 0
    /// How many streams it had with requests, those to other worlds included, up to its last push to this one.
    public internal(set) var streams: UInt64 = 0
    /// How many GOAWAYs it was sent.
    public internal(set) var goAways: UInt64 = 0
    /// The code of the last of them (RFC 9113, section 7); `nil` before any.
    public internal(set) var goAwayCode: UInt32?

    /// Whether the server itself is the client.
    public var isOwn: Bool { remoteAddress == Self.ownAddress }

    /// A connection that has just been opened.
    public init(
        id: UInt64,
        remoteAddress: String,
        environment: Environment,
        openedAt: Timestamp,
        tlsVersion: String?,
        applicationProtocol: String?,
        serverName: String?,
        clientCertificate: ClientCertificate?
    ) {
        self.id = id
        self.remoteAddress = remoteAddress
        self.environment = environment
        self.openedAt = openedAt
        self.tlsVersion = tlsVersion
        self.applicationProtocol = applicationProtocol
        self.serverName = serverName
        self.clientCertificate = clientCertificate
    }

    fileprivate mutating func note(_ load: ConnectionLoad) {
        pushes += load.pushes
        streams = UInt64(load.lastRequest)
    }

    fileprivate mutating func noteGoAway(code: UInt32) {
        goAways += 1
        goAwayCode = code
    }
}

/// What came on a connection in a batch.
struct ConnectionLoad {
    var connection: UInt64 = 0
    var pushes: UInt64 = 0
    /// Which request of the connection the last push was, counted from 1.
    var lastRequest: UInt32 = 0
}

/// The connections that are open, and the latest of those that are not.
struct ConnectionLog {
    /// Ended connections kept.
    static let capacity = 10_000

    private var records: [UInt64: ConnectionRecord] = [:]
    /// The ended ones, in the order of their ending.
    private var ended: Deque<UInt64> = []
    /// How many there were, those forgotten included.
    private(set) var total: UInt64 = 0

    subscript(id: UInt64) -> ConnectionRecord? { records[id] }

    /// How many are open.
    var openCount: Int { records.count - ended.count }

    var all: [ConnectionRecord] { records.values.sorted { $0.id < $1.id } }

    mutating func opened(_ connection: ConnectionRecord) {
        total += 1
        records[connection.id] = connection
    }

    /// Pushes came on a connection.
    mutating func note(_ load: ConnectionLoad) {
        if load.pushes > 0 { records[load.connection]?.note(load) }
    }

    /// A connection was sent a GOAWAY.
    mutating func noteGoAway(code: UInt32, on id: UInt64) {
        records[id]?.noteGoAway(code: code)
    }

    mutating func closed(
        _ connection: ConnectionRecord,
        at now: Timestamp,
        code: String,
        detail: String,
        hint: String?
    ) {
        // One whose handshake failed was never opened.
        if records[connection.id] == nil { total += 1 }
        var record = records[connection.id] ?? connection
        record.closedAt = now
        record.closeCode = code
        record.closeDetail = detail
        record.closeHint = hint
        records[connection.id] = record
        if ended.count == Self.capacity, let oldest = ended.popFirst() { records[oldest] = nil }
        ended.append(connection.id)
    }
}
