/// What a fault does when it fires.
///
/// The world, the transport and the API share this vocabulary. To add an action, add a case and its row here, its
/// members in `FaultBody` and `FaultShape`, and what it means on the wire in `FaultedAnswer`.
public enum FaultAction: Equatable, Sendable {
    /// Another answer takes the place of the one that the rules gave.
    case respond(Response)
    /// The answer waits; judged and visible the push is at once.
    case delay(Delay)
    /// The stream is reset with this code instead of an answer.
    case resetStream(HTTP2Code)
    /// A GOAWAY follows the answer.
    case goAway(GoAway)
    /// The connection breaks instead of an answer.
    case connection(Break)
    /// The connection begins with other SETTINGS, late ones, or none.
    case settings(SettingsFrame)
    /// The TLS handshake goes wrong.
    case handshake(Handshake)
    /// The answer's body is not what it should be.
    case body(Body)
    /// The push is accepted, and its notification is never delivered.
    case lose
    /// The notification is delivered twice.
    case duplicate
    /// The answer leaves at this rate, in bytes per second.
    case slow(Int)

    /// What a fault can happen to.
    public enum Stage: Sendable {
        /// A push, when it has been judged.
        case push
        /// A connection, when it is accepted.
        case connection
    }

    /// What becomes of the answer that the rules gave.
    public enum Verdict: Sendable {
        /// It stands.
        case kept
        /// Another one takes its place.
        case replaced
        /// There is no answer.
        case withheld
    }

    /// What is known of an action.
    public struct Row: Sendable {
        /// The member of `do` that describes it.
        public let name: StaticString
        /// What it happens to.
        public let stage: Stage
        /// What becomes of the answer that the rules gave.
        public let verdict: Verdict
        /// Whether it can happen to a connection on which nothing moves.
        public let worksWhileIdle: Bool
        /// Whether it happens to accepted pushes alone.
        public let needsDelivery: Bool
    }

    /// What is known of this action; the switch is exhaustive, so a case without a row does not compile.
    public var row: Row {
        switch self {
        case .respond: Self.row("respond", .replaced)
        case .delay: Self.row("delay", .kept)
        case .resetStream: Self.row("stream", .withheld)
        case .goAway(let frame):
            Self.row("goaway", frame.respond == nil ? .kept : .replaced, idle: frame.respond == nil)
        case .connection: Self.row("connection", .withheld, idle: true)
        case .settings: Self.row("settings", .kept, .connection)
        case .handshake: Self.row("handshake", .kept, .connection)
        case .body: Self.row("body", .kept)
        case .lose: Self.row("lose", .replaced, delivery: true)
        case .duplicate: Self.row("duplicate", .kept, delivery: true)
        case .slow: Self.row("slow", .kept)
        }
    }

    /// The names of all actions, as members of `do`.
    public static let names = [
        "respond", "delay", "stream", "goaway", "connection", "settings", "handshake", "body", "lose",
        "duplicate", "slow",
    ]

    /// The name, as member of `do`.
    public var name: String { row.name.description }

    private static func row(
        _ name: StaticString,
        _ verdict: Verdict,
        _ stage: Stage = .push,
        idle worksWhileIdle: Bool = false,
        delivery needsDelivery: Bool = false
    ) -> Row {
        Row(
            name: name,
            stage: stage,
            verdict: verdict,
            worksWhileIdle: worksWhileIdle,
            needsDelivery: needsDelivery
        )
    }
}

extension FaultAction {
    /// An answer to give.
    public struct Response: Equatable, Sendable {
        /// The HTTP status.
        public var status: UInt16
        /// What the body gives as reason; `nil` for an answer without a body.
        public var reason: Reason?
        /// Header fields besides the usual ones; names in lower case.
        public var headers: [Header]
        /// What is wrong with the body.
        public var body: Body?

        /// An answer of these parts.
        public init(status: UInt16, reason: Reason?, headers: [Header] = [], body: Body? = nil) {
            self.status = status
            self.reason = reason
            self.headers = headers
            self.body = body
        }

        /// The answer that carries a reason.
        public init(_ reason: Reason) { self.init(status: reason.status, reason: reason) }
    }

    /// A header field.
    public struct Header: Equatable, Sendable {
        /// The name, in lower case.
        public let name: String
        /// The value.
        public let value: String

        /// A field of this name and value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How long an answer waits.
    public struct Delay: Equatable, Sendable {
        /// How the times are spread.
        public enum Distribution: String, CaseIterable, Sendable {
            /// All times between `time - jitter` and `time + jitter` are equally likely.
            case uniform
            /// Around `time`, with `jitter` as standard deviation.
            case normal
        }

        /// The time in the middle, in microseconds.
        public var time: Int64
        /// How far it varies, in microseconds.
        public var jitter: Int64
        /// How the times are spread.
        public var distribution: Distribution

