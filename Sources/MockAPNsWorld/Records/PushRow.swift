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
    /// The number of the text that the header fields share with other pushes; `nil` if they share none.
    package let sharedHeaders: Int64?
    /// The header fields as `HeaderText` writes them; empty if they share a text.
    package let headers: ByteSpan
    /// The body as far as it was kept.
    package let body: ByteSpan
    /// The beginning of the record (`RecordHead.layout`), of its entry (`KeptEntry`), and the texts after the body.
    package let facts: ByteSpan

    /// Calls `use` with the row of a record and its entry; `position` is that of the change.
    ///
    /// With `shared`, header fields may share a text.
    static func with(
        _ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp, at position: UInt64 = 0,
        sharing shared: inout SharedHeaders?, in scratch: inout Scratch, _ use: (borrowing PushRow) -> Void
    ) {
        let texts = Texts(record, id: scratch.id, token: scratch.token)
        let number = shared?.number(of: record, seq: entry.seq, token: texts.token, id: texts.id)
        let facts = scratch.facts(record, entry, sentAt: sentAt)
        guard number == nil else { return use(PushRow(record, entry, at: position, texts, number, Texts.none, facts)) }
        HeaderText.write(record, to: &scratch.headers)
        scratch.headers.withUnsafeBufferPointer { headers in
            use(PushRow(record, entry, at: position, texts, nil, ByteSpan(headers), facts))
        }
    }

    private init(
        _ record: RecordView, _ entry: JournalEntry, at position: UInt64, _ texts: Texts, _ sharedHeaders: Int64?,
        _ headers: ByteSpan, _ facts: ByteSpan
    ) {
        let head = record.head
        (seq, receivedAt, answeredAt) = (entry.seq, head.receivedAt.microseconds, entry.at)
        self.position = position
        environment = ByteSpan(head.environment.text)
        status = head.status
        reason = head.reason.map { ByteSpan($0.text) } ?? Texts.none
        delivery = ByteSpan(entry.state?.row.state ?? PushQuery.notAttemptedText)
        (token, apnsID, topic, pushType, body) = (texts.token, texts.id, texts.topic, texts.pushType, texts.body)
        (self.sharedHeaders, self.headers, self.facts) = (sharedHeaders, headers, facts)
    }

    /// The texts of a record that people query.
    private struct Texts {
        static var none: ByteSpan { ByteSpan(start: nil, count: 0) }

        let token: ByteSpan
        var topic = none
        var pushType = none
        var id = none
        var body = none

        /// `id` and `token` are memory for the texts that the record does not have.
        init(_ record: RecordView, id: UnsafeMutablePointer<UInt8>, token: UnsafeMutablePointer<UInt8>) {
            let digits = record.deviceToken?.write(hexTo: token) ?? 0
            self.token = ByteSpan(start: token, count: digits)
            let head = record.head
            record.withRequest { request in
                topic = request[.apnsTopic] ?? Self.none
                pushType = request[.apnsPushType] ?? Self.none
                if head.echoesID { self.id = request.requestID(for: head.service) ?? Self.none }
                body = request.body
            }
            if let own = head.ownID {
                own.write(to: id, upperCase: true)
                self.id = ByteSpan(start: id, count: UniqueID.textLength)
            }
        }
    }
}

extension PushRow {
    /// Memory for what is made of a record, used for one push after the other.
    struct Scratch: ~Copyable {
        fileprivate let id = UnsafeMutablePointer<UInt8>.allocate(capacity: UniqueID.textLength)
        fileprivate let token = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * DeviceToken.maximumSize)
        fileprivate var headers: [UInt8] = []
        private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_024, alignment: RecordHead.alignment)

        deinit {
            id.deallocate()
            token.deallocate()
            memory.deallocate()
        }

        /// Copies what is kept of a record, as it lies in memory; valid until the next call.
        fileprivate mutating func facts(_ record: RecordView, _ entry: JournalEntry, sentAt: Timestamp) -> ByteSpan {
            let texts = record.head.textsLength
            let fixed = RecordHead.keptSize + KeptEntry.size
            if memory.count < fixed + texts {
                memory.deallocate()
                memory = .allocate(byteCount: fixed + texts, alignment: RecordHead.alignment)
            }
            let start = memory.baseAddress.unsafelyUnwrapped
            start.copyMemory(from: record.start, byteCount: RecordHead.keptSize)
            // The copy in the journal knows when it was sent; the change has the record as it was before.
            start.storeBytes(of: sentAt, toByteOffset: RecordHead.sentAtOffset, as: Timestamp.self)
            withUnsafeBytes(of: KeptEntry(entry)) {
                (start + RecordHead.keptSize).copyMemory(
                    from: $0.baseAddress.unsafelyUnwrapped, byteCount: KeptEntry.size)
            }
            (start + fixed).copyMemory(from: record.textsStart, byteCount: texts)
            return ByteSpan(start: start.assumingMemoryBound(to: UInt8.self), count: fixed + texts)
        }
    }
}

extension KeptPush {
    /// Calls `use` with the push as a row; with `shared`, its header fields may share a text.
    package func withRow<Result, Failure>(
        sharing shared: inout SharedHeaders?, _ use: (borrowing PushRow) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        withRecord { record in
            var scratch = PushRow.Scratch()
            PushRow.with(record, entry, sentAt: record.head.sentAt, at: position, sharing: &shared, in: &scratch) {
                row in do throws(Failure) { outcome = .success(try use(row)) } catch { outcome = .failure(error) }
            }
        }
        guard let outcome else { preconditionFailure("a record has a row") }
        return try outcome.get()
    }

    /// Calls `use` with the push as a row with all of its header fields.
    package func withRow<Result, Failure>(
        _ use: (borrowing PushRow) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var none: SharedHeaders?
        return try withRow(sharing: &none, use)
    }
}
