public import MockAPNsRules

/// A connection, open or ended.
public struct ConnectionRecord: Sendable {
    /// The remote address for pushes that the server sends to itself.
    public static let ownAddress = "inspector"

    /// The number of the connection on its server, from 1.
    public let id: UInt64
    /// The client's address and port.
    public let remoteAddress: String
    /// The environment of the listener.
    public let environment: Environment
    /// When it was opened, on the system's clock.
    public let openedAt: Timestamp
    /// What the listener offers.
    public var interface = ProviderInterface.http2
    /// The TLS version; `nil` for clear text and failed handshakes.
    public var tlsVersion: String?
    /// The application protocol negotiated by TLS.
    public var applicationProtocol: String?
    /// The host name that the client requested.
    public var serverName: String?
    /// The client's certificate; `nil` if it sent none.
    public var clientCertificate: ClientCertificate?
    /// When it ended, on the system's clock.
    public internal(set) var closedAt: Timestamp?
    /// The kind of end, with a stable name for programs.
    public internal(set) var closeCode: String?
    /// A description of the end.
    public internal(set) var closeDetail: String?
    /// The usual solution; `nil` if none is known.
    public internal(set) var closeHint: String?

    /// The number of its pushes in this world.
    public internal(set) var pushes: UInt64 = 0
    /// The number of its streams with requests, also in other worlds, up to its last push in this world.
    public internal(set) var streams: UInt64 = 0
    /// The number of GOAWAYs sent.
    public internal(set) var goAways: UInt64 = 0
    /// The code of the last GOAWAY (RFC 9113, section 7); `nil` if there was none.
    public internal(set) var goAwayCode: UInt32?

    /// The remote address without its port.
    public var remoteHost: String {
        remoteAddress.lastIndex(of: ":").map { String(remoteAddress[..<$0]) } ?? remoteAddress
    }

    /// Whether the server itself is the client.
    public var isOwn: Bool { remoteAddress == Self.ownAddress }

    /// Creates the record of a new connection without TLS.
    public init(id: UInt64, remoteAddress: String, environment: Environment, openedAt: Timestamp) {
        self.id = id
        self.remoteAddress = remoteAddress
        self.environment = environment
        self.openedAt = openedAt
    }
}

/// The open connections, and the latest ended ones.
struct ConnectionLog {
    static let capacity = 10_000

    private var records: [UInt64: ConnectionRecord] = [:]
    /// The ended connections in the order in which they ended.
    private var ended = LatestItems<UInt64>(capacity: Self.capacity)
    /// The number of connections so far, including those that are no longer kept.
    private(set) var total: UInt64 = 0

    subscript(id: UInt64) -> ConnectionRecord? { records[id] }

    var openCount: Int { records.count - ended.items.count }

    var all: [ConnectionRecord] { records.values.sorted { $0.id < $1.id } }

    mutating func opened(_ connection: ConnectionRecord) {
        total += 1
        records[connection.id] = connection
    }

    /// Notes pushes of a connection; `request` is the number of the last of them on it.
    mutating func note(_ pushes: UInt64, upTo request: UInt32, of connection: UInt64) {
        guard pushes > 0 else { return }
        records[connection]?.pushes += pushes
        records[connection]?.streams = UInt64(request)
    }

    mutating func noteGoAway(code: UInt32, on id: UInt64) {
        records[id]?.goAways += 1
        records[id]?.goAwayCode = code
    }

    mutating func closed(_ connection: ConnectionRecord, at now: Timestamp, code: String, detail: String, hint: String?)
    {
        // A connection with a failed handshake was never recorded as opened.
        if records[connection.id] == nil { total += 1 }
        var record = records[connection.id] ?? connection
        record.closedAt = now
        record.closeCode = code
        record.closeDetail = detail
        record.closeHint = hint
        records[connection.id] = record
        if let oldest = ended.append(connection.id) { records[oldest] = nil }
    }
}
