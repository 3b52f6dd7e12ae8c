internal import CMockAPNsNghttp2
internal import CMockAPNsShims

/// What all sessions share: nghttp2's callbacks and options, made once and never changed.
///
/// nghttp2 copies both into each session, so any number of threads may use them.
final class H2Library: Sendable {
    static let shared = H2Library()

    // Only read after init, and nghttp2 takes both as const.
    nonisolated(unsafe) let callbacks: OpaquePointer?
    nonisolated(unsafe) let option: OpaquePointer?

    private init() {
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        // Both fail only for want of memory; a session made without them fails then, and says so.
        if nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks {
            H2Callbacks.install(in: callbacks)
        }
        if nghttp2_option_new(&option) == 0 {
            // PRIORITY frames are ignored (documented), so closed streams need not be remembered for them.
            nghttp2_option_set_no_closed_streams(option, 1)
            mockapns_nghttp2_option_lift_limits(option)
        }
        self.callbacks = callbacks
        self.option = option
    }

    /// nghttp2's words for one of its error codes.
    static func message(_ code: CInt) -> String { String(cString: nghttp2_strerror(code)) }
}
