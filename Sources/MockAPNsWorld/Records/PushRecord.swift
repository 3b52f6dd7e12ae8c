public import MockAPNsRules

/// A push with its response and delivery, copied from the journal.
public struct PushRecord: Sendable {
    /// The request as it was received.
    public struct Request: Sendable {
        /// The header fields in the order received; the signature of a provider token is removed.
        public let headers: [(name: String, value: String)]
        /// The body; empty if it was too large to keep.
        public let body: [UInt8]
        /// The number of body bytes received.
        public let bodyLength: Int
        /// The size of the header fields as received, compressed by HPACK, in bytes; 0 if unknown.
        public let headerBlockLength: Int

        /// The header fields that are known by name.
        let index: HeaderIndex

        /// The first value of a header.
        public subscript(name: HeaderName) -> String? {
            index.position(of: name).map { headers[$0].value }
        }
    }

    /// The provider token and its verification.
    public struct Authentication: Sendable {
        /// The key ID; `nil` if it was not readable.
        public let keyID: String?
        /// The team ID; `nil` if it was not readable.
        public let teamID: String?
        /// The claimed time of issue, in UNIX seconds.
        public let issuedAt: Double?
        /// The result of the verification.
        public let verification: TokenVerification
    }

    /// The response.
    public struct Answer: Sendable {
        /// The HTTP status; 0 if the stream was reset.
        public let status: UInt16
        /// The `apns-id`; `nil` if there was none.
        public let id: String?
        /// The `apns-unique-id`.
        public let uniqueID: String?
        /// The header fields in the order sent, without pseudo-header fields.
        public let headers: [(name: String, value: String)]
        /// The body.
        public let body: String
        /// The microseconds from the end of the request to the response.
        public let microseconds: Int64
    }

    /// The epoch of the journal in which the push arrived.
    public let epoch: UInt64
    /// The record's number.
    public let seq: UInt64
    /// The number of the event for its response.
    public var answeredSeq: UInt64 { seq + 1 }
    /// The delivery of its notification; `nil` if the push was rejected.
    public let delivery: Delivery?
    /// When the request was complete, on the system's clock.
    public let receivedAt: Timestamp
    /// The same time on the world's clock.
    public let clockTime: Timestamp
    /// When it was answered, on the world's clock.
    public let answeredAt: Timestamp
    /// The environment of the listener.
    public let environment: Environment
    /// The request.
    public let request: Request
    /// Why the push belongs to this world.
    public let routing: PushRouting
    /// The provider token.
    public let authentication: Authentication
    /// The connection's number.
    public let connectionID: UInt64
    /// The connection; `nil` if it is no longer kept.
    public let connection: ConnectionRecord?
    /// The HTTP/2 stream.
    public let streamID: Int32
    /// The number of requests on the connection so far, including this one.
    public let requestOnConnection: Int
    /// The verdict.
    public let verdict: Verdict
    /// Why the transport rejected the request; `nil` if it did not.
    public let problem: String?
    /// The response.
    public let answer: Answer
    /// The fault that fired for the push, if any.
    public let faults: [FaultID]
    /// Whether a fault decided or withheld the response; `verdict.decidedBy` is the decision of the rules.
    public let isDecidedByFault: Bool

    init(_ record: RecordView, _ context: RecordContext) {
        answeredAt = context.answeredAt
        epoch = context.epoch
        delivery = context.delivery
        connection = context.connection
        let head = record.head
        let texts = record.texts
        seq = head.seq
        receivedAt = Timestamp(microseconds: head.receivedAt)
        clockTime = Timestamp(microseconds: head.clockTime)
        environment = Environment(rawValue: head.environment) ?? .sandbox
        routing = PushRouting(rawValue: head.routing) ?? .standard
        request = record.withRequest { request in
            Request(
                headers: request.fields.map { (request.name(of: $0).text, request.value(of: $0).text) },
                body: Array(request.body.bytes),
                bodyLength: request.bodyLength,
                headerBlockLength: request.headerBlockLength,
                index: request.headerIndex
            )
        }
        authentication = Authentication(
            keyID: texts.keyID.isEmpty ? nil : texts.keyID,
            teamID: texts.teamID.isEmpty ? nil : texts.teamID,
            issuedAt: head.issuedAt.isNaN ? nil : head.issuedAt,
            verification: TokenVerification(rawValue: head.verification) ?? .notChecked
        )
        connectionID = head.connection
        streamID = head.streamID
        requestOnConnection = Int(head.requestOnConnection)
        let reason = Reason(rawValue: head.reason)
        verdict = Verdict(reason: reason, decidedBy: head.decidedBy == RecordHead.none ? nil : head.decidedBy)
        problem = texts.problem.isEmpty ? nil : texts.problem
        faults = head.fault == 0 ? [] : [FaultID(number: head.fault)]
        isDecidedByFault = head.fault != 0 && head.faultEffect.contains(.decides)
        answer = Self.answer(head, reason: reason, echo: request[.apnsID], added: texts.added)
    }

    private static func answer(_ head: RecordHead, reason: Reason?, echo: String?, added: String) -> Answer {
        let hasAnswer = head.isAnswered
        let id = head.echoesID ? echo : UniqueID(high: head.idHigh, low: head.idLow).text(upperCase: true)
        let uniqueID = UniqueID(high: head.uniqueIDHigh, low: head.uniqueIDLow).text(upperCase: false)
        var headers: [(name: String, value: String)] = []
        if hasAnswer, let id { headers.append(("apns-id", id)) }
        if head.hasUniqueID { headers.append(("apns-unique-id", uniqueID)) }
        if head.hasContentType { headers.append(("content-type", "application/json")) }
        headers += FaultMark.headers(of: added)
        let deadSince = head.deadSince == .min ? nil : Timestamp(microseconds: head.deadSince)
        let body = reason.map { MockAPNsRules.Answer.body(for: $0, deadSince: deadSince) } ?? []
        return Answer(
            status: head.status,
            id: hasAnswer ? id : nil,
            uniqueID: head.hasUniqueID ? uniqueID : nil,
            headers: headers,
            body: String(decoding: body, as: UTF8.self),
            microseconds: max(0, head.answeredAt - head.receivedAt)
        )
    }
}
