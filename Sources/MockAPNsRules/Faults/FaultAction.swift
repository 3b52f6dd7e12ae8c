/// The action of a fault when it fires.
///
/// The world, the transport and the API share this type. To add an action, add a case and its row here, its
/// members in `FaultActionBody` and its words in `FaultWords`, and its effect on the wire in `FaultedResponse`.
public enum FaultAction: Equatable, Sendable {
    /// Sends another response instead of the one from the rules.
    case respond(Response)
    /// Delays the response; the push is judged and visible immediately.
    case delay(Delay)
    /// Resets the stream with this code instead of a response.
    case resetStream(HTTP2Code)
    /// Sends a GOAWAY after the response.
    case goAway(GoAway)
    /// Breaks the connection instead of responding.
    case connection(Break)
    /// Starts the connection with other SETTINGS, late ones, or none.
    case settings(SettingsFrame)
    /// Makes the TLS handshake fail or differ.
    case handshake(Handshake)
    /// Sends a wrong body.
    case body(Body)
    /// Accepts the push, but never delivers its notification.
    case lose
    /// Delivers the notification twice.
    case duplicate
    /// Sends the response at this rate, in bytes per second.
    case slow(Int)

    /// The event to which a fault applies.
    public enum Stage: Sendable {
        /// A push, after it was judged.
        case push
        /// A connection, when it is accepted.
        case connection
    }

    /// The effect of a fault on the response from the rules.
    public enum Verdict: Sendable {
        /// The response is sent unchanged.
        case kept
        /// Another response is sent.
        case replaced
        /// No response is sent.
        case withheld
    }

    /// The properties of an action.
    public struct Row: Sendable {
        /// The member of `do` that describes the action.
        public let name: StaticString
        /// The event to which the action applies.
        public var stage = Stage.push
        /// The effect on the response from the rules.
        public let verdict: Verdict
        /// Whether the action can apply to an idle connection.
        public var worksWhileIdle = false
        /// Whether the action applies only to accepted pushes.
        public var needsDelivery = false
    }

    /// The properties of this action; the switch is exhaustive, so a case without a row does not compile.
    public var row: Row {
        switch self {
        case .respond: Row(name: "respond", verdict: .replaced)
        case .delay: Row(name: "delay", verdict: .kept)
        case .resetStream: Row(name: "stream", verdict: .withheld)
        case .goAway(let frame) where frame.respond != nil: Row(name: "goaway", verdict: .replaced)
        case .goAway: Row(name: "goaway", verdict: .kept, worksWhileIdle: true)
        case .connection: Row(name: "connection", verdict: .withheld, worksWhileIdle: true)
        case .settings: Row(name: "settings", stage: .connection, verdict: .kept)
        case .handshake: Row(name: "handshake", stage: .connection, verdict: .kept)
        case .body: Row(name: "body", verdict: .kept)
        case .lose: Row(name: "lose", verdict: .replaced, needsDelivery: true)
        case .duplicate: Row(name: "duplicate", verdict: .kept, needsDelivery: true)
        case .slow: Row(name: "slow", verdict: .kept)
        }
    }

    /// The names of all actions, which are members of `do`.
    public static let names = [
        "respond", "delay", "stream", "goaway", "connection", "settings", "handshake", "body", "lose", "duplicate",
        "slow",
    ]

    /// The name, which is a member of `do`.
    public var name: String { row.name.description }
}

extension FaultAction {
    /// A response.
    public struct Response: Equatable, Sendable {
        /// The HTTP status.
        public var status: UInt16
        /// The reason in the body; `nil` for a response without a body.
        public var reason: Reason?
        /// Additional header fields; names in lower case.
        public var headers: [Header]
        /// The defect of the body.
        public var body: Body?

        /// Creates a response.
        public init(status: UInt16, reason: Reason?, headers: [Header] = [], body: Body? = nil) {
            self.status = status
            self.reason = reason
            self.headers = headers
            self.body = body
        }

        /// Creates the usual response for a reason.
        public init(_ reason: Reason) { self.init(status: reason.status, reason: reason) }
    }

    /// A header field.
    public struct Header: Equatable, Sendable {
        /// The name, in lower case.
        public let name: String
        /// The value.
        public let value: String

        /// Creates a header field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The delay of a response.
    public struct Delay: Equatable, Sendable {
        /// The distribution of the delays.
        public enum Distribution: String, CaseIterable, Sendable {
            /// Uniform between `time - jitter` and `time + jitter`.
            case uniform
            /// Normal around `time`, with `jitter` as the standard deviation.
            case normal
        }

        /// The mean delay, in microseconds.
        public var time: Int64
        /// The variation, in microseconds.
        public var jitter: Int64
        /// The distribution of the delays.
        public var distribution: Distribution

        /// Creates a delay.
        public init(_ time: Int64, jitter: Int64 = 0, distribution: Distribution = .uniform) {
            self.time = time
            self.jitter = jitter
            self.distribution = distribution
        }
    }

