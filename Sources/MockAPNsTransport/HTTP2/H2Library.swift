internal import CMockAPNsNghttp2
internal import CMockAPNsShims

/// nghttp2's callbacks and options, shared by all sessions and immutable.
///
/// nghttp2 copies both into each session, so any thread may use them.
enum H2Library {
    // Both are `nil` only for lack of memory; creating a session then fails too, and reports it. They are
    // only read: nghttp2 takes both as const.
    nonisolated(unsafe) static let callbacks: OpaquePointer? = {
        var callbacks: OpaquePointer?
        if nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks { H2Callbacks.install(in: callbacks) }
        return callbacks
    }()
    nonisolated(unsafe) static let option: OpaquePointer? = {
        var option: OpaquePointer?
        if nghttp2_option_new(&option) == 0 {
            // PRIORITY frames are ignored (documented), so closed streams need not be kept for them.
            nghttp2_option_set_no_closed_streams(option, 1)
            // `FieldRules` checks requests.
            nghttp2_option_set_no_http_messaging(option, 1)
            mockapns_nghttp2_option_lift_limits(option)
        }
        return option
    }()

    /// Returns nghttp2's description of an error code.
    static func message(_ code: CInt) -> String { String(cString: nghttp2_strerror(code)) }
}
