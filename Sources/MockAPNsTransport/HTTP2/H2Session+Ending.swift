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
        if let inputEndedAt { return faults?.nextDue == nil || now - inputEndedAt >= options.lingerTimeout }
        return nghttp2_session_want_read(handle) == 0 && nghttp2_session_want_write(handle) == 0
    }

    /// The reason if the session ends by itself.
    var finishReason: CloseReason { failure ?? departure ?? CloseReason(.closedByPeer, "the HTTP/2 session ended") }

    /// Ends the connection because of a client error: sends GOAWAY, then closes.
    func fail(_ reason: CloseReason, code: HTTP2Code) {
        guard failure == nil else { return }
        failure = reason
        submitGoAway(code: code, debug: reason.detail)
    }

    /// Ends the connection as `fail` does, from a callback, and makes nghttp2 stop.
    func abort(_ reason: CloseReason, code: HTTP2Code) -> CInt {
        fail(reason, code: code)
        return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }

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
            _ = reset(stream.pointee.id, .refusedStream)
        }
    }

    func endNow(because reason: CloseReason) {
        departure = reason
        refuseUnfinished()
    }

    /// Sends RST_STREAM; returns the result of nghttp2.
    func reset(_ id: Int32, _ code: HTTP2Code) -> CInt { nghttp2_submit_rst_stream(handle, 0, id, code.rawValue) }

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
        submitGoAway(code: .noError, debug: reason.map(Self.debugData) ?? "")
        if options.repeatsGoAway, reason != nil { submitGoAway(code: .noError, debug: "") }
    }

    /// Ends the connection without answering any stream, as the service does for a bad certificate (observed).
    func turnAway(because reason: Reason, _ detail: String) {
        guard failure == nil, let handle else { return }
        let cause: CloseReason.Cause? = reason == .badCertificateEnvironment ? .otherEnvironment : nil
        failure = CloseReason(.badCertificate, detail, cause: cause)
        let debug = Array(Self.debugData(of: reason).utf8)
        _ = nghttp2_submit_goaway(handle, 0, 0, HTTP2Code.noError.rawValue, debug, debug.count)
        if options.repeatsGoAway { _ = nghttp2_submit_goaway(handle, 0, 0, HTTP2Code.noError.rawValue, nil, 0) }
    }

    private static func debugData(of reason: Reason) -> String { "{\"reason\":\"\(reason.name)\"}" }

    /// Sends a GOAWAY that names the last stream that was processed, or a lower one that a fault has named
    /// before.
    private func submitGoAway(code: HTTP2Code, debug: String) {
        guard let handle else { return }
        let debug = Array(debug.utf8)
        if let faults, lowestNamed < lastBegun {
            // nghttp2 would close the streams above it, but they are still answered.
            faults.say(code: code.rawValue, last: lowestNamed, debugData: debug)
            responder?.goAwaySent(code: code.rawValue)
        } else {
            _ = nghttp2_submit_goaway(handle, 0, lastBegun, code.rawValue, debug, debug.count)
        }
    }

    /// Rejects a client that does not speak HTTP/2.
    ///
    /// Observed: it gets readable text, and the connection is closed.
    func refusePreface(_ bytes: ByteSpan) {
        let line = bytes.prefix(min(bytes.count, 256)).bytes.prefix { $0 != 0x0d && $0 != 0x0a }
        let text = String(decoding: line, as: UTF8.self)
        let version = text.firstRange(of: " HTTP/1.")
        let detail =
            version.map { "Unexpected HTTP/1.x request: \(text[..<$0.lowerBound])" }
            ?? "HTTP/2 client preface string missing or corrupt."
        fail(CloseReason(.notHTTP2, detail, cause: version == nil ? nil : .http1), code: .protocolError)
    }
}