    /// A GOAWAY frame and its effects.
    public struct GoAway: Equatable, Sendable {
        /// The stream that the frame names as the last one that was or will be processed.
        public enum LastStream: String, CaseIterable, Sendable {
            /// The highest stream that is answered: with `close: drain` the highest that the client has
            /// opened when the frame is created, and 2³¹ − 1 on a connection that continues to answer.
            case answered
            /// The stream of the request.
            case current
            /// The stream before it, so that the request counts as not processed: its ID minus 2, or 0 for
            /// the first.
            case previous
            /// No stream: 0.
            case zero
            /// 2³¹ − 1: the first of two frames of a graceful shutdown.
            case max
        }

        /// What happens to the connection after the frame.
        public enum Close: String, CaseIterable, Sendable {
            /// The connection stays open, and requests are answered.
            case never
            /// The connection is closed when its streams have ended.
            ///
            /// New streams are ignored, unless the frame named them with `max`.
            case drain
            /// The connection is closed immediately; incomplete requests are reset with REFUSED_STREAM.
            case now
        }

        /// What happens to later requests on a connection that stays open.
        public enum Aftermath: String, CaseIterable, Sendable {
            /// Each is reset with REFUSED_STREAM.
            case refuse
            /// Nothing is read or sent.
            case stall
            /// Input is read and discarded.
            case blackhole

            /// How the connection stops responding; `nil` if it does not.
            public var silence: Break? {
                switch self {
                case .refuse: nil
                case .stall: .stall
                case .blackhole: .blackhole
                }
            }
        }

        /// The error code.
        public var code: HTTP2Code
        /// The last stream that the frame names.
        public var lastStream: LastStream
        /// Additional debug data, such as `{"reason":"Shutdown"}`; a frame holds up to 16,376 bytes.
        public var debug: String
        /// What happens to the connection after the frame.
        public var close: Close
        /// What happens to later requests; `nil` if they are answered as usual.
        public var then: Aftermath?
        /// The response before the frame; `nil` for the one from the rules.
        public var respond: Response?

        /// Creates a GOAWAY frame.
        public init(
            code: HTTP2Code = .noError, lastStream: LastStream = .answered, debug: String = "", close: Close = .drain,
            then: Aftermath? = nil, respond: Response? = nil
        ) {
            self.code = code
            self.lastStream = lastStream
            self.debug = debug
            self.close = close
            self.then = then
            self.respond = respond
        }
    }

    /// A way to break a connection.
    public enum Break: String, CaseIterable, Sendable {
        /// A TCP reset.
        case rst
        /// A TCP FIN without TLS close_notify or GOAWAY; further input is read and discarded.
        case fin
        /// Nothing is read or sent; the connection stays open until the client closes it.
        case stall
        /// Input is read and discarded; nothing is sent.
        case blackhole
    }

    /// The first frames of a connection.
    public struct SettingsFrame: Equatable, Sendable {
        /// SETTINGS_MAX_CONCURRENT_STREAMS, from the first SETTINGS frame on; a valid provider token does not raise it.
        public var maxConcurrentStreams: UInt32?
        /// SETTINGS_INITIAL_WINDOW_SIZE.
        public var initialWindow: UInt32?
        /// The delay of the SETTINGS frame and everything after it, in microseconds.
        public var delay: Int64?
        /// A GOAWAY instead of SETTINGS, after which the connection is closed.
        ///
        /// With `close: never` it stays open and silent. The last stream is 0, or with `max` the highest
        /// possible.
        public var replaceWithGoAway: GoAway?

        /// Creates the usual settings.
        public init() {}
    }

    /// A defect of a TLS handshake; clear-text connections support only `refuse` and `delay`.
    public enum Handshake: Hashable, Sendable {
        /// The TCP connection is closed as soon as it is accepted.
        case refuse
        /// The handshake starts after this delay, in microseconds.
        case delay(Int64)
        /// The certificate has expired.
        case expiredCertificate
        /// The certificate is for another host.
        case wrongHost
        /// No application protocol is negotiated, whatever the client offers.
        case noApplicationProtocol
        /// The ClientHello gets a fatal alert of this number (RFC 8446, section 6), whether TLS defines it or
        /// not.
        case alert(UInt8)
    }

    /// A defect of a body; a response without a body, such as one with status 200, is treated as `{}`.
    public enum Body: String, CaseIterable, Sendable {
        /// There is no body.
        case empty
        /// The body ends in the middle: `content-length` is that of the whole, END_STREAM follows half of it.
        ///
        /// RFC 9113 (section 8.1.1) calls such a response malformed; clients report a PROTOCOL_ERROR or an
        /// unexpected end.
        case truncated
        /// The body is an HTML page instead of JSON, as from a proxy.
        case malformed
        /// The body is 1 MiB long: the JSON, followed by spaces.
        case huge
    }
}
