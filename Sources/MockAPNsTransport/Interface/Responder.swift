public import MockAPNsRules
public import NIOCore

/// Answers the requests of one connection.
///
/// Made by a `ResponderFactory`; lives on the connection's event loop.
public protocol ConnectionResponder: AnyObject {
    /// Answers one whole request.
    ///
    /// Called while the connection is being read: it must not close the connection or wait for anything. The
    /// request's bytes stay valid until the answer is on its way, so the answer may point into them.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - streamID: its stream.
    ///   - idle: how long the connection had been without a request when this one began; zero where another one
    ///     ended since.
    /// - Returns: the answer, with what goes wrong with it on purpose.
    func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response

    /// Whether `idle` is to be asked.
    var watchesIdleness: Bool { get }

    /// What goes wrong with a connection that has been without a request for this time; `nil` for nothing.
    ///
    /// Asked while no stream is open, at every tick of the clock (`TransportOptions.tickInterval`), also after a
    /// fault that left the connection open. Of the fault, `goAway` and `connection` happen.
    func idle(for time: TimeAmount) -> WireFault?

    /// Takes note of a request that the transport itself turned away.
    func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem)

    /// Everything that one read brought has been answered; none of these answers has been sent yet.
    ///
    /// Whatever must be visible before a client sees its answer is made visible here. It is called when the clock
    /// turns a request away, too, and once more when sending brings up news.
    func readCompleted()

    /// A GOAWAY has been sent, with this code of HTTP/2.
    func goAwaySent(code: UInt32)

    /// The connection is gone.
    func closed(because reason: CloseReason)
}

extension ConnectionResponder {
    /// Does nothing.
    public func goAwaySent(code: UInt32) {}

    /// `false`: idle connections are left alone.
    public var watchesIdleness: Bool { false }

    /// `nil`: nothing goes wrong.
    public func idle(for time: TimeAmount) -> WireFault? { nil }
}

/// Makes the responders of an event loop's connections.
public protocol ResponderFactory: AnyObject {
    /// What goes wrong with this connection from its beginning; `nil` for nothing.
    ///
    /// Asked once, when the connection has been accepted; nothing is known of its TLS then.
    func fault(of connection: ConnectionInfo) -> ConnectionFault?

    /// A connection is ready for requests.
    func connectionOpened(_ connection: ConnectionInfo) -> any ConnectionResponder

    /// A client did not get as far as HTTP/2.
    func handshakeFailed(_ connection: ConnectionInfo, because reason: CloseReason)
}

/// What is known of a connection from its handshake.
public struct ConnectionInfo: Sendable {
    /// What TLS agreed on.
    public struct TLS: Sendable {
        /// The protocol version in OpenSSL's words, as `TLSv1.3`.
        public let version: String
        /// The application protocol agreed on; `nil` when the client offered none that is served.
        public let applicationProtocol: String?
        /// The host name that the client asked for.
        public let serverName: String?
        /// The client's certificate, if it sent one.
        public let clientCertificate: ClientCertificate?
    }

    /// Counts connections from 1, in the order of their arrival.
    public let id: UInt64
    /// The position of the listener, in the order in which listeners were bound.
    public let listener: Int
    /// The address and port of the client.
    public let remoteAddress: String
    /// `nil` for clear text, and as long as the handshake has not ended.
    public let tls: TLS?
}

/// An answer to one request.
public struct Response {
    /// A header value, made without allocating.
    public enum Value {
        /// Bytes of the request that is being answered.
        case requestBytes(ByteSpan)
        /// An id in its canonical form.
        case uniqueID(UniqueID, upperCase: Bool)
        /// Words known at compile time.
        case text(StaticString)
    }

    /// A header of an answer.
    public struct Header {
        let name: StaticString
        let value: Value

        /// A header of this name, which must be in lower case.
        public init(_ name: StaticString, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    let status: UInt16
    let headers: (Header?, Header?, Header?)
    let body: [UInt8]
    let liftsStreamLimit: Bool
    let endsConnection: Bool
    let fault: WireFault?

    /// An answer with up to three headers.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: sent in this order.
    ///   - body: sent in DATA frames; without bytes the answer ends with its headers.
    ///   - liftsStreamLimit: whether the connection has shown valid credentials, and may have all its streams.
    ///   - endsConnection: whether the connection ends once the streams at hand have their answers.
    ///   - fault: what goes wrong with the answer on purpose.
    public init(
        status: UInt16,
        headers: (Header?, Header?, Header?),
        body: [UInt8],
        liftsStreamLimit: Bool,
        endsConnection: Bool = false,
        fault: WireFault? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.liftsStreamLimit = liftsStreamLimit
        self.endsConnection = endsConnection
        self.fault = fault
    }
}

/// Why the transport rejected a request before its responder saw it.
public enum RequestProblem: Sendable, Equatable {
    /// The header list is over the announced size; answered with status 431.
    case headerListTooLarge
    /// The request breaks HTTP/2's rules for messages; the stream was reset with PROTOCOL_ERROR.
    case malformed(String)
    /// The request did not end in time; the stream was reset with CANCEL.
    case timedOut

    /// The status of the answer; 0 when the stream was reset instead.
    public var status: UInt16 { self == .headerListTooLarge ? 431 : 0 }

    /// What happened, in one line for people.
    public var text: String {
        switch self {
        case .headerListTooLarge: "The header list is larger than SETTINGS_MAX_HEADER_LIST_SIZE allows (431)."
        case .malformed(let detail): "The request is malformed (RST_STREAM PROTOCOL_ERROR): \(detail)"
        case .timedOut: "The request did not end in time (RST_STREAM CANCEL)."
        }
    }
}
