internal import CMockAPNsNghttp2
internal import MockAPNsRules

/// Handles HEADERS and DATA on closed streams (RFC 9113, sections 5.1 and 5.1.1), which nghttp2 ignores.
extension H2Session {
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
