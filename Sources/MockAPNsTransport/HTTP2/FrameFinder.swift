/// Finds frames in a client's input that must be looked at before nghttp2 processes them.
///
/// These are the ones that it may ignore without reporting them, DATA and unknown types, and HEADERS that are easier to
/// decode for us.
struct FrameFinder {
    /// A frame found in the input.
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: Int32
        /// The bytes of the payload.
        let length: Int
    }

    /// The highest type that HTTP/2 defines: CONTINUATION.
    private static let highestType: UInt8 = 9
    private static let headers: UInt8 = 1

    /// The bytes until the next frame header: the rest of the client's preface, later of a frame's payload.
    private var ahead = 24
    /// The last eight bytes of the current frame header.
    ///
    /// The ninth is only needed for frames that are too large, and nghttp2 closes the connection for those.
    private var header: UInt64 = 0
    private var headerLength = 0

    /// Returns the next DATA, HEADERS or frame of an unknown type; `nil` if there is none in the bytes from `position` on.
    ///
    /// Sets `position` to the end of the frame's header, or of the bytes.
    mutating func next(in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) -> Frame? {
        while position < bytes.count {
            guard ahead == 0 else {
                let skipped = min(ahead, bytes.count - position)
                ahead -= skipped
                position += skipped
                continue
            }
            // RFC 9113, section 4.1: length (3 bytes), type, flags, stream (4).
            if headerLength == 0, position + 9 <= bytes.count {
                let last = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position + 1, as: UInt64.self)
                header = UInt64(bigEndian: last)
                position += 9
            } else {
                header = header << 8 | UInt64(bytes[position])
                headerLength += 1
                position += 1
                guard headerLength == 9 else { continue }
                headerLength = 0
            }
            ahead = Int(header >> 48)
            let type = UInt8(truncatingIfNeeded: header >> 40)
            guard type <= Self.headers || type > Self.highestType else { continue }
            return Frame(
                type: type, flags: UInt8(truncatingIfNeeded: header >> 32), stream: Int32(header & 0x7fff_ffff),
                length: ahead)
        }
        return nil
    }

    /// Passes over the payload of the last frame, which lies in the same bytes.
    mutating func skip(_ frame: Frame, from position: inout Int) {
        position += frame.length
        ahead = 0
    }
}
