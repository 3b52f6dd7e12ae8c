internal import MockAPNsRules

/// A parameter of a statement, in PostgreSQL's binary format.
enum Value {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// A time, in microseconds since 1970.
    case time(Int64)
    case array(ArrayValue)
    /// A value that is encoded already, with its type; `nil` is null.
    case encoded([UInt8]?, ArrayValue.Element)

    /// The number of a push, an event or a change.
    static func number(_ number: UInt64) -> Value { .integer(Int64(clamping: number)) }

    static func numbers(_ numbers: [UInt64]) -> Value { array(of: .integer, numbers) { $0.add(number: $1) } }

    static func integers(_ numbers: [Int64?]) -> Value { array(of: .integer, numbers) { $0.add($1) } }

    static func texts(_ texts: [String?]) -> Value {
        array(of: .text, texts) { array, text in text.map { array.add(text: $0) } ?? array.addNull() }
    }

    /// Texts, each given as UTF-8 bytes.
    static func utf8s(_ texts: [[UInt8]?]) -> Value { array(of: .text, texts) { add($1, to: &$0) } }

    static func blobs(_ blobs: [[UInt8]?]) -> Value { array(of: .blob, blobs) { add($1, to: &$0) } }

    /// Times, in microseconds since 1970.
    static func times(_ times: [Int64]) -> Value { array(of: .time, times) { $0.add(time: $1) } }

    private static func array<Element>(
        of type: ArrayValue.Element, _ elements: [Element], _ add: (inout ArrayValue, Element) -> Void
    ) -> Value {
        var array = ArrayValue(of: type)
        for element in elements { add(&array, element) }
        return .array(array)
    }

    private static func add(_ bytes: [UInt8]?, to array: inout ArrayValue) {
        guard let bytes else { return array.addNull() }
        bytes.withUnsafeBufferPointer { array.add(bytes: ByteSpan($0)) }
    }

    /// The OID of the type in PostgreSQL's catalog, which never changes.
    var type: UInt32 {
        switch self {
        case .null, .text: ArrayValue.Element.text.rawValue
        case .integer: ArrayValue.Element.integer.rawValue
        case .blob: ArrayValue.Element.blob.rawValue
        case .time: ArrayValue.Element.time.rawValue
        case .array(let array): array.element.array
        case .encoded(_, let element): element.rawValue
        }
    }

    /// Appends the value; returns `false` for null, which has no bytes.
    func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .null: return false
        case .integer(let number): Self.append(number, to: &bytes)
        case .text(let text): Self.append(text, to: &bytes)
        case .blob(let blob): bytes += blob
        case .time(let time): Self.append(PostgresTime.stored(time), to: &bytes)
        case .array(let array): array.append(to: &bytes)
        case .encoded(let value, _):
            guard let value else { return false }
            bytes += value
        }
        return true
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    /// Appends a text; U+0000 is replaced, because PostgreSQL does not allow it in text.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 { if byte == 0 { bytes += "\u{fffd}".utf8 } else { bytes.append(byte) } }
    }
}

/// Converts between microseconds since 1970 and PostgreSQL's microseconds since 2000.
enum PostgresTime {
    private static let epoch: Int64 = 946_684_800_000_000
    /// PostgreSQL's range of times: the years 4713 BC to 294276.
    private static let range: ClosedRange<Int64> = -211_813_488_000_000_000...9_223_371_331_199_999_999

    static func stored(_ microseconds: Int64) -> Int64 {
        let (time, overflow) = microseconds.subtractingReportingOverflow(epoch)
        return overflow ? range.lowerBound : min(max(time, range.lowerBound), range.upperBound)
    }

    static func microseconds(_ stored: Int64) -> Int64 {
        let (time, overflow) = stored.addingReportingOverflow(epoch)
        return overflow ? .max : time
    }
}
