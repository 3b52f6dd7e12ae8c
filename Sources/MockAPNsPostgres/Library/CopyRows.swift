internal import MockAPNsRules

/// Rows for a table, in the binary format of `copy … from stdin`.
///
/// A row has each of its values as a parameter of a statement has it, with the length before it.
struct CopyRows {
    /// The bytes before the first row: a signature, no flags, and no extension.
    private static let head = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + Array(repeating: 0, count: 8)

    /// What to send, without the mark of the end.
    private(set) var bytes = Self.head
    private(set) var count = 0

    /// What to send after the last row.
    static let end: [UInt8] = [0xff, 0xff]

    /// Begins a row with this number of values.
    mutating func beginRow(of values: Int) {
        count += 1
        append(Int16(truncatingIfNeeded: values))
    }

    /// Adds null.
    mutating func addNull() { append(Int32(-1)) }

    /// Adds a `bigint`.
    mutating func add(_ number: Int64) {
        append(Int32(8))
        append(number)
    }

    /// Adds a `smallint`.
    mutating func add(short number: Int64) {
        append(Int32(2))
        append(Int16(clamping: number))
    }

    /// Adds a time, in microseconds since 1970.
    mutating func add(time: Int64) { add(PostgresTime.stored(time)) }

    /// Adds a `bytea`, or a text, which must be UTF-8 without U+0000.
    mutating func add(bytes span: ByteSpan) {
        append(Int32(truncatingIfNeeded: span.count))
        bytes.append(contentsOf: span.bytes)
    }

    /// Adds a text, or null for an empty one.
    ///
    /// Invalid UTF-8 is repaired. U+0000 is replaced, because PostgreSQL does not allow it in text.
    mutating func add(given span: ByteSpan) {
        guard !span.isEmpty else { return addNull() }
        var (all, hasNull) = (UInt8(0), false)
        for byte in span.bytes {
            all |= byte
            hasNull = hasNull || byte == 0
        }
        guard all >= 0x80 || hasNull else { return add(bytes: span) }
        var stored: [UInt8] = []
        Value.append(span.text, to: &stored)
        stored.withUnsafeBufferPointer { add(bytes: ByteSpan($0)) }
    }

    /// Calls `use` with the values of each row, encoded; `nil` is null.
    func visitValues(_ use: ([ArraySlice<UInt8>?]) -> Void) {
        var rest = bytes[Self.head.count...]
        func take<Number: FixedWidthInteger>(_: Number.Type) -> Number {
            defer { rest = rest.dropFirst(MemoryLayout<Number>.size) }
            return rest.prefix(MemoryLayout<Number>.size).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }
        while !rest.isEmpty {
            use(
                (0..<take(Int16.self)).map { _ in
                    let length = Int(take(Int32.self))
                    guard length >= 0 else { return nil }
                    defer { rest = rest.dropFirst(length) }
                    return rest.prefix(length)
                })
        }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
