internal import CMockAPNsPostgres
internal import MockAPNsRules

/// The result of a statement, in binary format.
final class QueryResult {
    private let handle: OpaquePointer

    /// Takes ownership of a libpq result.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// The rows.
    var rows: some RandomAccessCollection<Row> { (0..<PQntuples(handle)).lazy.map { Row(self, $0) } }

    var isEmpty: Bool { PQntuples(handle) == 0 }

    /// The first row; `nil` if there is none.
    var first: Row? { PQntuples(handle) > 0 ? Row(self, 0) : nil }

    /// The number of rows that the statement affected.
    var changes: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// A row; it retains the result.
    struct Row {
        private let result: QueryResult
        private let index: CInt

        fileprivate init(_ result: QueryResult, _ index: CInt) {
            self.result = result
            self.index = index
        }

        func isNull(_ column: CInt) -> Bool { PQgetisnull(result.handle, index, column) != 0 }

        private func field(_ column: CInt) -> UnsafeRawBufferPointer {
            let start = PQgetvalue(result.handle, index, column)
            return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result.handle, index, column)))
        }

        /// A `smallint`, `integer` or `bigint`; 0 for null.
        func integer(_ column: CInt) -> Int64 {
            let field = field(column)
            guard let first = field.first else { return 0 }
            let sign: Int64 = first & 0x80 == 0 ? 0 : -1
            return field.prefix(8).reduce(sign) { $0 << 8 | Int64($1) }
        }

        /// A number that should never be negative; a negative one is read as 0.
        func number(_ column: CInt) -> UInt64 { UInt64(clamping: integer(column)) }

        /// A time, in microseconds since 1970.
        func time(_ column: CInt) -> Int64 { PostgresTime.microseconds(integer(column)) }

        /// A text; empty for null.
        func text(_ column: CInt) -> String { String(decoding: field(column), as: UTF8.self) }

        /// The bytes of a text or a `bytea` without a copy, valid as long as the row; empty for null.
        func span(_ column: CInt) -> ByteSpan { ByteSpan(field(column).bindMemory(to: UInt8.self)) }

        /// The bytes of a text or a `bytea`; empty for null.
        func bytes(_ column: CInt) -> [UInt8] { Array(field(column)) }
    }
}
