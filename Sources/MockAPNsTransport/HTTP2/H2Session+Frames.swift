internal import CMockAPNsNghttp2
internal import MockAPNsRules
internal import NIOCore

/// The effects of frames on a session; called from nghttp2's callbacks.
///
/// Each function returns the result of the callback: 0, or the code that makes nghttp2 stop.
extension H2Session {
    /// Handles the beginning of a frame.
    ///
    /// nghttp2 does not report CONTINUATION frames and frames on closed streams later, so both are handled
    /// here. It does not report DATA frames on closed streams and frames of unknown types at all: see `feed`.
    func frameBegins(_ header: nghttp2_frame_hd) -> CInt {
        let type = UInt32(header.type)
        if isClosing { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        guard type == NGHTTP2_CONTINUATION.rawValue else {
            budgets.continuations = 0
            budgets.headerListSize = 0
            budgets.headerBlockLength = header.length - plainBytes
            switch type {
            case NGHTTP2_HEADERS.rawValue:
                knownFields.end()
                let id = header.stream_id
                return isClosed(id) ? frameOnClosedStream(id, isHeaders: true) : 0
            case NGHTTP2_PRIORITY.rawValue: return countIdleFrame("PRIORITY")
            case NGHTTP2_WINDOW_UPDATE.rawValue: return countIdleFrame("WINDOW_UPDATE")
            case NGHTTP2_GOAWAY.rawValue: return countIdleFrame("GOAWAY")
            default: return 0
            }
        }
        budgets.continuations += 1
        budgets.headerBlockLength += header.length
        guard budgets.continuations > options.frameAllowance.continuations else { return 0 }
        return flood("more than \(options.frameAllowance.continuations) CONTINUATION frames")
    }

    /// Handles a decompressed header field of any stream; its name and value are buffers of nghttp2.
    func headerArrived(on id: Int32, _ name: OpaquePointer, _ value: OpaquePointer) -> CInt {
        guard let field = knownFields.next, field.pointee.nameBuffer == name, let stream = stream(id),
            stream.pointee.phase == .headers
        else { return newHeaderArrived(on: id, name, value) }
        let isSame = field.pointee.valueBuffer == value
        let bytes = isSame ? field.pointee.value : ByteSpan(buffer: value)
        let size = budgets.headerListSize &+ Self.listSize(field.pointee.name, bytes)
        guard size <= Int(options.maxHeaderListSize),
            isSame || knownFields.admits(bytes, in: value, &stream.pointee.rules)
        else { return newHeaderArrived(on: id, name, value) }
        budgets.headerListSize = size
        if field.pointee.contentLength >= 0 { stream.pointee.rules.contentLength = field.pointee.contentLength }
        stream.pointee.store(field.pointee.token, name: field.pointee.name, value: bytes)
        knownFields.advance()
        return 0
    }

    /// The size that SETTINGS_MAX_HEADER_LIST_SIZE limits: name, value and 32 bytes per field.
    private static func listSize(_ name: ByteSpan, _ value: ByteSpan) -> Int { name.count &+ value.count &+ 32 }

    /// Handles a header field that the last request did not have, or that is not one of a request.
    ///
    /// A few bytes of compressed headers can expand to megabytes; above the limit there is not even a 431.
    private func newHeaderArrived(on id: Int32, _ nameBuffer: OpaquePointer, _ valueBuffer: OpaquePointer) -> CInt {
        let (name, value) = (ByteSpan(buffer: nameBuffer), ByteSpan(buffer: valueBuffer))
        budgets.headerListSize &+= Self.listSize(name, value)
        guard budgets.headerListSize <= options.frameAllowance.headerListBytes else {
            return flood("a header list of more than \(options.frameAllowance.headerListBytes) bytes")
        }
        guard let stream = stream(id) else { return fieldOfTurnedAway(name, value) }
        guard !stream.pointee.isHeaderListTooLarge else { return 0 }
        switch stream.pointee.phase {
        case .headers:
            stopFollowing(on: stream)
            knownFields.learn()
            if budgets.headerListSize > Int(options.maxHeaderListSize) {
                knownFields.end()
                stream.pointee.isHeaderListTooLarge = true
                return 0
            }
            let token = HeaderName(name)
            let isRepeated = token.isPseudoHeader && stream.pointee.index.position(of: token) != nil
            let problem = stream.pointee.rules.problem(with: token, name, value, isRepeated: isRepeated)
            if let problem { return malformed(stream, problem) }
            stream.pointee.append(token, name: name, value: value)
            knownFields.remember(
                KnownFields.Field(
                    token: token, nameBuffer: nameBuffer, valueBuffer: valueBuffer, name: name, value: value,
                    contentLength: FieldRules.isContentLength(name) ? stream.pointee.rules.contentLength : -1,
                    index: stream.pointee.index, names: stream.pointee.rules.names))
        case .body:
            // Trailers are checked, and not recorded. None is a pseudo-header, whatever its name.
            let problem = stream.pointee.rules.problem(with: .other, name, value, isRepeated: false)
            if let problem { return malformed(stream, problem) }
        case .answered: break
        }
        return 0
    }

    /// Gives a stream what was known about its fields so far.
    private func stopFollowing(on stream: H2Stream.Pointer) {
        guard let last = knownFields.last else { return }
        stream.pointee.index = last.pointee.index
        stream.pointee.rules.names = last.pointee.names
    }

    /// Counts malformed requests on streams that were turned away, too.
    private func fieldOfTurnedAway(_ name: ByteSpan, _ value: ByteSpan) -> CInt {
        let token = HeaderName(name)
        guard rulesForTurnedAway?.problem(with: token, name, value, isRepeated: false) != nil else { return 0 }
        rulesForTurnedAway = nil
        return countMalformed()
    }

    /// Rejects a stream that is over the limit, or above the last one that is served.
    func turnAway(stream id: Int32) -> CInt {
        rulesForTurnedAway = FieldRules()
        // The GOAWAY, sent or pending, tells the client that this stream was not processed.
        if isDeparting { return 0 }
        switch options.overLimit {
        case .refuseStream: return reset(id, .refusedStream)
        case .goAway:
            let detail = "Maximum active streams violated for this endpoint."
            return abort(CloseReason(.streamLimit, detail), code: .protocolError)
        }
    }

    /// Handles the end of a header block: of a request, or of its trailers, which are ignored.
    func headerBlockEnded(on stream: H2Stream.Pointer, _ frame: nghttp2_headers) -> CInt {
        switch stream.pointee.phase {
        case .headers: break
        case .body:
            let endsRequest = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
            return endsRequest ? 0 : malformed(stream, "the trailers do not end the request")
        case .answered: return 0
        }
        stopFollowing(on: stream)
        stream.pointee.headerVersion = knownFields.version
        knownFields.end()
        // RFC 9113, section 6.2: padding and five bytes of priority are part of the frame, not of the block.
        let hasPriority = frame.hd.flags & UInt8(NGHTTP2_FLAG_PRIORITY.rawValue) != 0
        stream.pointee.headerBlockLength = budgets.headerBlockLength - Int(frame.padlen) - (hasPriority ? 5 : 0)
        stream.pointee.phase = .body
        stream.pointee.bodyStart = stream.pointee.used
        var rules = stream.pointee.rules
        if !stream.pointee.isHeaderListTooLarge, let problem = stream.pointee.withRequest({ rules.problem(with: $0) }) {
            return malformed(stream, problem)
        }
        stream.pointee.rules = rules
        let endsRequest = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        if rules.names.awaitsContinue, !endsRequest, !stream.pointee.isHeaderListTooLarge {
            submitContinue(on: frame.hd.stream_id)
        }
        return 0
    }

    func requestEnded(_ stream: H2Stream.Pointer) -> CInt {
        let length = stream.pointee.bodyLength + stream.pointee.discarded
        guard !stream.pointee.isHeaderListTooLarge,
            let problem = stream.pointee.rules.problem(withBodyOf: length, isComplete: true)
        else {
            requestComplete(stream)
            return 0
        }
        guard stream.pointee.phase == .answered else { return malformed(stream, problem) }
        // The client stopped because of the early response: no offense, but curl 7.88 waits for the reset.
        _ = reset(stream.pointee.id, .protocolError)
        return 0
    }

    /// Resets a request that breaks a rule of HTTP/2.
    private func malformed(_ stream: H2Stream.Pointer, _ problem: String) -> CInt {
        stopFollowing(on: stream)
        knownFields.end()
        refuse(stream, because: .malformed(problem))
        _ = reset(stream.pointee.id, .protocolError)
        return countMalformed()
    }

    func bodyArrived(on stream: H2Stream.Pointer, _ data: UnsafePointer<UInt8>, _ length: Int) -> CInt {
        guard stream.pointee.phase != .answered else {
            stream.pointee.discarded += length
            if stream.pointee.isLingering, stream.pointee.discarded > options.lingerBytes { cutOff(stream) }
            return 0
        }
        let total = stream.pointee.bodyLength + length
        if let problem = stream.pointee.rules.problem(withBodyOf: total, isComplete: false) {
            return malformed(stream, problem)
        }
        stream.pointee.bodyLength = total
        if stream.pointee.bodyLength <= options.maxBodyKept, !stream.pointee.isHeaderListTooLarge {
            stream.pointee.append(ByteSpan(start: data, count: length))
            stream.pointee.bodyKept += length
        } else if stream.pointee.bodyKept > 0 {
            stream.pointee.used = stream.pointee.bodyStart
            stream.pointee.bodyKept = 0
        }
        // Many clients read no response before they have sent the whole request, so its end is awaited within
        // limits.
        if stream.pointee.bodyLength > options.maxBodyAwaited { requestComplete(stream) }
        return 0
    }

    /// Handles the end of a DATA frame that does not end its body.
    func dataFrameEnded(on stream: H2Stream.Pointer, _ count: Int) -> CInt {
        guard count > 0 else { return countIdleFrame("empty DATA") }
        let beginsBody = stream.pointee.bodyLength == count
        guard count < options.frameAllowance.smallData, !beginsBody else { return 0 }
        return countIdleFrame("small DATA")
    }

    /// Handles a frame that does not belong to a request.
    func controlFrame(_ header: nghttp2_frame_hd) -> CInt {
        let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_SETTINGS.rawValue:
            if isAcknowledgement {
                limits.acknowledged(at: now)
                return 0
            }
            return budgets.settings.admit(options.frameAllowance.settings, at: now)
                ? 0 : flood("too many SETTINGS frames")
        case NGHTTP2_PING.rawValue:
            return budgets.pings.admit(options.frameAllowance.pings, at: now) ? 0 : flood("too many PING frames")
        case NGHTTP2_RST_STREAM.rawValue:
            resets.note(header.stream_id, by: .client)
            return budgets.resets.admit(options.frameAllowance.resets, at: now)
                ? 0 : flood("too many RST_STREAM frames")
        default: return 0
        }
    }

