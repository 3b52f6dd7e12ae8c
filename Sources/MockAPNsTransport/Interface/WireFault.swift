public import MockAPNsRules
public import NIOCore

/// A fault that applies to a response on the wire.
///
/// It is a class, so that it adds only a pointer to the usual response, which has no fault. Parts that are
/// not set happen as usual. The others happen in this order: the delay, the response (or the reset of its
/// stream), the GOAWAY, the end of the connection. Each waits until the previous one was sent, and until
/// other streams have sent what they can. If the client resets the stream before its response was sent, the
/// rest is skipped.
///
/// On a connection without a request, only `goAway` and `connection` apply.
public final class WireFault: Sendable {
    /// The delay of the response; the push is judged and visible immediately.
    public let delay: TimeAmount?
    /// The code with which the stream is reset (RFC 9113, section 7) instead of a response.
    public let reset: UInt32?
    /// The rate at which the response's header and body are sent.
    ///
    /// The header is sent after the time that its uncompressed bytes take at this rate; the body follows in
    /// at most ten DATA frames a second.
    public let bytesPerSecond: Int?
    /// The defect of the body.
    public let body: FaultAction.Body?
    /// Additional header fields; names in lower case.
    ///
    /// The caller must limit them to 60,000 bytes in total: nghttp2 rejects a response with more.
    public let headers: [FaultAction.Header]
    /// A GOAWAY after the response; the caller handles `then` and `respond`.
    public let goAway: FaultAction.GoAway?
    /// What happens to the connection.
    public let connection: FaultAction.Break?
    /// Whether the stream gets its response (or its reset).
    public let answers: Bool
    /// The answer that replaces the response if it is given before the end of `delay`.
    ///
    /// Not a fault that a user has set.
    let awaits: LateAnswer?
    /// The reason for a GOAWAY in place of this response and of all others, and the description of the end.
    ///
    /// Not a fault that a user has set: the response to a bad certificate (observed).
    let turnsAway: (reason: Reason, detail: String)?

    /// Ends the connection with a GOAWAY that names no stream.
    public init(turningAwayBecause reason: Reason, _ detail: String) {
        turnsAway = (reason, detail)
        (delay, reset, bytesPerSecond, body, headers, goAway, connection) = (nil, nil, nil, nil, [], nil, nil)
        answers = false
        awaits = nil
    }

    /// Holds the response back until an answer is given, at most for a time; then it is sent as it is.
    public init(awaiting answer: LateAnswer, upTo limit: TimeAmount) {
        awaits = answer
        delay = limit
        (reset, bytesPerSecond, body, headers, goAway, connection) = (nil, nil, nil, [], nil, nil)
        answers = true
        turnsAway = nil
    }

    /// Creates a fault.
    ///
    /// Unless `answers` is set, `connection` replaces the response. A stream without a response on a
    /// connection that continues stays open until the client closes it.
    public init(
        delay: TimeAmount? = nil, reset: UInt32? = nil, bytesPerSecond: Int? = nil, body: FaultAction.Body? = nil,
        headers: [FaultAction.Header] = [], goAway: FaultAction.GoAway? = nil, connection: FaultAction.Break? = nil,
        answers: Bool? = nil
    ) {
        self.delay = delay
        self.reset = reset
        self.bytesPerSecond = bytesPerSecond
        self.body = body
        self.headers = headers
        self.goAway = goAway
        self.connection = connection
        (turnsAway, awaits) = (nil, nil)
        self.answers = answers ?? (connection == nil)
    }
}
