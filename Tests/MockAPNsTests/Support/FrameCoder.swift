/// HTTP/2 frames (RFC 9113), as a client sends and hears them.
enum FrameCoder {
    /// A frame as it came.
    struct Frame {
        let kind: Kind
        let flags: UInt8
        let stream: Int32
        let payload: [UInt8]

        /// The number that lies in the payload at `offset`.
        func number(at offset: Int, length: Int = 4) -> UInt32 {
            payload[offset..<offset + length].reduce(0) { $0 << 8 | UInt32($1) }
        }

        var hasEndStream: Bool { flags & 1 != 0 }
        var isAcknowledgement: Bool { flags & 1 != 0 }
        var hasEndHeaders: Bool { flags & 4 != 0 }
    }

    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    /// The preface, SETTINGS that change nothing, and a window that no answer of a test fills.
    static let greeting =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + encode(.settings)
        + encode(.windowUpdate, payload: bytes(.max / 2 - 65_535, length: 4))

    static func encode(_ kind: Kind, flags: UInt8 = 0, stream: Int32 = 0, payload: [UInt8] = []) -> [UInt8] {
        bytes(UInt32(payload.count), length: 3) + [kind.rawValue, flags] + bytes(UInt32(stream), length: 4) + payload
    }

    private static func bytes(_ number: UInt32, length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * (length - 1 - $0))) }
    }

    /// Takes the first whole frame off the bytes heard.
    static func take(from heard: inout ArraySlice<UInt8>) -> Frame? {
        guard heard.count >= 9 else { return nil }
        func number(_ range: Range<Int>) -> UInt32 {
            range.reduce(0) { $0 << 8 | UInt32(heard[heard.startIndex + $1]) }
        }
        let length = Int(number(0..<3))
        guard heard.count >= 9 + length, let kind = Kind(rawValue: UInt8(number(3..<4))) else { return nil }
        let frame = Frame(
            kind: kind, flags: UInt8(number(4..<5)), stream: Int32(bitPattern: number(5..<9)),
            payload: Array(heard.dropFirst(9).prefix(length)))
        heard = heard.dropFirst(9 + length)
        return frame
    }
}
