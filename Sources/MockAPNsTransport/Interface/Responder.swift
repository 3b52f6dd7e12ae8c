public import MockAPNsRules
public import NIOCore

/// Answers the requests of one connection.
///
/// Created by a `ResponderFactory`; used only on the connection's event loop.
public protocol ConnectionResponder: AnyObject {
    /// Answers a complete request.
    ///
    /// Called while input is processed: it must not close the connection or wait. The request's bytes stay
    /// valid until the response is sent, so the response may refer to them.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - streamID: The ID of its stream.
    ///   - idle: How long the connection had no request when this one began; zero if another one has ended
    ///     since.
    /// - Returns: The response, with its fault if there is one.
    func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response

    /// Whether the client is authenticated by its certificate, and may open all streams from the beginning.
    var isAuthenticated: Bool { get }

    /// Whether `idle(for:)` should be called.
    var watchesIdleness: Bool { get }

    /// Returns the fault for a connection without requests for this time; `nil` for none.
    ///
    /// Called while no stream is open, at every tick (`TransportOptions.tickInterval`), also after a fault
    /// that left the connection open. Only `goAway` and `connection` of the fault apply.
    func idle(for time: TimeAmount) -> WireFault?

    /// Records a request that the transport rejected.
    func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem)

    /// Makes the results of a read visible: all its requests are answered, but no response is sent yet.
    ///
    /// Everything that must be visible before a client sees its response is published here. Also called after
    /// a timeout of a request, and again if sending changes anything that is visible.
    func readCompleted()

    /// Returns the hold on the responses of the completed reads, only once; `nil` if they may be sent.
    func takeHold() -> ResponseHold?

    /// Records that a GOAWAY was sent, with this HTTP/2 error code.
    func goAwaySent(code: UInt32)

    /// Records that the connection has ended.
    func closed(because reason: CloseReason)
}

extension ConnectionResponder {
    /// Returns `nil`: by default, responses are sent at once.
    public func takeHold() -> ResponseHold? { nil }
}

/// Creates the responders for the connections of an event loop.
public protocol ResponderFactory: AnyObject {
    /// Returns the fault that applies to this connection from its beginning; `nil` for none.
    ///
    /// Called once, when the connection is accepted and before its TLS handshake.
    func fault(of connection: ConnectionInfo) -> ConnectionFault?

    /// Judges the certificate that a client shows in the handshake.
    ///
    /// Called on the connection's event loop. `chain` is in DER, with the client's certificate first. Returns `nil` if
    /// certificates are ignored.
    func judge(_ chain: [[UInt8]], listener: Int) -> JudgedCertificate?

    /// Creates the responder of a connection that is ready for requests.
    func connectionOpened(_ connection: ConnectionInfo) -> any ConnectionResponder

    /// Creates the responder of a connection to the binary interface.
    func gatewayOpened(_ connection: ConnectionInfo) -> any GatewayResponder

    /// Creates the responder of a connection to the feedback service.
    func feedbackOpened(_ connection: ConnectionInfo) -> any FeedbackResponder

    /// Records that a client did not complete the handshake.
    func handshakeFailed(_ connection: ConnectionInfo, because reason: CloseReason)
}

/// A client's certificate, and whether the handshake ends because of it.
public struct JudgedCertificate: Sendable {
    let certificate: ClientCertificate
    let isRefused: Bool

    /// Creates the result; if `isRefused`, the handshake ends with the TLS alert for the certificate's status.
    public init(_ certificate: ClientCertificate, isRefused: Bool = false) {
        self.certificate = certificate
        self.isRefused = isRefused
    }
}

/// The properties of a connection.
public struct ConnectionInfo: Sendable {
    /// The result of the TLS handshake.
    public struct TLS: Sendable {
        /// The protocol version as OpenSSL names it, such as `TLSv1.3`.
        public let version: String
        /// The negotiated application protocol; `nil` if the client offered none that is supported.
        public let applicationProtocol: String?
        /// The host name that the client requested.
        public let serverName: String?
        /// The client's certificate, if it sent one.
        public let clientCertificate: ClientCertificate?
    }

    /// The ID of the connection, in the order of arrival.
    public let id: UInt64
    /// The index of the listener, in the order in which listeners were bound.
    public let listener: Int
    /// The client's address and port.
    public let remoteAddress: String
    /// `nil` for clear text, and before the end of the handshake.
    public internal(set) var tls: TLS?
    /// The interface of the listener.
    public internal(set) var interface = ProviderInterface.http2
}

/// A response to one request.
public struct Response {
    /// A header value that needs no allocation.
    public enum Value {
        /// Bytes of the request.
        case requestBytes(ByteSpan)
        /// An ID in its canonical form.
        case uniqueID(UniqueID, upperCase: Bool)
        /// The ID of a channel.
        case channelID(ChannelID)
        /// Text known at compile time.
        case text(StaticString)
    }

    /// A header of a response.
    public struct Header {
        let name: StaticString
        let value: Value

        /// Creates a header; the name must be in lower case.
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
    /// The fault that applies to the response.
    public let fault: WireFault?
    /// The status of the error packet on the binary interface; `nil` if nothing is sent.
    public let packet: GatewayStatus?

    /// Creates a response with up to three headers.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - headers: The headers, in the order in which they are sent.
    ///   - body: The body; if it is empty, the response ends with its headers.
    ///   - liftsStreamLimit: Whether the connection has sent a valid provider token, and may open all its
    ///     streams.
    ///   - endsConnection: Whether the connection ends after its open streams are answered.
    ///   - fault: The fault that applies to the response.
    ///   - packet: The status of the error packet on the binary interface.
    public init(
        status: UInt16, headers: (Header?, Header?, Header?), body: [UInt8], liftsStreamLimit: Bool,
        endsConnection: Bool = false, fault: WireFault? = nil, packet: GatewayStatus? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.liftsStreamLimit = liftsStreamLimit
        self.endsConnection = endsConnection
        self.fault = fault
        self.packet = packet
    }
}

/// Why the transport rejected a request before its responder saw it.
public enum RequestProblem: Sendable, Equatable {
    /// The header list exceeds the announced size; answered with status 431.
    case headerListTooLarge
    /// The request violates HTTP/2's rules for messages; the stream was reset with PROTOCOL_ERROR.
    case malformed(String)
    /// The request was not complete in time; the stream was reset with CANCEL.
    case timedOut
    /// A frame of the binary interface cannot be parsed; the connection was closed.
    case badFrame(String)

    /// The status of the response; 0 if the stream was reset instead.
    public var status: UInt16 { self == .headerListTooLarge ? 431 : 0 }

    /// A description in one line.
    public var text: String {
        switch self {
        case .headerListTooLarge: "The header list is larger than SETTINGS_MAX_HEADER_LIST_SIZE allows (431)."
        case .malformed(let detail): "The request is malformed (RST_STREAM PROTOCOL_ERROR): \(detail)"
        case .timedOut: "The request did not end in time (RST_STREAM CANCEL)."
        case .badFrame(let detail): "The frame is invalid (status 128): \(detail)"
        }
    }
}
