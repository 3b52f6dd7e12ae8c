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
        receivedAt = head.receivedAt
        clockTime = head.clockTime
        environment = head.environment
        routing = head.routing
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
            issuedAt: head.issuedAt,
            verification: head.verification
        )
        connectionID = head.connection
        streamID = head.streamID
        requestOnConnection = Int(head.requestOnConnection)
        verdict = head.verdict
        problem = texts.problem.isEmpty ? nil : texts.problem
        faults = head.fault == 0 ? [] : [FaultID(number: head.fault)]
        isDecidedByFault = head.fault != 0 && head.faultEffect.contains(.decides)
        answer = Self.answer(head, echo: request[.apnsID], added: texts.added)
    }

    private static func answer(_ head: RecordHead, echo: String?, added: String) -> Answer {
        let id = head.echoesID ? echo : head.id?.text(upperCase: true)
        let uniqueID = head.uniqueID?.text(upperCase: false)
        var headers: [(name: String, value: String)] = []
        if head.isAnswered, let id { headers.append(("apns-id", id)) }
        if let uniqueID { headers.append(("apns-unique-id", uniqueID)) }
        if head.hasContentType { headers.append(("content-type", "application/json")) }
        headers += FaultMark.headers(of: added)
        let body = head.verdict.reason.map {
            MockAPNsRules.Answer.body(for: $0, deadSince: head.deadSince)
        }
        return Answer(
            status: head.status,
            id: head.isAnswered ? id : nil,
            uniqueID: uniqueID,
            headers: headers,
            body: String(decoding: body ?? [], as: UTF8.self),
            microseconds: max(0, head.answeredAt.microseconds(since: head.receivedAt))
        )
    }
}

/// The properties of a record that are not in its bytes, read under the world's lock.
///
/// The bytes never change, so the record itself is copied after the lock is released.
struct RecordContext {
    let epoch: UInt64
    /// When the push was answered, on the world's clock.
    let answeredAt: Timestamp
    /// `nil` if the connection is no longer kept.
    let connection: ConnectionRecord?
    /// `nil` if the push was rejected.
    let delivery: Delivery?
}
