public import NIOCore

/// Limits, time-outs and choices of the transport; the defaults are what is known of the real service.
public struct TransportOptions: Sendable {
    /// What happens to a stream over the announced limit.
    public enum OverLimit: String, CaseIterable, Sendable {
        /// RST_STREAM with REFUSED_STREAM: what newer releases of the real service's HTTP/2 library do (inferred).
        case refuseStream = "refuse-stream"
        /// GOAWAY with the text seen in 2016 (observed).
        case goAway = "goaway"
    }

    /// Streams a connection may have before its first valid provider token (documented: 1).
    public var streamsBeforeAuthentication: UInt32 = 1
    /// Streams a connection may have after that (observed: 1000 in 2021).
    public var maxConcurrentStreams: UInt32 = 1_000
    /// Whether an answer other than 200 lowers the limit to 1 until the next 200 (observed 2016 to 2020).
    public var throttlesOnError = false
    /// What happens to a stream over the limit.
    public var overLimit = OverLimit.refuseStream
    /// Whether a GOAWAY with a reason is followed by a second one without debug data (observed 2016).
    public var repeatsGoAway = false

    /// SETTINGS_HEADER_TABLE_SIZE in bytes (observed).
    public var headerTableSize: UInt32 = 4_096
    /// SETTINGS_INITIAL_WINDOW_SIZE in bytes (observed).
    public var initialWindowSize: UInt32 = 65_535
    /// SETTINGS_MAX_FRAME_SIZE in bytes (observed).
    public var maxFrameSize: UInt32 = 16_384
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes, counted as RFC 9113 section 6.5.2 does (observed); over it: 431.
    public var maxHeaderListSize: UInt32 = 8_000

    /// The largest body kept, in bytes; of a larger one only the length is known.
    public var maxBodyKept = 5_120
    /// The body length at which a request is answered without waiting for its end, in bytes.
    public var maxBodyAwaited = 16 << 20

    /// How long a TLS handshake may take.
    public var handshakeTimeout = TimeAmount.seconds(10)
    /// How long the client may take to acknowledge SETTINGS, its preface included.
    public var settingsTimeout = TimeAmount.seconds(10)
    /// How long a request may take from its first header to its end.
    public var requestTimeout = TimeAmount.seconds(60)
    /// How long a client may leave answers unread, in its socket or behind an exhausted window.
    public var stallTimeout = TimeAmount.seconds(30)
    /// How long a client that has its last answer may take to read it: a connection that has said everything waits
    /// for the client to hang up, a stream that was answered early for the request's end.
    public var lingerTimeout = TimeAmount.seconds(2)
    /// How many bytes that still come meanwhile are thrown away, on the connection or the stream.
    public var lingerBytes = 16 << 20
    /// How long a connection may be without a request; `nil` for ever (documented: hours to days).
    public var idleTimeout: TimeAmount?
    /// How often the time-outs are looked at.
    public var tickInterval = TimeAmount.seconds(1)

    /// Whether the TLS handshake fails unless the client offers `h2`; the real service goes on (observed).
    public var requiresALPN = false

    /// How many frames of one kind that cost the sender nothing are borne, for each kind.
    public var frameAllowance = FrameAllowance()

    /// The defaults.
    public init() {}
}

/// Bounds on frames that are cheap to send and not to receive: a burst, and what is forgiven per second.
public struct FrameAllowance: Sendable {
    /// One bound.
    public struct Bound: Sendable {
        /// The number of frames borne at once.
        public var burst: Double
        /// The number of frames forgiven per second.
        public var perSecond: Double

        /// A bound of `burst` frames, of which `perSecond` are forgiven each second.
        public init(burst: Double, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    /// RST_STREAM frames from the client ("rapid reset").
    public var resets = Bound(burst: 500, perSecond: 50)
    /// PING frames, and acknowledgements of PINGs, of which the server sends none.
    public var pings = Bound(burst: 200, perSecond: 20)
    /// SETTINGS frames.
    public var settings = Bound(burst: 50, perSecond: 5)
    /// Frames that bring no request forward: PRIORITY, WINDOW_UPDATE, frames of unknown kinds, frames on streams that
    /// the server has reset, and DATA frames smaller than `smallData`.
    ///
    /// The rate is far above what clients need: a body that comes byte by byte has 5,120 small frames at most, and
    /// extensions such as PRIORITY_UPDATE send one frame for each request.
    public var idleFrames = Bound(burst: 20_000, perSecond: 10_000)
    /// Below this many bytes a DATA frame counts as idle, unless it begins or ends its body.
    public var smallData = 16
    /// Requests and frames that nghttp2 refuses with a stream error.
    ///
    /// A provider with a mistake in its headers makes one with every push, and should find each in the journal.
    public var malformed = Bound(burst: 1_000, perSecond: 100)
    /// CONTINUATION frames in one header block.
    public var continuations = 16
    /// Bytes of one header list, decompressed; up to this, a list that is too large is answered.
    public var headerListBytes = 524_288

    /// The defaults: far above what any client does, far below what hurts.
    public init() {}
}