    /// Counts a request or a frame that nghttp2 rejects with a stream error.
    func countMalformed() -> CInt {
        budgets.malformed.admit(options.frameAllowance.malformed, at: now) ? 0 : flood("too many malformed requests")
    }

    /// Counts a frame without progress for any request.
    func countIdleFrame(_ name: String) -> CInt {
        budgets.idleFrames.admit(options.frameAllowance.idleFrames, at: now) ? 0 : flood("too many \(name) frames")
    }

    private func flood(_ detail: String) -> CInt { abort(CloseReason(.flood, detail), code: .enhanceYourCalm) }

    /// Continues after the last frame of a response was passed to the connection.
    ///
    /// If the request has not ended, its rest is read and discarded for a while: curl 7.88 does not show a
    /// response if a reset follows immediately.
    func responseSent(on id: Int32) {
        if let faults { followResponse(on: id, faults) }
        guard nghttp2_session_get_stream_remote_close(handle, id) == 0, let stream = stream(id) else { return }
        stream.pointee.isLingering = true
        stream.pointee.since = now
    }

    /// Tells a client that keeps sending after its response to stop (RFC 9113, section 8.1).
    func cutOff(_ stream: H2Stream.Pointer) {
        stream.pointee.isLingering = false
        _ = reset(stream.pointee.id, .noError)
    }

    /// Handles a reset that was passed to the connection; one of an unanswered stream is nghttp2's, which does
    /// not report a reason.
    func resetSent(on id: Int32, code: UInt32) {
        resets.note(id, by: .server)
        if let faults, faults.responses[id]?.fault.reset != nil { followResponse(on: id, faults) }
        guard let stream = stream(id), stream.pointee.phase != .answered else { return }
        refuse(stream, because: .malformed(String(cString: nghttp2_http2_strerror(code))))
        // No input is being processed, so there is nothing to stop.
        _ = countMalformed()
    }

    /// Handles a GOAWAY that was passed to the connection; one that this code did not submit is nghttp2's.
    func goAwaySent(code: UInt32, debug: String) {
        responder?.goAwaySent(code: code)
        guard code != HTTP2Code.noError.rawValue else { return }
        let name = String(cString: nghttp2_http2_strerror(code))
        failure = failure ?? CloseReason(.protocolError, debug.isEmpty ? name : "\(name): \(debug)")
    }
}
