internal import MockAPNsRules
public import NIOCore

/// Limits, timeouts and choices of the transport; the defaults are what is known about the real service.
public struct TransportOptions: Sendable {
    /// What happens to a stream above the announced limit.
    public enum OverLimit: String, CaseIterable, Sendable {
        /// RST_STREAM with REFUSED_STREAM, as in newer releases of the real service's HTTP/2 library
        /// (inferred).
        case refuseStream = "refuse-stream"
        /// GOAWAY with the text that was observed in 2016.
        case goAway = "goaway"
    }

    /// The maximum number of streams before the first valid provider token (documented: 1).
    public var streamsBeforeAuthentication: UInt32 = 1
    /// The maximum number of streams after that (observed: 1000 in 2021).
    public var maxConcurrentStreams: UInt32 = 1_000
    /// What happens to a stream above the limit.
    public var overLimit = OverLimit.refuseStream
    /// Whether a GOAWAY with a reason is followed by a second one without debug data (observed 2016).
    public var repeatsGoAway = false

    /// SETTINGS_HEADER_TABLE_SIZE in bytes (observed).
    public var headerTableSize: UInt32 = 4_096
    /// SETTINGS_INITIAL_WINDOW_SIZE in bytes (observed).
    public var initialWindowSize: UInt32 = 65_535
    /// SETTINGS_MAX_FRAME_SIZE in bytes (observed).
    public var maxFrameSize: UInt32 = 16_384
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes, counted as in RFC 9113 section 6.5.2 (observed); above it:
    /// 431.
    public var maxHeaderListSize: UInt32 = 8_000

    /// The maximum size of a body that is kept, in bytes; of a larger one only the length is known.
    public var maxBodyKept = PushType.largestKept
    /// The body length at which a request is answered before its end, in bytes.
    public var maxBodyAwaited = 16 << 20

    /// The maximum duration of a TLS handshake.
    public var handshakeTimeout = TimeAmount.seconds(10)
    /// The maximum time until the client acknowledges SETTINGS, including its preface.
    public var settingsTimeout = TimeAmount.seconds(10)
    /// The maximum time from a request's first header to its end.
    public var requestTimeout = TimeAmount.seconds(60)
    /// How long a client may leave responses unread, in its socket or for lack of window.
    public var stallTimeout = TimeAmount.seconds(30)
    /// How long to wait for a client after its last response.
    ///
    /// After all output is sent, a connection waits for the client's close. A stream that was answered early
    /// waits for the end of the request.
    public var lingerTimeout = TimeAmount.seconds(2)
    /// The maximum number of bytes to discard during this wait, for the connection or the stream.
    public var lingerBytes = 16 << 20
    /// How long a connection may be without requests; `nil` for no limit (documented: hours to days).
    public var idleTimeout: TimeAmount?
    /// How often timeouts are checked.
    public var tickInterval = TimeAmount.seconds(1)

    /// Whether the TLS handshake fails unless the client offers `h2`; the real service continues (observed).
    public var requiresALPN = false

    /// The limits on frames that cost the sender nothing, for each kind of frame.
    public var frameAllowance = FrameAllowance()

    /// Creates the default options.
    public init() {}
}

/// Limits on frames that are cheap to send but not to receive: a burst, and a rate per second.
public struct FrameAllowance: Sendable {
    /// A limit.
    public struct Bound: Sendable {
        /// The maximum number of frames in a burst.
        public var burst: Double
        /// The number of frames per second by which the burst is replenished.
        public var perSecond: Double

        /// Creates a limit.
        public init(burst: Double, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    /// RST_STREAM frames from the client ("rapid reset").
    public var resets = Bound(burst: 500, perSecond: 50)
    /// PING frames, and acknowledgements of PINGs, which the server never sends.
    public var pings = Bound(burst: 200, perSecond: 20)
    /// SETTINGS frames.
    public var settings = Bound(burst: 50, perSecond: 5)
    /// Frames without progress for any request.
    ///
    /// These are PRIORITY, WINDOW_UPDATE, frames of unknown types, frames on streams that the server has
    /// reset, and DATA frames smaller than `smallData`. The rate is far above what clients need: a body sent
    /// byte by byte has at most 5,120 small frames, and extensions such as PRIORITY_UPDATE send one frame per
    /// request.
    public var idleFrames = Bound(burst: 20_000, perSecond: 10_000)
    /// A DATA frame with fewer bytes counts as idle, unless it begins or ends its body.
    public var smallData = 16
    /// Requests and frames that nghttp2 rejects with a stream error.
    ///
    /// A provider with an error in its headers causes one with every push, and should find each in the
    /// journal.
    public var malformed = Bound(burst: 1_000, perSecond: 100)
    /// CONTINUATION frames in one header block.
    public var continuations = 16
    /// The maximum decompressed size of a header list, in bytes; up to this size, one that is too large is
    /// answered.
    public var headerListBytes = 524_288

    /// Creates the default limits: far above what clients need, far below what causes harm.
    public init() {}
}