        /// A delay around a time.
        public init(_ time: Int64, jitter: Int64 = 0, distribution: Distribution = .uniform) {
            self.time = time
            self.jitter = jitter
            self.distribution = distribution
        }
    }

    /// A GOAWAY frame, and what comes with it.
    public struct GoAway: Equatable, Sendable {
        /// Which stream it names as the last one that was or will be looked at.
        public enum LastStream: String, CaseIterable, Sendable {
            /// The highest stream that is answered: with `close: drain` the highest that the client has opened when
            /// the frame is made, and 2³¹ − 1 on a connection that goes on answering.
            case answered
            /// The stream of the request.
            case current
            /// The stream before it, so that the request counts as not processed: two less, 0 for the first.
            case previous
            /// No stream at all.
            case zero
            /// 2³¹ − 1: the first of two frames of a graceful shutdown.
            case max
        }

        /// What becomes of the connection after the frame.
        public enum Close: String, CaseIterable, Sendable {
            /// It stays open, and goes on answering.
            case never
            /// It is closed once its streams have ended.
            ///
            /// New streams are ignored, unless the frame named them with `max`.
            case drain
            /// It is closed at once; streams whose requests have not ended are reset with REFUSED_STREAM.
            case now
        }

        /// What becomes of later requests on a connection that stays open.
        public enum Aftermath: String, CaseIterable, Sendable {
            /// Each is reset with REFUSED_STREAM.
            case refuse
            /// Nothing is read or sent any more.
            case stall
            /// What comes is read and thrown away.
            case blackhole

            /// How the connection falls silent, or `nil` if it does not.
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
        /// The last stream.
        public var lastStream: LastStream
        /// Additional debug data, such as `{"reason":"Shutdown"}`; a frame holds 16,376 bytes of it.
        public var debug: String
        /// What becomes of the connection after the frame.
        public var close: Close
        /// What becomes of later requests; `nil` when they are answered as usual.
        public var then: Aftermath?
        /// The answer before the frame; `nil` for the one that the rules give.
        public var respond: Response?

        /// A frame of these parts.
        public init(
            code: HTTP2Code = .noError,
            lastStream: LastStream = .answered,
            debug: String = "",
            close: Close = .drain,
            then: Aftermath? = nil,
            respond: Response? = nil
        ) {
            self.code = code
            self.lastStream = lastStream
            self.debug = debug
            self.close = close
            self.then = then
            self.respond = respond
        }
    }

    /// How a connection breaks.
    public enum Break: String, CaseIterable, Sendable {
        /// A TCP reset.
        case rst
        /// A TCP end without a word of TLS or HTTP/2; what the client still sends is read and thrown away.
        case fin
        /// Nothing is read or sent any more; the connection stays open until the client ends it.
        case stall
        /// What comes is read and thrown away; nothing is sent any more.
        case blackhole
    }

    /// How a connection begins.
    public struct SettingsFrame: Equatable, Sendable {
        /// SETTINGS_MAX_CONCURRENT_STREAMS, from the first SETTINGS frame on; no token raises it.
        public var maxConcurrentStreams: UInt32?
        /// SETTINGS_INITIAL_WINDOW_SIZE.
        public var initialWindow: UInt32?
        /// How much later the SETTINGS frame and everything after it leave, in microseconds.
        public var delay: Int64?
        /// A GOAWAY that leaves in place of SETTINGS; then the connection is closed.
        ///
        /// With `close: never` it stays open and silent. The last stream is 0, or with `max` the highest possible.
        public var replaceWithGoAway: GoAway?

        /// Settings as usual.
        public init() {}
    }

    /// How a TLS handshake goes wrong; connections in clear text have `refuse` and `delay` only.
    public enum Handshake: Equatable, Sendable {
        /// The TCP connection is closed when it is accepted.
        case refuse
        /// The handshake begins so much later, in microseconds.
        case delay(Int64)
        /// The certificate is no longer valid.
        case expiredCertificate
        /// The certificate is for another host.
        case wrongHost
        /// No application protocol is agreed on, whatever the client offers.
        case noApplicationProtocol
        /// A fatal alert of this number (RFC 8446, section 6), known to TLS or not, answers the client's hello.
        case alert(UInt8)
    }

    /// What is wrong with a body; an answer without one, such as one with status 200, counts as `{}` here.
    public enum Body: String, CaseIterable, Sendable {
        /// There is none.
        case empty
        /// It ends in the middle: `content-length` announces the whole, and END_STREAM comes after half of it.
        ///
        /// RFC 9113 (section 8.1.1) calls such an answer malformed; clients report a PROTOCOL_ERROR or an
        /// unexpected end.
        case truncated
        /// It is not JSON but a page of HTML, as from a proxy in between.
        case malformed
        /// It is 1 MiB long: the JSON, then blanks.
        case huge
    }
}
