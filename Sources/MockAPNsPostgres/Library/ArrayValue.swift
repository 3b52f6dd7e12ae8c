internal import MockAPNsRules

/// An array parameter of a statement, in PostgreSQL's binary format.
struct ArrayValue {
    /// The element types, by their OIDs in PostgreSQL's catalog, which never change.
    enum Element: UInt32 {
        case blob = 17
        case integer = 20
        case short = 21
        case text = 25
        case time = 1_184

        /// The OID of the array type.
        var array: UInt32 {
            switch self {
            case .blob: 1_001
            case .integer: 1_016
            case .short: 1_005
            case .text: 1_009
            case .time: 1_185
            }
        }
    }

    let element: Element
    private(set) var count = 0
    private var bytes: [UInt8] = []

    init(of element: Element) { self.element = element }

    /// Adds null.
    mutating func addNull() {
        count += 1
        append(Int32(-1))
    }

    /// Adds a number, or null.
    mutating func add(_ number: Int64?) {
        guard let number else { return addNull() }
        count += 1
        append(Int32(8))
        append(number)
    }

    /// Adds the number of a push, an event or a change.
    mutating func add(number: UInt64) { add(Int64(clamping: number)) }

    /// Adds a time, in microseconds since 1970.
    mutating func add(time: Int64) { add(PostgresTime.stored(time)) }

    /// Adds bytes; for a text array, they must be UTF-8 without U+0000.
    mutating func add(bytes span: ByteSpan) {
        count += 1
        append(Int32(truncatingIfNeeded: span.count))
        bytes.append(contentsOf: span.bytes)
    }

    /// Adds a text; U+0000 is replaced.
    mutating func add(text: String) {
        var stored: [UInt8] = []
        Value.append(text, to: &stored)
        stored.withUnsafeBufferPointer { add(bytes: ByteSpan($0)) }
    }

    /// Appends the encoded array to `target`.
    func append(to target: inout [UInt8]) {
        // The number of dimensions, the flag for nulls, the element type, the count, and the first index.
        for field in [1, 1, Int32(element.rawValue), Int32(truncatingIfNeeded: count), 1] {
            withUnsafeBytes(of: field.bigEndian) { target.append(contentsOf: $0) }
        }
        target.append(contentsOf: bytes)
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
