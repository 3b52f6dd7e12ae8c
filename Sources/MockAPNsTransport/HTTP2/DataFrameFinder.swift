/// Finds the DATA frames in the bytes of a client.
///
/// nghttp2 reports nothing of the DATA frames that it ignores, so they have to be found before it gets them.
struct DataFrameFinder {
    /// The bytes left until the next frame header: at first the client's preface, later a frame's payload.
    private var ahead = 24
    /// The last eight bytes of the frame header at hand.
    ///
    /// A ninth is only needed for frames that are too large, and nghttp2 ends the connection over those.
    private var header: UInt64 = 0
    private var headerLength = 0

    /// The stream of the next DATA frame; `nil` when there is none in the bytes from `position` on.
    ///
    /// - Parameter position: where to begin; then the byte after the frame's header, or the end.
    mutating func next(in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) -> Int32? {
        while position < bytes.count {
            guard ahead == 0 else {
                let skipped = min(ahead, bytes.count - position)
                ahead -= skipped
                position += skipped
                continue
            }
            header = header << 8 | UInt64(bytes[position])
            headerLength += 1
            position += 1
            // RFC 9113, section 4.1: length (3 bytes), type, flags, stream (4).
            guard headerLength == 9 else { continue }
            headerLength = 0
            ahead = Int(header >> 48)
            let type = UInt8(truncatingIfNeeded: header >> 40)
            if type == 0 { return Int32(header & 0x7fff_ffff) }
        }
        return nil
    }
}
