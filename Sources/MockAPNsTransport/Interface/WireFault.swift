public import MockAPNsRules
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
    public let body: FaultAction.Body?
    /// Header fields besides those of the answer; names in lower case.
    ///
    /// Together 60,000 bytes at most, which is for the caller to see to: nghttp2 sends nothing of an answer with more.
    public let headers: [FaultAction.Header]
    /// A GOAWAY after the answer, of which `then` and `respond` are for the caller to carry out.
    public let goAway: FaultAction.GoAway?
    /// What becomes of the connection.
    public let connection: FaultAction.Break?
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
        body: FaultAction.Body? = nil,
        headers: [FaultAction.Header] = [],
        goAway: FaultAction.GoAway? = nil,
        connection: FaultAction.Break? = nil,
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
