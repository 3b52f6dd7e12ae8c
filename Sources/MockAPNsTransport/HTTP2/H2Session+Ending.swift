internal import CMockAPNsNghttp2
internal import MockAPNsRules
internal import NIOCore

/// How a session ends: what it says last, and which streams it still answers.
extension H2Session {
    /// Whether everything is said: the connection may end once its output is sent.
    ///
    /// Answers behind the window of a client that sends nothing more can never leave; those that a fault holds back
    /// are waited for as long as `TransportOptions.lingerTimeout`.
    var isFinished: Bool {
        guard let handle else { return true }
        if failure != nil || (departure != nil && liveStreams == 0) { return true }
        if let inputEndedAt {
            return faults?.nextDue == nil || now - inputEndedAt >= options.lingerTimeout
        }
        return nghttp2_session_want_read(handle) == 0 && nghttp2_session_want_write(handle) == 0
    }

    /// Why the connection ends by itself, where it does.
    var finishReason: CloseReason {
        failure ?? departure ?? CloseReason(.closedByPeer, "the HTTP/2 session ended")
    }

    /// Ends the connection for what the peer did: GOAWAY now, close when it is sent.
    func fail(_ reason: CloseReason, code: nghttp2_error_code) {
        guard failure == nil else { return }
        failure = reason
        submitGoAway(code: code, debug: reason.detail)
    }

    /// From a callback: ends the connection as `fail` does and makes nghttp2 stop.
    func abort(_ reason: CloseReason, code: nghttp2_error_code) -> CInt {
        fail(reason, code: code)
        return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }

    /// nghttp2 has sent a GOAWAY by itself.
    func failed(because reason: CloseReason) { failure = failure ?? reason }

    /// Ends the connection once the streams at hand have ended.
    func depart(because departure: CloseReason) { self.departure = self.departure ?? departure }

    /// The client sends nothing more: what it is owed is sent, then the session is finished.
    ///
    /// Its requests that have not ended never will, so they are owed nothing.
    func inputEnded(because reason: CloseReason) {
        inputEndedAt = inputEndedAt ?? now
        depart(because: reason)
    }

    /// Resets the streams whose requests have not ended, so that the client may send them again (RFC 9113, section
    /// 8.7).
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

    /// Lets the streams at hand finish, takes no new ones, then ends the connection.
    ///
    /// The debug data is APNs' own JSON with a reason (documented). The last stream is the last one seen (inferred),
    /// so it is the highest one that will be answered.
    func goAway(reason: Reason?, because departure: CloseReason) {
        guard failure == nil, self.departure == nil || faults?.takesNewStreams == true else { return }
        depart(because: departure)
        faults?.takesNewStreams = false
        submitGoAway(code: NGHTTP2_NO_ERROR, debug: reason.map { "{\"reason\":\"\($0.name)\"}" } ?? "")
        if options.repeatsGoAway, reason != nil { submitGoAway(code: NGHTTP2_NO_ERROR, debug: "") }
    }

    /// Sends a GOAWAY that names the last stream of which anything was looked at, or a lower one that a fault has
    /// named before.
    func submitGoAway(code: nghttp2_error_code, debug: String) {
        guard let handle else { return }
        if let faults, lowestNamed < lastBegun {
            // nghttp2 would close the streams above it, which are still answered.
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

    /// The client does not speak HTTP/2.
    ///
    /// Observed: readable text comes back, and the connection ends.
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
