internal import CMockAPNsNghttp2

/// The functions that nghttp2 calls, and the options of its client sessions.
///
/// They are top-level functions for the reason that `MockAPNsTransport` gives for its own: a closure could inherit an
/// actor. nghttp2 checks responses by the rules of HTTP (RFC 9113, section 8.1.1), so its checks stay on.
enum UpstreamCallbacks {
    // Both are `nil` only for lack of memory; creating a session then fails. nghttp2 takes both as const.
    nonisolated(unsafe) static let callbacks: OpaquePointer? = {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { return nil }
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, onBeginFrame)
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onDataChunk)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, onInvalidFrame)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
        return callbacks
    }()
    nonisolated(unsafe) static let option: OpaquePointer? = {
        var option: OpaquePointer?
        guard nghttp2_option_new(&option) == 0 else { return nil }
        nghttp2_option_set_no_closed_streams(option, 1)
        return option
    }()

    /// Copies the next part of a request's body.
    static let readBody: nghttp2_data_source_read_callback = { _, stream, target, length, flags, _, user in
        withSession(user) { session in
            guard let target, let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            let (count, isLast) = session.bodyPart(of: stream, UnsafeMutableBufferPointer(start: target, count: length))
            if isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return count
        }
    }
}

private func withSession<Result>(_ user: UnsafeMutableRawPointer?, _ use: (UpstreamSession) -> Result) -> Result {
    Unmanaged<UpstreamSession>.fromOpaque(user.unsafelyUnwrapped)._withUnsafeGuaranteedRef(use)
}

private func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}

private func onBeginFrame(
    _ session: OpaquePointer?, _ header: UnsafePointer<nghttp2_frame_hd>?, _ user: UnsafeMutableRawPointer?
) -> CInt { withSession(user) { $0.frameBegins() } }

private func onBeginHeaders(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> CInt {
    withSession(user) { $0.headersBegin(on: frame.unsafelyUnwrapped.pointee.hd.stream_id) }
    return 0
}

private func onHeader(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ name: UnsafePointer<UInt8>?, _ nameCount: Int,
    _ value: UnsafePointer<UInt8>?, _ valueCount: Int, _ flags: UInt8, _ user: UnsafeMutableRawPointer?
) -> CInt {
    withSession(user) {
        $0.headerArrived(
            on: frame.unsafelyUnwrapped.pointee.hd.stream_id, text(name, nameCount), text(value, valueCount))
    }
}

private func onDataChunk(
    _ session: OpaquePointer?, _ flags: UInt8, _ stream: Int32, _ data: UnsafePointer<UInt8>?, _ length: Int,
    _ user: UnsafeMutableRawPointer?
) -> CInt {
    withSession(user) { $0.bodyArrived(on: stream, UnsafeBufferPointer(start: data, count: length)) }
    return 0
}

private func onFrame(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let frame = frame.unsafelyUnwrapped.pointee
    let header = frame.hd
    switch header.type {
    case UInt8(NGHTTP2_HEADERS.rawValue), UInt8(NGHTTP2_DATA.rawValue):
        let isEnd = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        if isEnd { withSession(user) { $0.responseEnded(on: header.stream_id) } }
    case UInt8(NGHTTP2_SETTINGS.rawValue):
        guard header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 else { return 0 }
        let entries = UnsafeBufferPointer(start: frame.settings.iv, count: frame.settings.niv)
        let settings = entries.map { UpstreamFacts.Setting(id: $0.settings_id, value: $0.value) }
        withSession(user) { $0.settingsArrived(settings) }
    case UInt8(NGHTTP2_GOAWAY.rawValue):
        let goAway = frame.goaway
        let debug = text(goAway.opaque_data, min(goAway.opaque_data_len, 4_096))
        let code = String(cString: nghttp2_http2_strerror(goAway.error_code))
        withSession(user) {
            $0.goAwayArrived(UpstreamFacts.GoAway(lastStream: goAway.last_stream_id, code: code, debug: debug))
        }
    case UInt8(NGHTTP2_PING.rawValue):
        if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 { withSession(user) { $0.pingAnswered() } }
    default: break
    }
    return 0
}

private func onInvalidFrame(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ code: CInt, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let message = String(cString: nghttp2_strerror(code))
    withSession(user) { $0.invalidFrameArrived(on: frame.unsafelyUnwrapped.pointee.hd.stream_id, message) }
    return 0
}

private func onFrameSent(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let frame = frame.unsafelyUnwrapped.pointee
    guard frame.hd.type == UInt8(NGHTTP2_GOAWAY.rawValue), frame.goaway.error_code != NGHTTP2_NO_ERROR.rawValue else {
        return 0
    }
    let code = String(cString: nghttp2_http2_strerror(frame.goaway.error_code))
    let debug = text(frame.goaway.opaque_data, frame.goaway.opaque_data_len)
    withSession(user) { $0.rejected(debug.isEmpty ? code : "\(code), \(debug)") }
    return 0
}

private func onStreamClose(
    _ session: OpaquePointer?, _ stream: Int32, _ code: UInt32, _ user: UnsafeMutableRawPointer?
) -> CInt {
    let name = String(cString: nghttp2_http2_strerror(code))
    withSession(user) { $0.streamClosed(stream, isRefused: code == NGHTTP2_REFUSED_STREAM.rawValue, name) }
    return 0
}
