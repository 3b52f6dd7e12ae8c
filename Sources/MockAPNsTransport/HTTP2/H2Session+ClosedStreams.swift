internal import CMockAPNsNghttp2

/// HEADERS and DATA on closed streams (RFC 9113, sections 5.1 and 5.1.1), which nghttp2 ignores.
extension H2Session {
    /// Gives nghttp2 what came from the peer, and looks at the frames first that it may ignore.
    ///
    /// - Returns: what `nghttp2_session_mem_recv` returns.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var (fed, position) = (0, 0)
        while let frame = silentFrames.next(in: bytes, from: &position) {
            // All but the header's last byte, so that everything before the frame has happened.
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

    /// Whether a stream of the client's has been open and is not any more.
    ///
    /// Streams that nghttp2 ignores after a GOAWAY come after the last one that it has processed.
    func isClosed(_ id: Int32) -> Bool {
        id % 2 == 1 && id <= nghttp2_session_get_last_proc_stream_id(handle)
            && nghttp2_session_get_stream_remote_close(handle, id) < 0
    }

    /// HEADERS or DATA begins on a closed stream.
    ///
    /// A stream that the client has reset gets a stream error and not a connection error, as in netty: a frame
    /// that a client sends just after its reset does not cost it the other streams.
    ///
    /// - Returns: 0, or the code that makes nghttp2 stop.
    func frameOnClosedStream(_ id: Int32, isHeaders: Bool) -> CInt {
        switch resets.side(of: id) {
        case .server, .unknown: return countIdleFrame("discarded")
        case .client:
            return nghttp2_submit_rst_stream(handle, 0, id, UInt32(NGHTTP2_STREAM_CLOSED.rawValue))
        case nil: break
        }
        if isHeaders, id < nghttp2_session_get_last_proc_stream_id(handle) {
            let detail = "HEADERS on stream \(id), which is lower than the newest stream"
            return abort(CloseReason(.protocolError, detail), code: NGHTTP2_PROTOCOL_ERROR)
        }
        let detail = "\(isHeaders ? "HEADERS" : "DATA") on stream \(id), which is closed"
        return abort(CloseReason(.protocolError, detail), code: NGHTTP2_STREAM_CLOSED)
    }
}
