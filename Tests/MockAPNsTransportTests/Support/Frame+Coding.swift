extension Frame {
    /// The client's connection preface (RFC 9113 section 3.4).
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// The frame as it goes over the wire; headers are encoded without a dynamic table.
    var encoded: [UInt8] {
        switch self {
        case .data(let stream, let bytes, let end): Self.bytes(Kind.data, end ? Flag.endStream : 0, stream, bytes)
        case .headers(let stream, let fields, let end):
            Self.bytes(Kind.headers, Flag.endHeaders | (end ? Flag.endStream : 0), stream, HPACK.encode(fields))
        case .priority(let stream): Self.bytes(Kind.priority, 0, stream, Self.number(0, 4) + [15])
        case .reset(let stream, let code): Self.bytes(Kind.reset, 0, stream, Self.number(code.rawValue, 4))
        case .settings(let settings):
            Self.bytes(
                Kind.settings, 0, 0, settings.flatMap { Self.number(UInt32($0.id), 2) + Self.number($0.value, 4) })
        case .settingsAck: Self.bytes(Kind.settings, Flag.acknowledgement, 0, [])
        case .ping(let bytes): Self.bytes(Kind.ping, 0, 0, bytes)
        case .pong(let bytes): Self.bytes(Kind.ping, Flag.acknowledgement, 0, bytes)
        case .goAway(let last, let code, let debug):
            Self.bytes(
                Kind.goAway, 0, 0, Self.number(UInt32(last), 4) + Self.number(code.rawValue, 4) + Array(debug.utf8))
        case .windowUpdate(let stream, let increment):
            Self.bytes(Kind.windowUpdate, 0, stream, Self.number(increment, 4))
        case .raw(let type, let flags, let stream, let payload): Self.bytes(type, flags, stream, payload)
        }
    }

    private static func bytes(_ type: UInt8, _ flags: UInt8, _ stream: Int32, _ payload: [UInt8]) -> [UInt8] {
        number(UInt32(payload.count), 3) + [type, flags] + number(UInt32(stream), 4) + payload
    }

    private static func number(_ value: UInt32, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * (length - 1 - $0))) }
    }
}

/// Takes a byte stream apart into frames.
struct FrameReader {
    /// What the server may not do.
    struct Malformed: Error { let detail: String }

    private var bytes: [UInt8] = []
    private var at = 0
    private var hpack = HPACK.Decoder()

    /// Bytes of a frame that is not whole yet.
    var remainder: Int { bytes.count - at }

    mutating func append(_ more: [UInt8]) {
        bytes.removeFirst(at)
        at = 0
        bytes += more
    }

    /// The next whole frame.
    mutating func next() throws -> Frame? {
        guard bytes.count - at >= 9 else { return nil }
        let length = Int(number(at, 3))
        guard bytes.count - at >= 9 + length else { return nil }
        let (type, flags, stream) = (bytes[at + 3], bytes[at + 4], Int32(bitPattern: number(at + 5, 4)))
        let payload = Array(bytes[at + 9..<at + 9 + length])
        at += 9 + length
        return try frame(type, flags, stream, payload)
    }

    private mutating func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int32, _ payload: [UInt8]) throws -> Frame {
        let start = at - payload.count
        let isEnd = flags & Frame.Flag.endStream != 0
        switch type {
        case Frame.Kind.data: return .data(stream, payload, end: isEnd)
        case Frame.Kind.headers where flags & Frame.Flag.endHeaders != 0:
            return .headers(stream, try hpack.decode(payload), end: isEnd)
        case Frame.Kind.reset: return .reset(stream, try code(number(start, 4)))
        case Frame.Kind.settings where isEnd: return .settingsAck
        case Frame.Kind.settings:
            return .settings(
                stride(from: start, to: at, by: 6).map { Frame.Setting(UInt16(number($0, 2)), number($0 + 2, 4)) })
        case Frame.Kind.ping: return isEnd ? .pong(payload) : .ping(payload)
        case Frame.Kind.goAway:
            return .goAway(
                last: Int32(bitPattern: number(start, 4)), try code(number(start + 4, 4)),
                String(decoding: payload.dropFirst(8), as: UTF8.self))
        case Frame.Kind.windowUpdate: return .windowUpdate(stream, by: number(start, 4))
        default: return .raw(type: type, flags: flags, stream: stream, payload)
        }
    }

    private func code(_ value: UInt32) throws -> Frame.ErrorCode {
        guard let code = Frame.ErrorCode(rawValue: value) else { throw Malformed(detail: "error code \(value)") }
        return code
    }

    private func number(_ start: Int, _ length: Int) -> UInt32 {
        bytes[start..<start + length].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
