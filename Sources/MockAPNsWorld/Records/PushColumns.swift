internal import MockAPNsFormats
package import MockAPNsRules

/// A push as a log keeps it, in place: what a `LoggedPush` has, without memory of its own for each part.
///
/// Valid only during the call that it is passed to. Texts are empty where there are none.
package struct PushColumns: ~Copyable {
    /// The number.
    package let seq: UInt64
    /// When the request was complete, in microseconds of the system's clock.
    package let receivedAt: Int64
    /// When it was answered, in microseconds of the world's clock.
    package let answeredAt: Int64
    /// The `apns-id` of the response.
    package let apnsID: ByteSpan
    /// The header `apns-topic`.
    package let topic: ByteSpan
    /// The device token in lower case, as hex.
    package let token: ByteSpan
    /// The header `apns-push-type`.
    package let pushType: ByteSpan
    /// The environment of the listener.
    package let environment: ByteSpan
    /// The status of the response; 0 if the stream was reset.
    package let status: UInt16
    /// The reason of the response.
    package let reason: ByteSpan
    /// The delivery state, as the API names it.
    package let delivery: ByteSpan
    /// The body as far as it was kept.
    package let body: ByteSpan
    /// Everything else that the record has, encoded.
    package let facts: ByteSpan

    private let source: Source

    private enum Source {
        case record(RecordView)
        case logged(LoggedPush)
    }

    /// Calls `use` with every header field in order.
    package func visitHeaders(_ use: (_ name: ByteSpan, _ value: ByteSpan) -> Void) {
        switch source {
        case .record(let record):
            record.withRequest { request in
                for field in request.fields { use(request.name(of: field), request.value(of: field)) }
            }
        case .logged(let push):
            for header in push.headers {
                header.name.withUnsafeBufferPointer { name in
                    header.value.withUnsafeBufferPointer { value in use(ByteSpan(name), ByteSpan(value)) }
                }
            }
        }
    }

    /// Calls `use` with a record of the journal's memory and its entry.
    static func with<Result, Failure>(
        _ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp, in scratch: inout Scratch,
        _ use: (borrowing PushColumns) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        PushFacts.write(record, entry, sentAt: sentAt, to: &scratch.facts)
        let (id, token) = (scratch.id, scratch.token)
        return try scratch.facts.withBytes { facts throws(Failure) in
            try use(PushColumns(record, entry, ByteSpan(facts), id: id, token: token))
        }
    }

    /// Calls `use` with a push of a log.
    package static func with<Result, Failure>(
        _ push: LoggedPush, _ use: (borrowing PushColumns) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let texts = [push.apnsID, push.topic, push.token, push.pushType, push.environment, push.reason, push.delivery]
            .map { Array($0.utf8) }
        let parts = texts + [push.body, push.facts]
        return try parts.flatMap(\.self).withUnsafeBufferPointer { bytes throws(Failure) in
            var rest = ByteSpan(bytes)
            let spans = parts.map { part in
                defer { rest = rest.dropFirst(part.count) }
                return rest.prefix(part.count)
            }
            return try use(PushColumns(push, spans))
        }
    }

    private init(_ push: LoggedPush, _ spans: [ByteSpan]) {
        (seq, receivedAt, answeredAt) = (push.seq, push.receivedAt, push.answeredAt)
        (apnsID, topic, token, pushType) = (spans[0], spans[1], spans[2], spans[3])
        (environment, reason, delivery, body, facts) = (spans[4], spans[5], spans[6], spans[7], spans[8])
        status = push.status
        source = .logged(push)
    }

    /// `id` and `token` are memory for the texts that the record does not have.
    private init(
        _ record: RecordView, _ entry: JournalEntry, _ facts: ByteSpan, id: UnsafeMutablePointer<UInt8>,
        token: UnsafeMutablePointer<UInt8>
    ) {
        let head = record.head
        let none = ByteSpan(start: nil, count: 0)
        (seq, receivedAt, answeredAt) = (entry.seq, head.receivedAt.microseconds, entry.at)
        let digits = record.deviceToken?.write(hexTo: token) ?? 0
        self.token = ByteSpan(start: token, count: digits)
        environment = ByteSpan(head.environment.text)
        status = head.status
        reason = head.verdict.reason.map { ByteSpan($0.text) } ?? none
        delivery = ByteSpan(entry.state?.row.state ?? PushQuery.notAttemptedText)
        var texts = (topic: none, pushType: none, id: none, body: none)
        record.withRequest { request in
            texts.topic = request[.apnsTopic] ?? none
            texts.pushType = request[.apnsPushType] ?? none
            if head.echoesID { texts.id = request.requestID(for: head.service) ?? none }
            texts.body = request.body
        }
        if let own = head.ownID {
            own.write(to: id, upperCase: true)
            texts.id = ByteSpan(start: id, count: UniqueID.textLength)
        }
        (topic, pushType, apnsID, body) = texts
        self.facts = facts
        source = .record(record)
    }
}

extension PushColumns {
    /// Memory for what is made of a record, used for one push after the other.
    struct Scratch: ~Copyable {
        fileprivate let id = UnsafeMutablePointer<UInt8>.allocate(capacity: UniqueID.textLength)
        fileprivate let token = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * DeviceToken.maximumSize)
        fileprivate var facts = ArchiveWriter()

        deinit {
            id.deallocate()
            token.deallocate()
        }
    }
}
