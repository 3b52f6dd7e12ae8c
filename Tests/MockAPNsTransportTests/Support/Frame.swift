/// One HTTP/2 frame, as a test says it or expects it.
///
/// Sent and received frames are the same values, so that a test reads like a conversation.
enum Frame: Equatable {
    case data(Int32, [UInt8], end: Bool = true)
    case headers(Int32, [Field], end: Bool = true)
    case priority(Int32)
    case reset(Int32, ErrorCode)
    case settings([Setting])
    case settingsAck
    case ping([UInt8])
    case pong([UInt8])
    case goAway(last: Int32, ErrorCode, String)
    case windowUpdate(Int32, by: UInt32)
    /// A frame that the other cases do not make: of another kind, or broken on purpose.
    case raw(type: UInt8, flags: UInt8, stream: Int32, [UInt8])

    /// A header field.
    struct Field: Equatable, CustomStringConvertible {
        let name: String
        let value: String
        var description: String { "\(name): \(value)" }

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A parameter of SETTINGS.
    struct Setting: Equatable, CustomStringConvertible {
        let id: UInt16
        let value: UInt32
        var description: String { "\(id)=\(value)" }

        init(_ id: UInt16, _ value: UInt32) {
            self.id = id
            self.value = value
        }
    }

    /// RFC 9113 section 7.
    enum ErrorCode: UInt32 {
        case noError, protocolError, internalError, flowControlError, settingsTimeout, streamClosed
        case frameSizeError, refusedStream, cancel, compressionError, connectError, enhanceYourCalm
    }

    /// RFC 9113 section 6.
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let pushPromise: UInt8 = 5
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    /// Bits of a frame header's flags.
    enum Flag {
        static let endStream: UInt8 = 1
        static let acknowledgement: UInt8 = 1
        static let endHeaders: UInt8 = 4
        static let padded: UInt8 = 8
        static let priority: UInt8 = 32
    }

    static func data(_ stream: Int32, _ text: String, end: Bool = true) -> Frame {
        .data(stream, Array(text.utf8), end: end)
    }

    /// The same HEADERS or DATA frame on a stream further on.
    func moved(by distance: Int32) -> Frame {
        switch self {
        case .headers(let stream, let fields, let end): .headers(stream + distance, fields, end: end)
        case .data(let stream, let bytes, let end): .data(stream + distance, bytes, end: end)
        default: self
        }
    }

    /// A HEADERS frame whose header block is given byte by byte.
    static func block(_ stream: Int32, _ block: [UInt8], flags: UInt8 = 5) -> Frame {
        .raw(type: Kind.headers, flags: flags, stream: stream, block)
    }

    static func continuation(_ stream: Int32, _ block: [UInt8], isLast: Bool) -> Frame {
        .raw(type: Kind.continuation, flags: isLast ? Flag.endHeaders : 0, stream: stream, block)
    }
}

extension [Frame.Field] {
    static let token = String(repeating: "0123456789abcdef", count: 4)

    /// The headers of a usual push, with more after them.
    static func push(
        method: String = "POST", path: String = "/3/device/\(token)", _ more: Frame.Field...
    ) -> [Frame.Field] {
        [
            Frame.Field(":method", method), Frame.Field(":scheme", "http"), Frame.Field(":path", path),
            Frame.Field(":authority", "localhost"), Frame.Field("apns-topic", "com.example.app"),
        ] + more
    }

    /// The size of a header list as SETTINGS_MAX_HEADER_LIST_SIZE counts it.
    var listSize: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }

    /// The list with one field more, which brings it to exactly `size`.
    func filled(to size: Int, name: String = "x-fill") -> [Frame.Field] {
        let missing = size - listSize - 32 - name.utf8.count
        precondition(missing >= 0, "the list is larger than that already")
        return self + [Frame.Field(name, String(repeating: "f", count: missing))]
    }
}
