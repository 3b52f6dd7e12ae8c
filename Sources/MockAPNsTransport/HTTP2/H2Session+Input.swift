internal import CMockAPNsNghttp2
internal import CMockAPNsShims
internal import MockAPNsRules

/// Passes input to nghttp2, frame by frame where that is needed.
extension H2Session {
    /// Passes input to nghttp2, handles frames first that it may ignore, and decodes header blocks for it.
    ///
    /// - Returns: The result of `nghttp2_session_mem_recv`.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var (fed, position) = (0, 0)
        while let frame = frames.next(in: bytes, from: &position) {
            if UInt32(frame.type) == NGHTTP2_HEADERS.rawValue {
                guard let plain = plainFrame(frame, in: bytes, endOfHeader: position) else { continue }
                let consumed = feed(bytes, fed..<position - Self.frameHeaderLength)
                guard consumed >= 0 else { return consumed }
                frames.skip(frame, from: &position)
                fed = position
                plainBytes = plain.count - Self.frameHeaderLength - frame.length
                defer { plainBytes = 0 }
                let result = nghttp2_session_mem_recv(handle, plain.baseAddress, plain.count)
                guard result >= 0 else { return result }
                continue
            }
            // All but the last byte of the header, so that nghttp2 has processed everything before the frame.
            let consumed = feed(bytes, fed..<position - 1)
            guard consumed >= 0 else { return consumed }
            fed = position - 1
            let result = isClosing ? 0 : frameBegins(silent: frame)
            guard result == 0 else { return Int(result) }
        }
        return feed(bytes, fed..<bytes.count)
    }

    private func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        let part = UnsafeBufferPointer(rebasing: bytes[range])
        return part.isEmpty ? 0 : nghttp2_session_mem_recv(handle, part.baseAddress, part.count)
    }

    private func frameBegins(silent frame: FrameFinder.Frame) -> CInt {
        guard UInt32(frame.type) == NGHTTP2_DATA.rawValue else { return countIdleFrame("unknown") }
        return isClosed(frame.stream) ? frameOnClosedStream(frame.stream, isHeaders: false) : 0
    }

    // MARK: Header blocks

    /// The length of a frame's header (RFC 9113, section 4.1).
    private static let frameHeaderLength = 9
    /// The length of what HEADERS say about priority (RFC 9113, section 6.2).
    private static let priorityLength = 5

    /// Returns a frame that means the same as HEADERS, with plain instead of Huffman-coded values; `nil` if nghttp2
    /// should get the frame as it is.
    ///
    /// Valid until the next call. Frames that are not complete in the input, have padding, are continued or too large
    /// are left alone.
    private func plainFrame(
        _ frame: FrameFinder.Frame, in bytes: UnsafeBufferPointer<UInt8>, endOfHeader: Int
    ) -> UnsafeBufferPointer<UInt8>? {
        let flags = (ends: UInt8(NGHTTP2_FLAG_END_HEADERS.rawValue), padded: UInt8(NGHTTP2_FLAG_PADDED.rawValue))
        let before = frame.flags & UInt8(NGHTTP2_FLAG_PRIORITY.rawValue) == 0 ? 0 : Self.priorityLength
        guard frame.flags & (flags.ends | flags.padded) == flags.ends, frame.length > before,
            frame.length <= min(bytes.count - endOfHeader, Int(MOCKAPNS_HPACK_MOST)),
            endOfHeader >= Self.frameHeaderLength, bytes[endOfHeader - Self.frameHeaderLength] == 0,
            let source = bytes.baseAddress
        else { return nil }
        let target = pool.plainFrame
        let start = Self.frameHeaderLength + before
        let block = mockapns_hpack_plain(source + endOfHeader, frame.length - before, target + start, pool.headerMemory)
        guard block > 0, block + before <= Int(MOCKAPNS_HPACK_MOST) else { return nil }
        target.update(from: source + (endOfHeader - Self.frameHeaderLength), count: start)
        let length = block + before
        target[0] = 0
        target[1] = UInt8(length >> 8)
        target[2] = UInt8(length & 0xff)
        return UnsafeBufferPointer(start: target, count: Self.frameHeaderLength + length)
    }
}
