import NIOConcurrencyHelpers
import NIOCore

@testable import MockAPNsRules
@testable import MockAPNsTransport

/// Everything that a transport tells its responders, in order, and the answers they give.
///
/// What leaves the channel can be noted here too, so that a test sees what came before what.
final class Recorder: ResponderFactory {
    enum Event: Equatable {
        case opened(UInt64)
        case request(Int32)
        case refused(Int32, RequestProblem)
        case readCompleted
        case closed(CloseReason)
        case handshakeFailed(CloseReason)
        case written
    }

    /// A request, copied out of the transport's memory.
    struct Request {
        let streamID: Int32
        let fields: [Frame.Field]
        let known: [HeaderName: String]
        let body: [UInt8]
        let bodyLength: Int
        let headerBlockLength: Int
        let hasDuplicateHeaders: Bool
        let headerVersion: UInt64

        init(_ request: borrowing RequestView, streamID: Int32) {
            self.streamID = streamID
            var fields: [Frame.Field] = []
            for field in request.fields {
                fields.append(Frame.Field(request.name(of: field).text, request.value(of: field).text))
            }
            var known: [HeaderName: String] = [:]
            for field in request.fields where field.name != .other { known[field.name] = request[field.name]?.text }
            self.fields = fields
            self.known = known
            body = Array(request.body.bytes)
            bodyLength = request.bodyLength
            headerBlockLength = request.headerBlockLength
            hasDuplicateHeaders = request.hasDuplicateHeaders
            headerVersion = request.headerVersion
        }
    }

    /// How requests are answered.
    enum Answer {
        /// 200, with the `apns-id` of the request if it has one.
        case accepted
        case acceptedAndLifted
        case rejected(UInt16, String)
        case custom((borrowing RequestView, Int32) -> Response)
    }

    var answer = Answer.accepted
    /// Called inside `respond`, after the request is noted.
    var whileResponding: () -> Void = {}
    /// Called inside `refused`, after the refusal is noted.
    var whileRefusing: () -> Void = {}
    /// What goes wrong with the answers to these streams.
    var faults: [Int32: WireFault] = [:]
    /// What goes wrong with connections from their beginning.
    var connectionFault: ConnectionFault?
    /// What goes wrong with idle connections.
    var whileIdle: ((TimeAmount) -> WireFault?)?
    /// What the answers of each read wait for, in order; `nil` if they do not wait.
    var heldAnswers: NIOLockedValueBox<[@Sendable (Bool) -> Void]>?
    /// How long the connection had been idle before each request.
    private(set) var idleTimes: [TimeAmount] = []
    private(set) var connections: [ConnectionInfo] = []
    private(set) var requests: [Request] = []
    private(set) var refusals: [(request: Request, problem: RequestProblem)] = []
    private(set) var events: [Event] = []

    /// Why the connection ended, if it has.
    var closeReason: CloseReason? {
        for case .closed(let reason) in events { return reason }
        return nil
    }

    var handshakeFailure: CloseReason? {
        for case .handshakeFailed(let reason) in events { return reason }
        return nil
    }

    /// The chains that clients have shown, and what is said of them.
    private(set) var chains: [[[UInt8]]] = []
    private let judgement: JudgedCertificate?

    init(judgement: JudgedCertificate? = nil) { self.judgement = judgement }

    func note(_ event: Event) { events.append(event) }

    func fault(of connection: ConnectionInfo) -> ConnectionFault? { connectionFault }

    func judge(_ chain: [[UInt8]], listener: Int) -> JudgedCertificate? {
        chains.append(chain)
        return judgement
    }

    func connectionOpened(_ connection: ConnectionInfo) -> any ConnectionResponder {
        connections.append(connection)
        events.append(.opened(connection.id))
        return Responder(recorder: self)
    }

    func handshakeFailed(_ connection: ConnectionInfo, because reason: CloseReason) {
        connections.append(connection)
        events.append(.handshakeFailed(reason))
    }

    private func response(to request: borrowing RequestView, streamID: Int32) -> Response {
        switch answer {
        case .accepted, .acceptedAndLifted:
            let echo = request[.apnsID].map { Response.Header("apns-id", .requestBytes($0)) }
            let isLifted = if case .acceptedAndLifted = answer { true } else { false }
            return Response(
                status: 200, headers: (echo, nil, nil), body: [], liftsStreamLimit: isLifted, fault: faults[streamID])
        case .rejected(let status, let reason):
            let body = Array("{\"reason\":\"\(reason)\"}".utf8)
            return Response(
                status: status, headers: (nil, nil, nil), body: body, liftsStreamLimit: false, fault: faults[streamID])
        case .custom(let make): return make(request, streamID)
        }
    }

    private final class Responder: ConnectionResponder {
        let recorder: Recorder

        init(recorder: Recorder) { self.recorder = recorder }

        var isAuthenticated: Bool { recorder.judgement?.certificate.standing == .verified }

        func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response {
            recorder.idleTimes.append(idle)
            recorder.requests.append(Request(request, streamID: streamID))
            recorder.events.append(.request(streamID))
            recorder.whileResponding()
            return recorder.response(to: request, streamID: streamID)
        }

        var watchesIdleness: Bool { recorder.whileIdle != nil }

        func idle(for time: TimeAmount) -> WireFault? { recorder.whileIdle?(time) }

        func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem) {
            recorder.refusals.append((Request(request, streamID: streamID), problem))
            recorder.events.append(.refused(streamID, problem))
            recorder.whileRefusing()
        }

        func readCompleted() {
            recorder.events.append(.readCompleted)
            isHolding = recorder.heldAnswers != nil
        }

        private var isHolding = false

        func takeHold() -> ResponseHold? {
            guard isHolding, let held = recorder.heldAnswers else { return nil }
            isHolding = false
            return ResponseHold { proceed in held.withLockedValue { $0.append(proceed) } }
        }

        func closed(because reason: CloseReason) { recorder.events.append(.closed(reason)) }
    }
}

extension ConnectionInfo {
    /// A connection that nobody asks about.
    static var none: ConnectionInfo { ConnectionInfo(id: 0, listener: 0, remoteAddress: "", tls: nil) }
}

extension ResponderFactory {
    func judge(_ chain: [[UInt8]], listener: Int) -> JudgedCertificate? { nil }

    func gatewayOpened(_ connection: ConnectionInfo) -> any GatewayResponder {
        preconditionFailure("there is no binary interface here")
    }

    func feedbackOpened(_ connection: ConnectionInfo) -> any FeedbackResponder {
        preconditionFailure("there is no feedback service here")
    }
}

extension ConnectionResponder {
    func goAwaySent(code: UInt32) {}

    var isAuthenticated: Bool { false }

    var watchesIdleness: Bool { false }

    func idle(for time: TimeAmount) -> WireFault? { nil }
}
