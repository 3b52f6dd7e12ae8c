public import NIOCore

/// What goes wrong on the wire with an answer, on purpose.
///
/// A class, so that an answer without one, as nearly all are, carries one pointer more and nothing else. What is
/// not set happens as usual; what is set happens in this order: the delay, then the answer (or the reset of its
/// stream), then GOAWAY, then what becomes of the connection. Each waits for the one before it to have left, and
/// for what other streams can say by then. A client that resets the stream before its answer has left is spared
/// what would have come after it.
///
/// Of a connection without a request, `goAway` and `connection` alone happen.
public final class WireFault: Sendable {
    /// A GOAWAY frame that the server sends.
    public struct GoAway: Sendable {
        /// Which stream it names as the last one that was or will be looked at.
        public enum LastStream: String, CaseIterable, Sendable {
            /// The highest stream that is answered: with `close: drain` the highest that the client has opened when
            /// the frame is made, else the highest that has been answered by then.
            case answered
            /// The stream of the request.
            case current
            /// The stream before it, so that the request counts as not looked at: two less, 0 for the first.
            case previous
            /// No stream at all.
            case zero
            /// 2³¹ − 1: the first of two frames of a graceful end.
            case max
        }

        /// What becomes of the connection after the frame.
        public enum Close: String, CaseIterable, Sendable {
            /// It stays open, and goes on answering.
            case never
            /// It is closed once its streams have ended.
            ///
            /// New streams are passed over, unless the frame named them with `max`.
            case drain
            /// It is closed at once; streams whose requests have not ended are reset with REFUSED_STREAM.
            case now
        }

        /// The error code (RFC 9113, section 7).
        public let code: UInt32
        /// The last stream.
        public let lastStream: LastStream
        /// Additional debug data; `{"reason":"Shutdown"}`, say.
        ///
        /// A frame holds 16,376 bytes of it; what is over that is left out.
        public let debugData: [UInt8]
        /// What becomes of the connection.
        public let close: Close

        /// A frame of these parts.
        public init(code: UInt32, lastStream: LastStream, debugData: [UInt8], close: Close) {
            self.code = code
            self.lastStream = lastStream
            self.debugData = debugData
            self.close = close
        }
    }

    /// What becomes of the connection.
    public enum Connection: String, CaseIterable, Sendable {
        /// A TCP reset.
        case rst
        /// A TCP end without a word of TLS or HTTP/2; what the client still sends is read and thrown away.
        case fin
        /// Nothing is read or sent any more, the connection stays open until the client ends it.
        case stall
        /// What comes is read and thrown away, nothing is sent any more.
        case blackhole
    }

    /// How the body differs from what the answer says.
    ///
    /// The body of an answer that has none, as one with status 200, counts as `{}` here.
    public enum Body: String, CaseIterable, Sendable {
        /// There is none.
        case empty
        /// It ends in the middle: `content-length` announces the whole, and END_STREAM comes after half of it.
        ///
        /// RFC 9113 (section 8.1.1) calls such an answer malformed; clients call it a PROTOCOL_ERROR or an
        /// unexpected end.
        case truncated
        /// It is not JSON but a page of HTML, as from a proxy in between.
        case malformed
        /// It is 1 MiB long: the JSON, then blanks.
        case huge
    }

    /// How long the answer is held back; it is judged and visible at once.
    public let delay: TimeAmount?
    /// Resets the stream with this code (RFC 9113, section 7) instead of answering.
    public let reset: UInt32?
    /// The answer's header and body leave at this rate.
    ///
    /// The header leaves at once when its bytes, not compressed, would have passed; the body follows in at most ten
    /// DATA frames a second.
    public let bytesPerSecond: Int?
    /// What is done to the body.
    public let body: Body?
    /// Header fields besides those of the answer; names in lower case.
    ///
    /// Together 60,000 bytes at most, which is for the caller to see to: nghttp2 sends nothing of an answer with more.
    public let headers: [(name: String, value: String)]
    /// A GOAWAY after the answer.
    public let goAway: GoAway?
    /// What becomes of the connection.
    public let connection: Connection?
    /// Whether the stream gets its answer (or its reset) at all.
    public let answers: Bool

    /// A fault of these parts.
    ///
    /// Unless `answers` says otherwise, what becomes of the connection happens instead of the answer. A stream that
    /// gets no answer on a connection that goes on stays open until the client gives up.
    public init(
        delay: TimeAmount? = nil,
        reset: UInt32? = nil,
        bytesPerSecond: Int? = nil,
        body: Body? = nil,
        headers: [(name: String, value: String)] = [],
        goAway: GoAway? = nil,
        connection: Connection? = nil,
        answers: Bool? = nil
    ) {
        self.delay = delay
        self.reset = reset
        self.bytesPerSecond = bytesPerSecond
        self.body = body
        self.headers = headers
        self.goAway = goAway
        self.connection = connection
        self.answers = answers ?? (connection == nil)
    }
}
