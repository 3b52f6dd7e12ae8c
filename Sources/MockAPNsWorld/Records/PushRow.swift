internal import MockAPNsFormats
package import MockAPNsRules

/// A push as a row of a store, in place: the columns that people query, and the rest of its record.
///
/// Valid only during the call that it is passed to. A text that the push does not have is empty.
package struct PushRow: ~Copyable {
    /// The number of the push.
    package let seq: UInt64
    /// The number of the change that added it.
    package let position: UInt64
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
    /// The delivery state at the response, as the API names it.
    package let delivery: ByteSpan
    /// The header fields as `HeaderText` writes them.
    package let headers: ByteSpan
    /// The body as far as it was kept.
    package let body: ByteSpan
    /// The beginning of the record (`RecordHead.layout`), of its entry (`KeptEntry`), and the texts after the body.
    package let facts: ByteSpan

    /// Calls `use` with the row of a record and its entry; `position` is that of the change.
    static func with<Result, Failure>(
        _ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp, at position: UInt64 = 0,
        in scratch: inout Scratch, _ use: (borrowing PushRow) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        HeaderText.write(record, to: &scratch.headers)
        scratch.writeFacts(record, entry, sentAt: sentAt)
        let (id, token) = (scratch.id, scratch.token)
        return try scratch.headers.withUnsafeBufferPointer { headers throws(Failure) in
            try scratch.facts.withUnsafeBufferPointer { facts throws(Failure) in
                try use(PushRow(record, entry, at: position, ByteSpan(headers), ByteSpan(facts), id: id, token: token))
            }
        }
    }

    /// `id` and `token` are memory for the texts that the record does not have.
    private init(
        _ record: RecordView, _ entry: JournalEntry, at position: UInt64, _ headers: ByteSpan, _ facts: ByteSpan,
        id: UnsafeMutablePointer<UInt8>, token: UnsafeMutablePointer<UInt8>
    ) {
        let head = record.head
        let none = ByteSpan(start: nil, count: 0)
        (seq, receivedAt, answeredAt) = (entry.seq, head.receivedAt.microseconds, entry.at)
        self.position = position
        let digits = record.deviceToken?.write(hexTo: token) ?? 0
        self.token = ByteSpan(start: token, count: digits)
        environment = ByteSpan(head.environment.text)
        status = head.status
        reason = head.reason.map { ByteSpan($0.text) } ?? none
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
        (self.headers, self.facts) = (headers, facts)
    }
}

extension PushRow {
    /// Memory for what is made of a record, used for one push after the other.
    struct Scratch: ~Copyable {
        fileprivate let id = UnsafeMutablePointer<UInt8>.allocate(capacity: UniqueID.textLength)
        fileprivate let token = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * DeviceToken.maximumSize)
        fileprivate var headers: [UInt8] = []
        fileprivate var facts: [UInt8] = []

        deinit {
            id.deallocate()
            token.deallocate()
        }

        /// Copies what is kept of a record, as it lies in memory.
        fileprivate mutating func writeFacts(_ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp) {
            facts.removeAll(keepingCapacity: true)
            // The copy in the journal knows when it was sent; the change has the record as it was before.
            var head = record.head
            head.sentAt = sentAt
            withUnsafeBytes(of: &head) {
                facts.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<RecordHead.keptSize]))
            }
            withUnsafeBytes(of: KeptEntry(entry)) { facts.append(contentsOf: $0) }
            facts.append(contentsOf: UnsafeBufferPointer(start: record.textsStart, count: head.textsLength))
        }
    }
}

extension KeptRecord {
    /// Calls `use` with the record as a row; `position` is that of the change that added it.
    package func withRow<Result, Failure>(
        at position: UInt64, _ use: (borrowing PushRow) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withRecord { record throws(Failure) in
            var scratch = PushRow.Scratch()
            return try PushRow.with(record, entry, sentAt: record.head.sentAt, at: position, in: &scratch, use)
        }
    }
}
