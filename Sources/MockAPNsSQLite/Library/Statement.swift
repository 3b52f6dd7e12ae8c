internal import CMockAPNsSQLite
internal import MockAPNsLog
internal import MockAPNsRules

/// A value of a statement's parameter.
enum Value {
    case integer(Int64)
    case text(String)
    /// Text as UTF-8 bytes.
    case utf8([UInt8])
    case blob([UInt8])
    case null

    /// The number of a push, an event or a change.
    static func number(_ number: UInt64) -> Value { .integer(Int64(clamping: number)) }

    /// A text; null if it is empty.
    static func given(_ text: String) -> Value { text.isEmpty ? .null : .text(text) }
}

/// A prepared statement.
final class Statement {
    private let handle: OpaquePointer
    private unowned let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement and ignores results.
    func run(_ values: [Value]) throws(StoreError) { try visit(values) { _ throws(StoreError) in } }

    /// Runs the statement, and calls `use` with every result.
    ///
    /// `use` must not run the same statement.
    func visit(_ values: [Value], _ use: (borrowing Row) throws(StoreError) -> Void) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        for (index, value) in zip(CInt(1)..., values) {
            let code = bind(index, value)
            guard code == SQLITE_OK else { throw database.failure(code) }
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try use(Row(handle))
            case SQLITE_DONE: return
            case let code: throw database.failure(code)
            }
        }
    }

    /// Runs a statement without results; `bind` adds the parameters in order.
    ///
    /// The bytes are not copied, so they must not change until this returns.
    func run(binding bind: (inout Parameters) -> Void) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        var parameters = Parameters(handle)
        bind(&parameters)
        guard parameters.code == SQLITE_OK else { throw database.failure(parameters.code) }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw database.failure(code) }
    }

    private func bind(_ index: CInt, _ value: Value) -> CInt {
        switch value {
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .null: sqlite3_bind_null(handle, index)
        case .text(var text):
            text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { bytes in
                    // An empty text may have no address, which SQLite would take for null.
                    sqlite3_bind_text(handle, index, bytes.baseAddress ?? emptyText, CInt(bytes.count), copied)
                }
            }
        case .utf8(let bytes):
            bytes.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                return sqlite3_bind_text(handle, index, start ?? emptyText, CInt(bytes.count), copied)
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), copied)
            }
        }
    }
}

/// Makes SQLite copy a value when it is bound: `SQLITE_TRANSIENT`, a C cast that Swift does not import.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
/// The address bound for empty texts; immutable and never freed.
private nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
    let start = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    start.initialize(to: 0)
    return UnsafePointer(start)
}()

/// The parameters of a statement, bound in place.
struct Parameters: ~Copyable {
    private let handle: OpaquePointer
    private var index: CInt = 0
    /// The first error; `SQLITE_OK` if there was none.
    fileprivate private(set) var code = SQLITE_OK

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    private mutating func note(_ code: CInt) { if self.code == SQLITE_OK { self.code = code } }

    mutating func add(_ number: Int64) {
        index += 1
        note(sqlite3_bind_int64(handle, index, number))
    }

    mutating func add(number: UInt64) { add(Int64(clamping: number)) }

    mutating func addNull() {
        index += 1
        note(sqlite3_bind_null(handle, index))
    }

    /// Adds text in UTF-8.
    mutating func add(text: ByteSpan) {
        index += 1
        let start = text.start.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) } ?? emptyText
        note(sqlite3_bind_text(handle, index, start, CInt(text.count), nil))
    }

    mutating func add(blob: ByteSpan) {
        index += 1
        note(
            blob.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(handle, index, blob.start, UInt64(blob.count), nil))
    }

    /// Adds a text, or null if it is empty; invalid UTF-8 is replaced.
    mutating func add(given text: ByteSpan) {
        guard !text.isEmpty else { return addNull() }
        guard !text.isASCII else { return add(text: text) }
        index += 1
        let repaired = Array(text.text.utf8)
        note(
            repaired.withUnsafeBufferPointer { repaired in
                let start = UnsafeRawPointer(repaired.baseAddress)?.assumingMemoryBound(to: CChar.self)
                return sqlite3_bind_text(handle, index, start ?? emptyText, CInt(repaired.count), copied)
            })
    }
}

/// A row of a statement's results, valid until the next row is read.
struct Row: ~Copyable {
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A number that must not be negative; damaged values are 0.
    func number(_ column: CInt) -> UInt64 { UInt64(clamping: integer(column)) }

    /// A text; empty for null.
    func text(_ column: CInt) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// The bytes of a text or a blob in place, valid as long as the row; empty for null.
    func span(_ column: CInt) -> ByteSpan {
        guard let start = sqlite3_column_blob(handle, column) else { return ByteSpan(start: nil, count: 0) }
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        return ByteSpan(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The bytes of a text or a blob; empty for null.
    func bytes(_ column: CInt) -> [UInt8] { Array(span(column).bytes) }
}
