internal import CMockAPNsNghttp2
internal import MockAPNsRules

/// Handles HEADERS and DATA on closed streams (RFC 9113, sections 5.1 and 5.1.1), which nghttp2 ignores.
extension H2Session {
    /// Passes input to nghttp2, and first handles frames that nghttp2 may ignore.
    ///
    /// - Returns: The result of `nghttp2_session_mem_recv`.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var (fed, position) = (0, 0)
        while let frame = silentFrames.next(in: bytes, from: &position) {
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
        return nghttp2_session_mem_recv(handle, part.baseAddress, part.count)
    }

    private func frameBegins(silent frame: SilentFrameFinder.Frame) -> CInt {
        guard UInt32(frame.type) == NGHTTP2_DATA.rawValue else { return countIdleFrame("unknown") }
        return isClosed(frame.stream) ? frameOnClosedStream(frame.stream, isHeaders: false) : 0
    }

    /// Whether a stream of the client was open and is closed.
    ///
    /// Streams that nghttp2 ignores after a GOAWAY have higher IDs than the last one it processed.
    func isClosed(_ id: Int32) -> Bool {
        id % 2 == 1 && id <= nghttp2_session_get_last_proc_stream_id(handle)
            && nghttp2_session_get_stream_remote_close(handle, id) < 0
    }

    /// Handles the beginning of HEADERS or DATA on a closed stream.
    ///
    /// On a stream that the client has reset, it is a stream error and not a connection error, as in netty: a
    /// frame sent just after a reset does not cost the client its other streams.
    ///
    /// - Returns: 0, or the code that makes nghttp2 stop.
    func frameOnClosedStream(_ id: Int32, isHeaders: Bool) -> CInt {
        switch resets.side(of: id) {
        case .server: return countIdleFrame("discarded")
        case .client: return reset(id, .streamClosed)
        case nil: break
        }
        if isHeaders, id < lastBegun {
            let detail = "HEADERS on stream \(id), which is lower than the newest stream"
            return abort(CloseReason(.protocolError, detail), code: .protocolError)
        }
        let detail = "\(isHeaders ? "HEADERS" : "DATA") on stream \(id), which is closed"
        return abort(CloseReason(.protocolError, detail), code: .streamClosed)
    }
}
