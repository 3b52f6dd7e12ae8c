/// A value that a statement is given, in PostgreSQL's binary format.
enum Value {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// A time, in microseconds since 1970.
    case time(Int64)
    case integers([Int64?])
    case texts([String?])
    /// Texts as their bytes in UTF-8.
    case utf8s([[UInt8]?])
    case blobs([[UInt8]?])
    /// Times, in microseconds since 1970.
    case times([Int64])

    /// A number of a push, an event or a change.
    static func number(_ number: UInt64) -> Value { .integer(Int64(clamping: number)) }

    static func numbers(_ numbers: [UInt64]) -> Value { .integers(numbers.map { Int64(clamping: $0) }) }

    /// The number of the type in the server's catalog; these numbers never change.
    var type: UInt32 {
        switch self {
        case .null, .text: ElementType.text.rawValue
        case .integer: ElementType.integer.rawValue
        case .blob: ElementType.blob.rawValue
        case .time: ElementType.time.rawValue
        case .integers: 1_016
        case .texts, .utf8s: 1_009
        case .blobs: 1_001
        case .times: 1_185
        }
    }

    private enum ElementType: UInt32 {
        case blob = 17
        case integer = 20
        case text = 25
        case time = 1_184
    }

    /// Appends the value; returns `false` for null, which has no bytes.
    func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .null: return false
        case .integer(let number): Self.append(number, to: &bytes)
        case .text(let text): Self.append(text, to: &bytes)
        case .blob(let blob): bytes += blob
        case .time(let time): Self.append(PostgresTime.stored(time), to: &bytes)
        case .integers(let numbers):
            Self.append(numbers, of: .integer, to: &bytes) { Self.append($0, to: &$1) }
        case .texts(let texts):
            Self.append(texts, of: .text, to: &bytes) { Self.append($0, to: &$1) }
        case .utf8s(let texts):
            Self.append(texts, of: .text, to: &bytes) { $1 += $0 }
        case .blobs(let blobs):
            Self.append(blobs, of: .blob, to: &bytes) { $1 += $0 }
        case .times(let times):
            Self.append(times, of: .time, to: &bytes) { Self.append(PostgresTime.stored($0), to: &$1) }
        }
        return true
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    /// A text of PostgreSQL cannot have the character U+0000.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        if text.utf8.contains(0) {
            for byte in text.utf8 { bytes += byte == 0 ? Array("\u{fffd}".utf8) : [byte] }
        } else {
            bytes += text.utf8
        }
    }

    private static func append<Element>(
        _ elements: [Element?],
        of type: ElementType,
        to bytes: inout [UInt8],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        // The dimensions, whether there are nulls, the type, the count, and the first index.
        for field in [1, 1, Int32(type.rawValue), Int32(elements.count), 1] {
            Self.append(field, to: &bytes)
        }
        for element in elements {
            guard let element else {
                Self.append(Int32(-1), to: &bytes)
                continue
            }
            let start = bytes.count
            Self.append(Int32(0), to: &bytes)
            append(element, &bytes)
            let length = Int32(bytes.count - start - 4)
            withUnsafeBytes(of: length.bigEndian) { length in
                for index in 0..<4 { bytes[start + index] = length[index] }
            }
        }
    }
}

/// Times as PostgreSQL stores them: microseconds since 2000.
enum PostgresTime {
    private static let epoch: Int64 = 946_684_800_000_000
    /// The years from 4713 BC to 294276, which are those that PostgreSQL has.
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
