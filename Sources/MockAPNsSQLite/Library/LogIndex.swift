internal import CMockAPNsSQLite

/// What the connections to a database say of its log, in memory that they share.
struct LogIndex: Equatable {
    /// The size of the file with that memory at least, in bytes.
    static let leastFile = Int64(mockapns_sqlite_log_index_size)

    /// What a log begins with, by the order of the bytes in its checksums.
    static let starts: [[UInt8]] = [[0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83]]

    /// The number of changes, the size of a page in bytes, and the number of pages in the log.
    private let changes: UInt32
    private let pageSize: UInt32
    private let frames: UInt32
    /// What was moved from the log to the database, since when, and what is being moved.
    private let salt: UInt32
    private let moved: UInt32
    private let moving: UInt32

    /// Reads the memory of a connection; `nil` while it changes.
    init?(_ memory: UnsafeRawPointer) {
        var index = mockapns_sqlite_log_index()
        guard mockapns_sqlite_read_log_index(memory, &index) == 1 else { return nil }
        (changes, pageSize, frames) = (index.changes, index.page_size, index.frames)
        (salt, moved, moving) = (index.salt, index.moved, index.moving)
    }

    /// The size of the log at least, in bytes.
    var leastLog: Int64 { frames == 0 ? 0 : 32 + Int64(frames) * (24 + Int64(pageSize)) }

    /// Whether pages are being moved from the log to the database.
    var isMoving: Bool { moved != moving }

    /// Whether nothing was moved to the database since another index was read.
    func isUnmoved(since other: LogIndex) -> Bool { salt == other.salt && moved == other.moved }
}
