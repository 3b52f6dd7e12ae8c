public import MockAPNsRules

/// A push with its response and delivery, copied from the journal.
@dynamicMemberLookup public struct PushRecord: Sendable {
    /// The request as it was received.
    public struct Request: Sendable {
        /// The header fields in the order received; the signature of a provider token is removed.
        public let headers: [(name: String, value: String)]
        /// The body; empty if it was too large to keep.
        public let body: [UInt8]
        let index: HeaderIndex
        /// The only topic of the client's certificate, if the request did not have `apns-topic`.
        public let impliedTopic: String?

        /// The number of bytes of the provider token's signature that were removed; 0 also if it is unknown.
        package let removedFromToken: Int

        /// The header fields as the rules saw them.
        public var judgedHeaders: [(name: String, value: String)] {
            headers + [impliedTopic].compactMap { $0 }.map { (HeaderName.apnsTopic.text.description, $0) }
        }

        /// The first value of a header.
        public subscript(name: HeaderName) -> String? {
            if name == .apnsTopic, let impliedTopic { return impliedTopic }
            return index.position(of: name).map { headers[$0].value }
        }
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
    /// The properties of fixed size, which are also members of the record.
    public let head: RecordHead
    /// The number of the event for its response.
    public var answeredSeq: UInt64 { head.seq + 1 }
    /// The delivery of its notification; `nil` if the push was rejected.
    public let delivery: Delivery?
    /// When it was answered, on the world's clock.
    public let answeredAt: Timestamp
    /// Whether it is pinned, so that it is not evicted.
    public package(set) var isPinned: Bool
    /// The request.
    public let request: Request
    /// The key ID of the provider token; `nil` if it was not readable.
    public let keyID: String?
    /// The team ID of the provider token; `nil` if it was not readable.
    public let teamID: String?
    /// The app of the client certificate that replaces a provider token; `nil` if there is none.
    public let certificate: String?
    /// The connection; `nil` if it is no longer kept.
    public let connection: ConnectionRecord?
    /// Why the transport rejected the request; `nil` if it did not.
    public let problem: String?
    /// The response.
    public let answer: Answer
    /// The status of the error packet that was sent; `nil` if none was, as for command 0.
    public var sentPacket: GatewayStatus? {
        let isSimple = request.headers.contains { $0 == (GatewayNotification.FieldName.command, "0") }
        return isSimple && head.packet != .shutdown ? nil : head.packet
    }
    /// The app in the path of a request to broadcast or to manage channels; `nil` for a push to a device.
    public var bundleID: String? { request[.path].flatMap { head.service.bundleID(inPath: $0) } }
    /// The channel that the request names or has created.
    public var channel: String? { request[.apnsChannelID] ?? head.createdChannel?.text }
    /// The fault that fired for the push, if any.
    public var faults: [FaultID] { head.fault.map { [$0] } ?? [] }
    /// Whether a fault decided or withheld the response; `verdict.decidedBy` is the decision of the rules.
    public var isDecidedByFault: Bool { head.faultEffect.contains(.decides) }

    /// Creates the record that the first push of a batch would have; it has no number, connection or delivery.
    package init?(unpublished batch: RecordBatch) {
        guard !batch.isEmpty, let start = batch.bytes.baseAddress else { return nil }
        let view = RecordView(at: start)
        let context = RecordContext(epoch: batch.epoch, answeredAt: view.head.clockTime, connection: nil, delivery: nil)
        self.init(view, context)
    }

    init(_ record: RecordView, _ context: RecordContext) {
        head = record.head
        answeredAt = context.answeredAt
        isPinned = context.isPinned
        epoch = context.epoch
        delivery = context.delivery
        connection = context.connection
        let (impliesTopic, removed) = (head.impliesTopic, Int(head.removedFromToken))
        request = record.withRequest { request in
            Request(
                headers: request.fields.dropLast(impliesTopic ? 1 : 0).map {
                    (request.name(of: $0).text, request.value(of: $0).text)
                }, body: Array(request.body.bytes), index: request.headerIndex,
                impliedTopic: impliesTopic ? request[.apnsTopic]?.text : nil, removedFromToken: removed)
        }
        let texts = record.texts
        keyID = texts.keyID.isEmpty ? nil : texts.keyID
        teamID = texts.teamID.isEmpty ? nil : texts.teamID
        certificate = texts.certificate.isEmpty ? nil : texts.certificate
        problem = texts.problem.isEmpty ? nil : texts.problem
        let echo = head.service == .push ? nil : request[.apnsRequestID]
        answer = Self.answer(head, echo: echo ?? request[.apnsID], added: texts.added, body: texts.answer)
    }

    /// A property of fixed size.
    @inlinable public subscript<Value>(dynamicMember member: KeyPath<RecordHead, Value>) -> Value {
        head[keyPath: member]
    }

    private static func answer(_ head: RecordHead, echo: String?, added: String, body: String) -> Answer {
        let id = head.echoesID ? echo : head.ownID?.text(upperCase: true)
        let isPush = head.service == .push
        let uniqueID = isPush ? head.uniqueID?.text(upperCase: false) : nil
        var headers: [(name: String, value: String)] = []
        if let id { headers.append((isPush ? "apns-id" : "apns-request-id", id)) }
        if let uniqueID { headers.append(("apns-unique-id", uniqueID)) }
        if let channel = head.createdChannel { headers.append(("apns-channel-id", channel.text)) }
        if head.hasContentType { headers.append(("content-type", "application/json")) }
        headers += FaultMark.headers(of: added)
        // The binary interface sends a packet instead.
        let reason = head.status == 0 || head.isBinary ? nil : head.verdict.reason
        let error = reason.map { ResponseBody.bytes(for: $0, deadSince: head.deadSince) }
        return Answer(
            status: head.status, id: id, uniqueID: uniqueID, headers: headers,
            body: error.map { String(decoding: $0, as: UTF8.self) } ?? body, microseconds: head.answerMicroseconds)
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
    var isPinned = false
}
