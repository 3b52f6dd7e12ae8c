internal import CMockAPNsNghttp2
internal import MockAPNsRules
internal import NIOCore

/// The end of a session: its last frames, and the streams that are still answered.
extension H2Session {
    /// Whether the connection may end once the output is sent.
    ///
    /// If the client sends nothing more, responses that wait for its window can never be sent. Responses that
    /// a fault delays are waited for up to `TransportOptions.lingerTimeout`.
    var isFinished: Bool {
        guard let handle else { return true }
        if failure != nil || (departure != nil && liveStreams == 0) { return true }
        if let inputEndedAt {
            return faults?.nextDue == nil || now - inputEndedAt >= options.lingerTimeout
        }
        return nghttp2_session_want_read(handle) == 0 && nghttp2_session_want_write(handle) == 0
    }

    /// The reason if the session ends by itself.
    var finishReason: CloseReason {
        failure ?? departure ?? CloseReason(.closedByPeer, "the HTTP/2 session ended")
    }

    /// Ends the connection because of a client error: sends GOAWAY, then closes.
    func fail(_ reason: CloseReason, code: nghttp2_error_code) {
        guard failure == nil else { return }
        failure = reason
        submitGoAway(code: code, debug: reason.detail)
    }

    /// Ends the connection as `fail` does, from a callback, and makes nghttp2 stop.
    func abort(_ reason: CloseReason, code: nghttp2_error_code) -> CInt {
        fail(reason, code: code)
        return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }

    /// Records that nghttp2 has sent a GOAWAY by itself.
    func failed(because reason: CloseReason) { failure = failure ?? reason }

    /// Ends the connection when its open streams have ended.
    func depart(because departure: CloseReason) { self.departure = self.departure ?? departure }

    /// Handles the end of the client's input: pending responses are sent, then the session is finished.
    ///
    /// Incomplete requests can no longer be completed, so they get no response.
    func inputEnded(because reason: CloseReason) {
        inputEndedAt = inputEndedAt ?? now
        depart(because: reason)
    }

    /// Resets the streams of incomplete requests, so that the client may retry them (RFC 9113, section 8.7).
    func refuseUnfinished() {
        var position = newest
        while let stream = position {
            position = stream.pointee.next
            guard stream.pointee.phase != .answered else { continue }
            stream.pointee.phase = .answered
            _ = nghttp2_submit_rst_stream(
                handle,
                0,
                stream.pointee.id,
                UInt32(NGHTTP2_REFUSED_STREAM.rawValue)
            )
        }
    }

    // MARK: GOAWAY

    /// The highest stream that the client has opened.
    var lastBegun: Int32 { handle.map { nghttp2_session_get_last_proc_stream_id($0) } ?? 0 }

    /// Lets the open streams finish, accepts no new ones, then ends the connection.
    ///
    /// The debug data is APNs' JSON with a reason (documented). The last stream is the highest one opened
    /// (inferred), so it is the highest one that will be answered.
    func goAway(reason: Reason?, because departure: CloseReason) {
        guard failure == nil, self.departure == nil || faults?.takesNewStreams == true else { return }
        depart(because: departure)
        faults?.takesNewStreams = false
        submitGoAway(code: NGHTTP2_NO_ERROR, debug: reason.map { "{\"reason\":\"\($0.name)\"}" } ?? "")
        if options.repeatsGoAway, reason != nil { submitGoAway(code: NGHTTP2_NO_ERROR, debug: "") }
    }

    /// Sends a GOAWAY that names the last stream that was processed, or a lower one that a fault has named
    /// before.
    func submitGoAway(code: nghttp2_error_code, debug: String) {
        guard let handle else { return }
        if let faults, lowestNamed < lastBegun {
            // nghttp2 would close the streams above it, but they are still answered.
            faults.say(code: UInt32(code.rawValue), last: lowestNamed, debugData: Array(debug.utf8))
            responder?.goAwaySent(code: UInt32(code.rawValue))
            return
        }
        var debug = debug
        debug.withUTF8 { text in
            _ = nghttp2_submit_goaway(
                handle,
                UInt8(NGHTTP2_FLAG_NONE.rawValue),
                lastBegun,
                UInt32(code.rawValue),
                text.baseAddress,
                text.count
            )
        }
    }

    /// Rejects a client that does not speak HTTP/2.
    ///
    /// Observed: it gets readable text, and the connection is closed.
    func refusePreface(_ bytes: ByteSpan) {
        let line = bytes.prefix(min(bytes.count, 256)).bytes.prefix { $0 != 0x0d && $0 != 0x0a }
        let text = String(decoding: line, as: UTF8.self)
        let reason =
            if let version = text.firstRange(of: " HTTP/1.") {
                CloseReason(
                    .notHTTP2,
                    "Unexpected HTTP/1.x request: \(text[..<version.lowerBound])",
                    cause: .http1
                )
            } else {
                CloseReason(.notHTTP2, "HTTP/2 client preface string missing or corrupt.")
            }
        failure = reason
        submitGoAway(code: NGHTTP2_PROTOCOL_ERROR, debug: reason.detail)
    }
}
