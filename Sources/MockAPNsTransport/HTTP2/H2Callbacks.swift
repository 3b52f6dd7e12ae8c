internal import CMockAPNsNghttp2
internal import MockAPNsRules

/// The functions that nghttp2 calls.
///
/// They are top-level functions and not closures: a closure could inherit an actor from its context, and
/// would trap when C calls it on an event loop's thread. None retains its session: the connection owns the
/// session and outlives every call into nghttp2.
enum H2Callbacks {
    static func install(in callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, onBeginFrame)
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
        nghttp2_session_callbacks_set_on_header_callback2(callbacks, onHeader)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onDataChunk)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, onInvalidFrame)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
    }
}

private func withSession<Result>(_ user: UnsafeMutableRawPointer?, _ use: (H2Session) -> Result) -> Result {
    Unmanaged<H2Session>.fromOpaque(user.unsafelyUnwrapped)._withUnsafeGuaranteedRef(use)
}

private func onBeginFrame(
    _ session: OpaquePointer?, _ header: UnsafePointer<nghttp2_frame_hd>?, _ user: UnsafeMutableRawPointer?
) -> CInt { withSession(user) { $0.frameBegins(header.unsafelyUnwrapped.pointee) } }

private func onBeginHeaders(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let frame = frame.unsafelyUnwrapped.pointee
    guard frame.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
    return withSession(user) { me in
        guard let stream = me.begin(stream: frame.hd.stream_id) else { return me.turnAway(stream: frame.hd.stream_id) }
        return nghttp2_session_set_stream_user_data(session, frame.hd.stream_id, stream)
    }
}

private func onHeader(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ name: OpaquePointer?, _ value: OpaquePointer?,
    _ flags: UInt8, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let id = frame.unsafelyUnwrapped.pointee.hd.stream_id
    return withSession(user) { $0.headerArrived(on: id, name.unsafelyUnwrapped, value.unsafelyUnwrapped) }
}

private func onDataChunk(
    _ session: OpaquePointer?, _ flags: UInt8, _ id: Int32, _ data: UnsafePointer<UInt8>?, _ length: Int,
    _ user: UnsafeMutableRawPointer?
) -> CInt {
    withSession(user) { me in
        guard let stream = me.stream(id), let data else { return 0 }
        return me.bodyArrived(on: stream, data, length)
    }
}

private func onFrame(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let frame = frame.unsafelyUnwrapped
    let header = frame.pointee.hd
    let isHeaders = header.type == UInt8(NGHTTP2_HEADERS.rawValue)
    guard isHeaders || header.type == UInt8(NGHTTP2_DATA.rawValue) else {
        return withSession(user) { $0.controlFrame(header) }
    }
    return withSession(user) { me in
        guard let stream = me.stream(header.stream_id) else { return 0 }
        if isHeaders {
            let result = me.headerBlockEnded(on: stream, frame.pointee.headers)
            guard result == 0 else { return result }
        }
        if header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { return me.requestEnded(stream) }
        return isHeaders ? 0 : me.dataFrameEnded(on: stream, header.length - frame.pointee.data.padlen)
    }
}

private func onInvalidFrame(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ code: CInt, _ user: UnsafeMutableRawPointer?
) -> CInt {
    withSession(user) { me in
        if let stream = me.stream(frame.unsafelyUnwrapped.pointee.hd.stream_id), stream.pointee.phase != .answered {
            me.refuse(stream, because: .malformed(H2Library.message(code)))
        }
        return me.countMalformed()
    }
}

private func onFrameSent(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let frame = frame.unsafelyUnwrapped
    let header = frame.pointee.hd
    switch header.type {
    case UInt8(NGHTTP2_DATA.rawValue), UInt8(NGHTTP2_HEADERS.rawValue):
        if header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 {
            withSession(user) { $0.responseSent(on: header.stream_id) }
        }
    case UInt8(NGHTTP2_RST_STREAM.rawValue):
        let code = frame.pointee.rst_stream.error_code
        withSession(user) { $0.resetSent(on: header.stream_id, code: code) }
    case UInt8(NGHTTP2_SETTINGS.rawValue):
        let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
        withSession(user) { if !isAcknowledgement { $0.limits.sent(at: $0.now) } }
    case UInt8(NGHTTP2_GOAWAY.rawValue):
        let goAway = frame.pointee.goaway
        let debug = ByteSpan(start: goAway.opaque_data, count: goAway.opaque_data_len).text
        withSession(user) { $0.goAwaySent(code: goAway.error_code, debug: debug) }
    default: break
    }
    return 0
}

private func onStreamClose(
    _ session: OpaquePointer?, _ id: Int32, _ code: UInt32, _ user: UnsafeMutableRawPointer?
) -> CInt {
    withSession(user) { me in if let stream = me.stream(id) { me.forget(stream) } }
    return 0
}
