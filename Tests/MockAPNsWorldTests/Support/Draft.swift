import MockAPNsRules

@testable import MockAPNsWorld

/// A record to be: a request, byte by byte, and what came of it.
struct Draft: Sendable {
    /// A header field; bytes, because nothing makes a client send UTF-8.
    struct Field: Equatable, Sendable {
        let name: [UInt8]
        let value: [UInt8]

        init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ value: String) { self.init(name: Array(name.utf8), value: Array(value.utf8)) }
    }

    static let token = String(repeating: "0123456789abcdef", count: 4)
    static let now = Timestamp(seconds: 1_754_402_113)

    var fields: [Field]
    var body: [UInt8]
    /// Larger than the body when the body was too large to keep.
    var bodyLength: Int?
    var system = Draft.now
    var world = Draft.now
    var connection: UInt64 = 1
    var streamID: Int32 = 1
    var requestOnConnection: UInt32 = 1
    var environment = Environment.sandbox
    var verdict = Verdict.accepted
    /// What the verdict says, unless it is given.
    var status: UInt16?
    var verification = TokenVerification.notChecked
    var credential: ProviderCredential?
    var deadSince: Timestamp?
    var id: UniqueID? = UniqueID(high: 1, low: 2)
    var uniqueID: UniqueID?
    var hasContentType = false
    var problem = ""

    /// A request of these fields and this body.
    init(fields: [Field] = [], body: [UInt8] = []) {
        self.fields = fields
        self.body = body
    }

    /// A usual push.
    static func push(
        token: String = Draft.token,
        topic: String = "com.example.app",
        type: String? = nil,
        reason: Reason? = nil,
        body: String = "{}"
    ) -> Draft {
        var draft = Draft(fields: [
            Field(":method", "POST"), Field(":path", "/3/device/\(token)"), Field("apns-topic", topic),
        ])
        if let type { draft.fields.append(Field("apns-push-type", type)) }
        draft.body = Array(body.utf8)
        if let reason { draft.verdict = Verdict(reason: reason, decidedBy: 3) }
        return draft
    }

    var facts: RecordBatch.Facts {
        RecordBatch.Facts(
            time: WorldClock.Reading(system: system, world: world),
            connection: connection,
            streamID: streamID,
            requestOnConnection: requestOnConnection,
            environment: environment,
            status: status ?? verdict.status,
            verdict: verdict,
            verification: verification,
            credential: credential,
            deadSince: deadSince,
            id: id,
            uniqueID: uniqueID,
            hasContentType: hasContentType,
            problem: problem
        )
    }

    /// Lends the request as the transport would: names and values one behind the other, the body elsewhere.
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        var bytes: [UInt8] = []
        var laidOut: [HeaderField] = []
        var index = HeaderIndex()
        for field in fields {
            let name = field.name.withUnsafeBufferPointer { HeaderName(ByteSpan($0)) }
            index.note(name, at: laidOut.count)
            laidOut.append(
                HeaderField(
                    name: name,
                    at: bytes.count,
                    nameLength: field.name.count,
                    valueLength: field.value.count
                )
            )
            bytes += field.name + field.value
        }
        bytes.append(0)  // so that an empty request still has an address
        return bytes.withUnsafeBufferPointer { bytes in
            laidOut.withUnsafeBufferPointer { laidOut in
                body.withUnsafeBufferPointer { body in
                    use(
                        RequestView(
                            bytes: bytes.baseAddress!,
                            fields: laidOut,
                            index: index,
                            body: ByteSpan(body),
                            bodyLength: bodyLength ?? body.count
                        )
                    )
                }
            }
        }
    }

    func append(to batch: RecordBatch) { withRequest { batch.append($0, facts) } }

    /// The size of its record, in bytes.
    var recordSize: Int {
        let batch = RecordBatch()
        append(to: batch)
        return batch.bytes.count
    }
}

extension Journal {
    /// Publishes records as one batch.
    func record(_ drafts: Draft..., at now: Timestamp = Draft.now) { record(drafts, at: now) }

    /// Publishes records as one batch.
    func record(_ drafts: [Draft], at now: Timestamp = Draft.now) {
        let batch = RecordBatch()
        for draft in drafts { draft.append(to: batch) }
        publish(batch, at: now)
    }

    /// Publishes so many usual pushes, each in a batch of its own.
    func record(count: Int) { for _ in 0..<count { record(.push()) } }

    /// The numbers of all records kept, oldest first.
    var numbers: [UInt64] { pushes(.with { $0.limit = .max }).pushes.map(\.seq) }
}

extension PushQuery {
    /// A query in ascending order, with these conditions.
    static func with(_ change: (inout PushQuery) -> Void) -> PushQuery {
        var query = PushQuery()
        query.order = .ascending
        change(&query)
        return query
    }
}
